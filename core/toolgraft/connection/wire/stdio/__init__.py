"""A server as a child process: its pipes, its environment, its last words and its end.

May import the rest of `wire` but `kinds`, which brings the transports together.
"""
