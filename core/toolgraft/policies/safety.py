"""What sending a call twice would do: decided here and nowhere else.

The user's word wins. A server's hints count only where it is trusted, for they relax: a claim to be read-only would
let a lost call be sent again. The default is that a tool has side effects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from toolgraft.config import Server
from toolgraft.policies.filter import matches
from toolgraft.policies.policy import Policy
from toolgraft.spec import Safety, ToolSpec


def decide_safety(server: Server) -> Policy:
    """Make the policy that gives each tool of a server its `safety`."""

    def safety(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        return [replace(spec, safety=_of(spec, server)) for spec in specs]

    return safety


def _of(spec: ToolSpec, server: Server) -> Safety:
    hints = spec.hints.filled
    if server.trust and hints.read_only:
        return Safety.READ_ONLY
    if matches(spec.ref.tool, server.repeatable) or (server.trust and hints.idempotent):
        return Safety.IDEMPOTENT
    return Safety.SIDE_EFFECT
