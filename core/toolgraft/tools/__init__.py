"""A tool joined to its server: how it is called, what of its answer a framework is given, and what a framework brings.

May import `connection` and all that stands before it.
"""
