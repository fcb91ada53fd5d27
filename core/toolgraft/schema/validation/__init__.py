"""Whether a value fits a schema, and whether that may be asked at all. Imports `language`."""
