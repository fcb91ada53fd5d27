"""Messages on their way: what a request and its answer are on our side of the wire, and what opens each transport.

May import nothing else of the connection. In it, `http` and `stdio` are the transports of our own.
"""
