"""Follow the resource links of a result: read them from the server and put what they hold in their place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias, cast

from toolgraft.content.blocks import Common, Converted, from_resource
from toolgraft.content.size import is_large, measure
from toolgraft.result import AnyPart, Link, Text, ToolResult

Read: TypeAlias = Callable[[str], Awaitable[Mapping[str, Any]]]
"""Reads one resource: its URI in, the wire JSON of a `ReadResourceResult` out."""

_REASON: Final = 500


async def follow_links(result: ToolResult, read: Read, *, limit: int, max_bytes: int) -> ToolResult:
    """Replace a result's resource links by what they link to (MCP: `resources/read`).

    Only links that the model is meant to see are followed, one after the other, in order. A link that cannot be
    read stays, followed by a sentence that says why.

    Args:
        result: The result.
        read: Reads one URI from the server that gave the link; never from anywhere else.
        limit: How many links are read; the rest stay links.
        max_bytes: Bytes of all that is read, together.
    """
    parts: list[AnyPart] = []
    warnings = list(result.warnings)
    left, room = limit, max_bytes
    for part in result.parts:
        if not isinstance(part, Link) or not part.for_model or left <= 0:
            parts.append(part)
            continue
        left -= 1
        found, used, problem = await _read(part, read, room)
        room -= used
        parts.extend(found)
        if problem:
            warnings.append(f"link {part.uri}: {problem}")
    return replace(result, parts=tuple(parts), warnings=tuple(warnings))


async def _read(link: Link, read: Read, room: int) -> tuple[tuple[AnyPart, ...], int, str]:
    try:
        answer = await read(link.uri)
    except Exception as error:
        return _kept(link, 0, str(error)[:_REASON] or type(error).__name__)
    used = measure(answer, room)
    if used > room:
        return _kept(link, 0, f"it is larger than the {room:,} bytes that are left for linked resources")
    contents = answer.get("contents")
    entries = cast("list[object]", contents) if isinstance(contents, list) else []
    if not entries:
        return _kept(link, used, "the server gave nothing for it")
    common: Common = {
        "origin": "resource_link",
        "audience": link.audience,
        "priority": link.priority,
        "meta": dict(link.meta),
    }
    work = partial(_converted, entries, common)
    if is_large(entries):
        from anyio.to_thread import run_sync

        converted = await run_sync(work)
    else:
        converted = work()
    parts = tuple(part for each in converted for part in each.parts)
    return parts, used, "; ".join(each.problem for each in converted if each.problem)


def _converted(entries: list[object], common: Common) -> list[Converted]:
    return [from_resource(entry, common) for entry in entries]


def _kept(link: Link, used: int, reason: str) -> tuple[tuple[AnyPart, ...], int, str]:
    note = Text(f"[{link.uri} could not be read: {reason}]", origin="resource_link", audience=link.audience)
    return (link, note), used, f"could not be read: {reason}"
