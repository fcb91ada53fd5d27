"""The tool list of one server: read whole, kept, followed as it changes.

May import `wire`; of `session` it sees the types only.
"""
