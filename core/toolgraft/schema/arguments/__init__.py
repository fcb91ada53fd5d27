"""A call's arguments: read, coerced, checked. Imports `read`, `validation` and `language`."""
