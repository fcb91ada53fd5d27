"""Streamable HTTP and HTTP+SSE: requests, answers, event streams, and whose cookies go with what.

May import the rest of `wire` but `kinds`, which brings the transports together.
"""
