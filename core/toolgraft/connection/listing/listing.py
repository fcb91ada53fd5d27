"""The whole tool list of a server: every page, guarded against servers that never end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

from toolgraft.config.list_limits import ListLimits
from toolgraft.connection.listing.read_tool import USUAL, ServerRefused, read_tool
from toolgraft.content.look_alikes import look_of
from toolgraft.content.text import printable
from toolgraft.spec import Refusal, ToolRef, ToolSpec

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


async def all_pages(
    fetch: FetchPage, key: str, limits: ListLimits = USUAL
) -> tuple[list[object], list[str], float | None]:
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
        found, room = cast("list[object]", listed), limits.tools - len(members)
        members.extend(found[:room])
        if len(found) > room:
            cut.append(f"its list of {key} is too long; stopped after {limits.tools} members")
            break
        ttl = _shorter(ttl, page.get("ttlMs"))
        following = page.get("nextCursor")
        if not isinstance(following, str):
            break
        if len(following) > _CURSOR:
            cut.append(f"its list of {key} has a cursor of {len(following):,} characters; stopped there")
            break
        if following in seen:
            cut.append(f"its list of {key} repeats a cursor; stopped there, after {len(members)} members")
            break
        if len(seen) + 1 >= limits.pages or len(members) >= limits.tools:
            cut.append(f"its list of {key} does not end; stopped after {len(members)} members")
            break
        seen.add(following)
        cursor = following
    return members, cut, ttl


_CURSOR: Final = 64 * 1024
"""Characters of a cursor; all of a list are kept until it ends."""


def _shorter(known: float | None, ttl_ms: object) -> float | None:
    if not isinstance(ttl_ms, int | float) or isinstance(ttl_ms, bool):
        return known
    seconds = max(0.0, min(ttl_ms / 1000, 86_400.0))
    return seconds if known is None else min(known, seconds)


async def list_all(server: str, fetch: FetchPage, *, http: bool = False, limits: ListLimits = USUAL) -> Listing:
    """The tools of `server`.

    Args:
        server: Its name.
        fetch: Gives a page.
        http: It is a modern server over HTTP, where marked arguments are sent as headers too, and a tool with wrong
            marks must not be called (SEP-2243).
        limits: How much of it is taken.

    Raises:
        NotAList: The server does not answer with a list.
        ServerRefused: The limits say that a server with such a list is not served.
    """
    from asyncio import sleep

    members, warnings, ttl = await all_pages(fetch, "tools", limits)
    cut = "; ".join(warnings)
    if cut and limits.on_length == "refuse_server":
        raise ServerRefused(f"{cut}; the server is not served (set by list_limits)")
    tools: dict[str, ToolSpec] = {}
    refused: list[Refusal] = []
    for index, raw in enumerate(members):
        if index % IN_A_ROW == 0:
            await sleep(0)
        read = read_tool(server, index, raw, http=http, limits=limits)
        if isinstance(read, Refusal):
            refused.append(read)
        elif read.name not in tools:
            tools[read.name] = read
        elif read == tools[read.name]:
            warnings.append(f"its list has the tool '{printable(read.name)}' twice")
        else:
            reason = "a second tool of this name; the first is served"
            refused.append(Refusal(ToolRef(server, read.name), "/name", reason))
    for name, known in _look_alikes(tools).items():
        del tools[name]
        reason = f"its name looks like that of the tool '{printable(known)}' and is another one"
        if limits.on_name == "refuse_server":
            raise ServerRefused(f"{server}.{printable(name)}: {reason}; the server is not served (set by list_limits)")
        refused.append(Refusal(ToolRef(server, name), "/name", reason))
    warnings += _told(tools.values())
    marks = _marks(tools) if http else {}
    return Listing(tuple(tools.values()), tuple(refused), tuple(warnings), ttl, cut, marks)


def _look_alikes(tools: Mapping[str, ToolSpec]) -> dict[str, str]:
    """Names that look like another one of the list, and that one: it is in ASCII, or comes first."""
    looks = {name: look_of(name) for name in tools if not name.isascii()}
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for name, look in looks.items():
        known = look if look in tools and look != name else first.setdefault(look, name)
        if known != name:
            found[name] = known
    return found


def _told(tools: Iterable[ToolSpec]) -> list[str]:
    """What is odd about tools that are served, a sentence each."""
    flagged = [tool for tool in tools if tool.flags]
    told = [f"the tool '{printable(tool.name)}' has {'; '.join(map(str, tool.flags[:_FLAGS]))}" for tool in flagged]
    more = len(told) - _FLAGGED
    return told if more <= 0 else [*told[:_FLAGGED], f"{more} more tools are flagged, see `flags` of each"]


_FLAGS: Final = 3
_FLAGGED: Final = 50
"""How many flagged tools are told of, and how many flags of each."""


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
