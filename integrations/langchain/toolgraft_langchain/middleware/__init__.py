"""Classes of middleware for `create_agent`; they need the package `langchain`, and are imported where it is used."""
