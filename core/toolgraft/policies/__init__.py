"""What is done to a server's list of tools before it is served: pure functions from list to list, a file each.

A policy may change a tool, leave it out with a `Refusal` that says why, or raise `ConfigError` where it names a tool
that is not there. Policies see specs and declarations; they import neither connections nor frameworks.
"""

from toolgraft.policies.policy import Judged, Policy, judged, name_of

__all__ = ["Judged", "Policy", "judged", "name_of"]
