"""What each provider's package makes of a tool and of its results, looked at where it counts: in the request it sends.

The packages live in an environment of their own, made by `scripts/providers`. There a program makes each package's chat
model, points it at an endpoint on loopback, and tells what arrived.
"""
