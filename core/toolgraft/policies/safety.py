"""What sending a call twice would do: decided here and nowhere else.

The user's word wins, `safety` before `repeatable`. A server's hints count only where it is trusted, for they relax: a
claim to be read-only would let a lost call be sent again. The default is that a tool has side effects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from toolgraft.config import Server
from toolgraft.filters import most_telling
from toolgraft.policies.policy import Policy
from toolgraft.policies.resource_tools import is_resource_tool
from toolgraft.spec import Hints, Safety, SafetyReason, ToolSpec

_STRICTEST_LAST: Final = (Safety.READ_ONLY, Safety.IDEMPOTENT, Safety.SIDE_EFFECT)

_BY_DEFAULT: Final = SafetyReason("default", "nobody says otherwise")


def decide_safety(server: Server) -> Policy:
    """Make the policy that gives each tool of a server its `safety`, the reason for it, and `destructive`."""

    def safety(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        return [_decided(spec, server) for spec in specs]

    return safety


def _decided(spec: ToolSpec, server: Server) -> ToolSpec:
    safety, reason = _of(spec, server)
    believed = server.trust and spec.hints.destructive is False
    destructive = safety is not Safety.READ_ONLY and not believed
    return replace(spec, safety=safety, safety_reason=reason, destructive=destructive)


def _of(spec: ToolSpec, server: Server) -> tuple[Safety, SafetyReason]:
    if rules := most_telling(server.safety, spec.ref.tool):
        rule = max(rules, key=lambda each: _STRICTEST_LAST.index(Safety(server.safety[each])))
        return Safety(server.safety[rule]), SafetyReason("safety", f"`safety` says so of {rule!r}")
    if is_resource_tool(spec, server):
        return Safety.READ_ONLY, SafetyReason("default", "it reads resources, which may be read again")
    claimed = _claimed(spec.hints)
    if server.trust and claimed is Safety.READ_ONLY:
        return claimed, _trusted(claimed)
    if rules := most_telling(server.repeatable, spec.ref.tool):
        return Safety.IDEMPOTENT, SafetyReason("repeatable", f"`repeatable` names {rules[0]!r}")
    if server.trust and claimed is Safety.IDEMPOTENT:
        return claimed, _trusted(claimed)
    if claimed is not Safety.SIDE_EFFECT and not server.trust:
        said = f"its server calls it {words(claimed)}, but is not trusted"
        return Safety.SIDE_EFFECT, SafetyReason("untrusted", said)
    return Safety.SIDE_EFFECT, _BY_DEFAULT


def _claimed(hints: Hints) -> Safety:
    filled = hints.filled
    if filled.read_only:
        return Safety.READ_ONLY
    return Safety.IDEMPOTENT if filled.idempotent else Safety.SIDE_EFFECT


def _trusted(claimed: Safety) -> SafetyReason:
    return SafetyReason("trust", f"its server is trusted and calls it {words(claimed)}")


def words(safety: Safety) -> str:
    """Say it for people, e.g. `read-only`."""
    return {Safety.READ_ONLY: "read-only", Safety.SIDE_EFFECT: "a side effect"}.get(safety, safety.value)
