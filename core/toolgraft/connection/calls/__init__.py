"""What becomes of a request: sent and, where it is safe, sent again; the questions that a server asks meanwhile.

May import `session`, `listing` and `wire`.
"""
