"""The form that every provider takes without strict mode. Imports `read` and `language`."""
