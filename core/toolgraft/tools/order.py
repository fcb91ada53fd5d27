"""The order of a call, in one place: README, *Order and events*, tells it to users, and a test holds it.

| step | what is done | what is told |
| --- | --- | --- |
| decode | from the form that the model was given to the server's own; bound arguments and `meta` are added | |
| middleware | layers of plugins, then of the graft; each may change the arguments, answer, or end the call | |
| visibility | a tool that is hidden from the run is refused | `Hidden` |
| checks | the arguments, as they leave the last layer, by the server's schema | |
| approval | nothing goes on before a person's yes for exactly this call | `Asked`, `Approved`, `Rejected` |
| once | a call that may have run is not sent again under its id | |
| deadline | its limit starts | `Called` |
| send | connected anew where need be; sent again only where that cannot run it twice | `Retried` |
| receive | the answer is measured, converted and checked by its output schema, its links are followed | `Answered` |

The first step makes the `Call`, see `BoundTool.call`; all others are below.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from toolgraft.calls import Call, Handler, onion
from toolgraft.config import Limits
from toolgraft.connection.events import Answered, Called
from toolgraft.content import follow_links
from toolgraft.output_schema import Check, check_for
from toolgraft.policies.resource_tools import is_resource_tool
from toolgraft.result import ToolResult
from toolgraft.spec import ToolSpec
from toolgraft.tools.received import received
from toolgraft.tools.resource_tools import sent_for_resources
from toolgraft.tools.route import Route


def in_order(spec: ToolSpec, route: Route, limits: Limits, require_valid: Callable[[Call], None]) -> Handler:
    """Put together what a call of one tool goes through once its arguments are decoded.

    Args:
        spec: The tool.
        route: What it has in common with the other tools of its server.
        limits: How much of a result is taken.
        require_valid: Raises `ArgumentsError` where a call's arguments do not fit.
    """

    async def checks(call: Call, proceed: Handler) -> ToolResult:
        require_valid(call)
        return await proceed(call)

    async def listed(call: Call, proceed: Handler) -> ToolResult:
        return await proceed(call if call.spec is spec else replace(call, spec=spec))  # whatever a layer makes of it

    visibility = (route.visibility,) if route.visibility.rules else ()  # first: what is hidden tells nothing of itself
    own = (listed, *visibility, *((checks,) if route.server.checks.validate else ()), *route.innermost)
    if is_resource_tool(spec, route.server):
        send = partial(sent_for_resources, route.connection, limits)
    else:
        send = partial(_send, route, limits, check_for(spec, route.server.output_check))
    return onion(route.middleware, own, partial(_told, route, send))


async def _told(route: Route, send: Handler, call: Call) -> ToolResult:
    """Send a call, and tell those who listen that it goes, and what came of it."""
    tell, whose, started = route.connection.tell, (call.ref.server, call.ref.tool, call.id), time.monotonic()
    tell(Called(*whose))
    outcome = "cancelled"
    try:
        result = await send(call)
        outcome = "error" if result.is_error else "result"
        return result
    except Exception as error:
        outcome = type(error).__name__
        raise
    finally:
        tell(Answered(*whose, outcome, time.monotonic() - started))


async def _send(route: Route, limits: Limits, checked: Check, call: Call) -> ToolResult:
    """Send a call within its deadline, and take what comes back."""
    connection, links, started = route.connection, route.server.follow_links, time.monotonic()
    raw = await connection.call(call)
    result = await received(raw, call.ref, limits, checked, route.part)
    if not links:
        return result
    seconds, source = call.deadline.seconds, call.deadline.source
    left = None if seconds is None else max(0.0, seconds - (time.monotonic() - started))
    read = partial(connection.read_resource, context=call.context)
    following = follow_links(result, read, limit=links, max_bytes=limits.wire_bytes)
    return await _within(left, following, result, source)


async def _within(
    seconds: float | None, following: Awaitable[ToolResult], result: ToolResult, source: str
) -> ToolResult:
    """Follow links for as long as is left of the call's limit; the result itself is there and is not lost to that."""
    clock = asyncio.timeout(seconds)
    try:
        async with clock:
            return await following
    except TimeoutError:
        if not clock.expired():
            raise
        note = f"links were not read within the call's limit (set by {source})"
        return replace(result, warnings=(*result.warnings, note))
