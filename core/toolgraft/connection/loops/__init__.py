"""From any event loop and thread to the loop that a connection lives in.

May import nothing else of the connection.
"""
