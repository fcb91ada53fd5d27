"""The whole tool list of a server: every page, guarded against servers that never end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

from toolgraft.connection.listing.read_tool import read_tool
from toolgraft.spec import Refusal, ToolRef, ToolSpec

PAGES: Final = 1000
TOOLS: Final = 20_000

IN_A_ROW: Final = 100
"""Tools that are read before others get their turn."""

FetchPage: TypeAlias = Callable[[str | None], Awaitable[Mapping[str, Any]]]
"""Gives the page of a cursor as it came over the wire."""

Marks: TypeAlias = Mapping[tuple[str, ...], str]
"""Which arguments of a tool are sent as HTTP headers too: path into the arguments to header token (`x-mcp-header`)."""


class NotAList(Exception):
    """The answer to a list request has no list."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a server serves. Names are wire names.

    Attributes:
        tools: The good ones, in the server's order.
        refused: The others, with the reason.
        warnings: What was odd about the list itself, a sentence each.
        ttl: Seconds that the server says it holds, or None.
        cut: Why it is not whole, or an empty string; one of the warnings.
        marks: By wire name, the arguments that are sent as headers too; only tools that have such.
    """

    tools: tuple[ToolSpec, ...] = ()
    refused: tuple[Refusal, ...] = ()
    warnings: tuple[str, ...] = ()
    ttl: float | None = None
    cut: str = ""
    marks: Mapping[str, Marks] = field(default_factory=dict[str, Marks])


async def all_pages(fetch: FetchPage, key: str) -> tuple[list[object], list[str], float | None]:
    """Every member of a paged list, why they are not all where they are not, and how long it holds.

    Raises:
        NotAList: A page has no list under `key`.
    """
    members: list[object] = []
    cut: list[str] = []
    seen: set[str] = set()
    ttl: float | None = None
    cursor: str | None = None
    while True:
        page = await fetch(cursor)
        listed = page.get(key)
        if not isinstance(listed, list):
            raise NotAList(f"its answer has no list of {key}")
        found, room = cast("list[object]", listed), TOOLS - len(members)
        members.extend(found[:room])
        if len(found) > room:
            cut.append(f"its list of {key} is too long; stopped after {TOOLS} members")
            break
        ttl = _shorter(ttl, page.get("ttlMs"))
        following = page.get("nextCursor")
        if not isinstance(following, str):
            break
        if following in seen:
            cut.append(f"its list of {key} repeats a cursor; stopped there, after {len(members)} members")
            break
        if len(seen) >= PAGES or len(members) >= TOOLS:
            cut.append(f"its list of {key} does not end; stopped after {len(members)} members")
            break
        seen.add(following)
        cursor = following
    return members, cut, ttl


def _shorter(known: float | None, ttl_ms: object) -> float | None:
    if not isinstance(ttl_ms, int | float) or isinstance(ttl_ms, bool):
        return known
    seconds = max(0.0, min(ttl_ms / 1000, 86_400.0))
    return seconds if known is None else min(known, seconds)


async def list_all(server: str, fetch: FetchPage, *, http: bool = False) -> Listing:
    """The tools of `server`.

    Args:
        server: Its name.
        fetch: Gives a page.
        http: It is a modern server over HTTP, where marked arguments are sent as headers too, and a tool with wrong
            marks must not be called (SEP-2243).

    Raises:
        NotAList: The server does not answer with a list.
    """
    from asyncio import sleep

    members, warnings, ttl = await all_pages(fetch, "tools")
    cut = "; ".join(warnings)
    tools: dict[str, ToolSpec] = {}
    refused: list[Refusal] = []
    for index, raw in enumerate(members):
        if index % IN_A_ROW == 0:
            await sleep(0)
        read = read_tool(server, index, raw, http=http)
        if isinstance(read, Refusal):
            refused.append(read)
        elif read.name not in tools:
            tools[read.name] = read
        elif read == tools[read.name]:
            warnings.append(f"its list has the tool '{read.name}' twice")
        else:
            reason = "a second tool of this name; the first is served"
            refused.append(Refusal(ToolRef(server, read.name), "/name", reason))
    marks = _marks(tools) if http else {}
    return Listing(tuple(tools.values()), tuple(refused), tuple(warnings), ttl, cut, marks)


def _marks(tools: Mapping[str, ToolSpec]) -> dict[str, Marks]:
    from mcp.shared.inbound import x_mcp_header_map

    return {name: marks for name, tool in tools.items() if (marks := x_mcp_header_map(dict(tool.input_schema)))}


def changes(before: Listing, after: Listing) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Wire names that were added, removed and changed."""
    old = {tool.name: tool for tool in before.tools}
    new = {tool.name: tool for tool in after.tools}
    return (
        tuple(name for name in new if name not in old),
        tuple(name for name in old if name not in new),
        tuple(name for name, tool in new.items() if name in old and tool != old[name]),
    )
