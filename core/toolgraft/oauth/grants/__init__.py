"""How a first token is got: a file for each way, and the one place that asks which way it is."""
