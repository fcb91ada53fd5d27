"""The form that OpenAI's strict mode takes, in its author's shape. Imports `decode`, `read` and `language`."""
