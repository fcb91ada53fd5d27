"""JSON Schema's own words: keywords, pointers, patterns, limits, sentences. Imports nothing of the schema rooms."""
