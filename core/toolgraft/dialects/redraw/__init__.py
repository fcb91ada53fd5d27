"""Rewrites of a finished form: what one provider, or its package, cannot take is said in another way.

Each gives a new schema that takes the same values, or says in words what it had to leave out. The arguments that a
model writes for it are read as those of the form that was rewritten.
"""
