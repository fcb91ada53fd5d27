"""A schema as a server sent it, brought to one spelling that every later room reads. Imports `language`."""
