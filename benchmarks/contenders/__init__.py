"""The contenders, a file a library; each is run by a worker process in an environment that has that library."""
