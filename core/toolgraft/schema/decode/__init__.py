"""The way back: steps from the model's arguments to the server's. Imports `read`, `validation` and `language`."""
