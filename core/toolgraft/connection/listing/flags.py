"""What a server hides in a tool: characters that nobody sees in its texts and schemas, names in mixed scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from toolgraft.content.hidden import hidden_in
from toolgraft.content.look_alikes import scripts_in
from toolgraft.schema.language.pointers import Path, pointer
from toolgraft.spec import Flag

MOST: Final = 20
"""Flags that are kept of one tool."""

_TEXTS: Final = ("description", "title")
_TREES: Final = ("inputSchema", "outputSchema")


def flags_of_name(name: str) -> tuple[Flag, ...]:
    """What a person should know of a tool's name, though it can be seen."""
    scripts = scripts_in(name)
    return (Flag("/name", f"letters of several scripts: {', '.join(scripts)}"),) if scripts else ()


def flags_of(tool: Mapping[str, Any]) -> tuple[Flag, ...]:
    """What nobody sees of a tool, the first `MOST` of it. It is within the limits, so that this ends."""
    found: list[Flag] = []
    for flag in _flags(tool):
        if len(found) == MOST:
            return (*found, Flag("", f"more of the same; {MOST} are told"))
        found.append(flag)
    return tuple(found)


def _flags(tool: Mapping[str, Any]) -> Iterator[Flag]:
    roots: list[tuple[Path, object]] = [(("", key), tool.get(key)) for key in _TEXTS]
    annotations = tool.get("annotations")
    if isinstance(annotations, dict):
        roots.append((("/annotations", "title"), cast("dict[str, Any]", annotations).get("title")))
    roots += [(("", key), tool.get(key)) for key in _TREES]
    if hidden := hidden_in(tool["name"]):
        yield Flag("/name", _said(hidden))
    for path, root in roots:
        yield from _hidden(path, root)


def _hidden(path: Path, root: object) -> Iterator[Flag]:
    """Every text in a value that holds what nobody sees."""
    waiting: list[tuple[Path, object]] = [(path, root)]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, str):
            if hidden := hidden_in(value):
                yield Flag(pointer(at), _said(hidden))
        elif isinstance(value, list):
            members = cast("list[object]", value)
            waiting += [((at, place), each) for place, each in enumerate(members)][::-1]
        elif isinstance(value, dict):
            named = cast("dict[str, object]", value)
            for key in named:
                if hidden := hidden_in(key):
                    yield Flag(pointer((at, key)), _said(hidden))
            waiting += [((at, key), each) for key, each in named.items()][::-1]


def _said(hidden: str) -> str:
    return f"characters that nobody sees: {hidden}"
