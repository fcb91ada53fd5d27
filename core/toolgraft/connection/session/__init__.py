"""One server kept connected: its live client, the protocol that it speaks, a session for each identity.

May import `listing` and `wire`.
"""
