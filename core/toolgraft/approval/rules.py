"""Which calls wait for a yes. What is not clear waits."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from inspect import isawaitable
from typing import Final, cast

from toolgraft.calls import Call
from toolgraft.config import Server
from toolgraft.config.approval import Approval, Approve, Rule
from toolgraft.filters import matches
from toolgraft.spec import Safety, ToolSpec

_log: Final = logging.getLogger("toolgraft")


def approval_for(tool: str, server: Server, whole: Approve | None) -> Approval | None:
    """Give what holds for a tool: its own rule, else its server's, else that of the whole graft.

    Args:
        tool: Its wire name.
        server: The declaration of its server.
        whole: What holds for all servers.
    """
    if server.permission == "allow":
        return None
    for given in (server.approve, whole):
        if isinstance(given, Mapping):
            rules = cast("Mapping[str, Rule | Approval]", given)
            found = next((rule for pattern, rule in rules.items() if matches(tool, pattern)), None)
            if found is not None:
                return Approval.of(found)
        elif given is not None:
            return Approval.of(given)
    return None


def decided(rule: Rule, spec: ToolSpec, server: Server) -> bool | None:
    """Tell whether all calls of a tool wait for a yes, or none does; None where a function looks at each."""
    if rule == "always":
        return True
    if rule == "never":
        return False
    if rule == "side_effects":
        return spec.safety is not Safety.READ_ONLY
    if rule == "destructive":
        return _may_destroy(spec, server)
    return None if callable(rule) else any(matches(spec.ref.tool, each) for each in rule)


async def waits(rule: Rule, call: Call, server: Server) -> bool:
    """Tell whether a call waits for a yes."""
    known = decided(rule, call.spec, server)
    if known is not None or not callable(rule):
        return bool(known)
    try:
        answer = rule(call.spec, call.arguments, call.context)
        return bool(await answer if isawaitable(answer) else answer)
    except Exception:
        _log.exception("the rule of approve= failed for %s, so that it is asked about", call.ref)
        return True


def _may_destroy(spec: ToolSpec, server: Server) -> bool:
    """A hint that a tool destroys nothing counts where its server is trusted; the user's word always does."""
    if spec.safety is Safety.READ_ONLY:
        return False
    return spec.hints.filled.destructive if server.trust else True
