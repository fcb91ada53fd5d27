"""How a program is granted tokens, with nobody at a browser: a file for each way."""
