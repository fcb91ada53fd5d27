"""The whole tool list of a server: every page, guarded against servers that never end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from toolgraft.connection.tools import read_tool
from toolgraft.spec import Refusal, ToolRef, ToolSpec

PAGES: Final = 1000
TOOLS: Final = 20_000

FetchPage: TypeAlias = Callable[[str | None], Awaitable[Mapping[str, Any]]]
"""Gives the page of a cursor as it came over the wire."""


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
    """

    tools: tuple[ToolSpec, ...] = ()
    refused: tuple[Refusal, ...] = ()
    warnings: tuple[str, ...] = ()
    ttl: float | None = None


async def all_pages(fetch: FetchPage, key: str) -> tuple[list[object], list[str], float | None]:
    """Every member of a paged list, what was odd about it, and how long it holds.

    Raises:
        NotAList: A page has no list under `key`.
    """
    members: list[object] = []
    warnings: list[str] = []
    seen: set[str] = set()
    ttl: float | None = None
    cursor: str | None = None
    while True:
        page = await fetch(cursor)
        listed = page.get(key)
        if not isinstance(listed, list):
            raise NotAList(f"its answer has no list of {key}")
        members.extend(cast("list[object]", listed))
        ttl = _shorter(ttl, page.get("ttlMs"))
        following = page.get("nextCursor")
        if not isinstance(following, str):
            break
        if following in seen:
            warnings.append("its list repeats a cursor; stopped there")
            break
        if len(seen) >= PAGES or len(members) >= TOOLS:
            warnings.append(f"its list does not end; stopped after {len(members)} members")
            break
        seen.add(following)
        cursor = following
    return members, warnings, ttl


def _shorter(known: float | None, ttl_ms: object) -> float | None:
    if not isinstance(ttl_ms, int | float) or isinstance(ttl_ms, bool):
        return known
    seconds = max(0.0, min(ttl_ms / 1000, 86_400.0))
    return seconds if known is None else min(known, seconds)


async def list_all(server: str, fetch: FetchPage) -> Listing:
    """The tools of `server`.

    Raises:
        NotAList: The server does not answer with a list.
    """
    members, warnings, ttl = await all_pages(fetch, "tools")
    tools: dict[str, ToolSpec] = {}
    refused: list[Refusal] = []
    for index, raw in enumerate(members):
        read = read_tool(server, index, raw)
        if isinstance(read, Refusal):
            refused.append(read)
        elif read.name in tools:
            if read != tools[read.name]:
                refused.append(
                    Refusal(ToolRef(server, read.name), "/name", "a second tool of this name; the first is served")
                )
            else:
                warnings.append(f"its list has the tool '{read.name}' twice")
        else:
            tools[read.name] = read
    return Listing(tuple(tools.values()), tuple(refused), tuple(warnings), ttl)
