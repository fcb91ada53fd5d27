"""What strict mode cannot say, said in other shapes so that nothing is lost (`strict="full"`).

- A map becomes an array of `{key, value}`.
- A free object, an untyped value, and whatever else has no strict shape becomes a string that holds JSON text.
- A tuple becomes an object with a member for each place.
- An object with declared members that says it is open gets one more member for the others.
- A root that is no plain object stands in one member of one.

Without `full` each of these is the reason why a tool is not strict, but for one: a root that declares its
arguments and says that it takes more keeps them as they are, and gets the one more member.

Imports `strict`, and what `strict` imports.
"""
