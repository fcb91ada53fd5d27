"""The ways to a server: stdio, Streamable HTTP and HTTP+SSE, each an async context of two streams of messages.

A transport writes in the task of its caller, so that its failure is that call's failure, and says what it knows of it
as a typed `Failure`. It imports the declarations and what is known of a call in flight, never the session above it.
"""
