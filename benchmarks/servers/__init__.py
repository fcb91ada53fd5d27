"""Servers to measure against. Each is a script of its own, run in whichever environment it needs."""
