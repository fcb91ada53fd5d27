"""The names of a tool's arguments, by their paths, in a schema and in a request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, cast

Node = dict[str, Any]
Path = tuple[str, ...]

_NONE: Final[Node] = {}

MOST: Final = 5_000
"""Paths that are looked at in one schema: references can fan out to millions."""

ALL: Final = frozenset(
    {"properties", "items", "additionalProperties", "anyOf", "oneOf", "allOf", "any_of", "prefixItems"}
)
"""Keywords below which there are members."""

_HOLDS_SCHEMA: Final = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema")


def paths(
    schema: Node, argument: frozenset[str] = ALL, within: frozenset[str] = ALL, root: frozenset[str] = ALL
) -> set[Path]:
    """Give the path of each argument and of each member of it; a definition is not entered within itself.

    Args:
        schema: Of a tool's arguments.
        argument: Keywords that are looked below in an argument.
        within: Keywords that are looked below further in.
        root: Keywords that are looked below at the root.
    """
    found: set[Path] = set()
    for path in _Names(schema.get("$defs", {}), (root, argument, within)).of(schema, (), ()):
        found.add(path)
        if len(found) >= MOST:
            break
    return found


@dataclass(frozen=True)
class _Names:
    defs: Node
    keywords: tuple[frozenset[str], ...]

    def of(self, node: Any, at: Path, entered: tuple[str, ...]) -> Iterator[Path]:
        if not isinstance(node, dict):
            return
        schema = cast(Node, node)
        reference = schema.get("$ref")
        name = reference.rpartition("/")[2] if isinstance(reference, str) else None
        if name is not None and name not in entered:
            yield from self.of(self.defs.get(name), at, (*entered, name))
        for key in self.keywords[min(len(at), 2)] & schema.keys():
            below: Any = schema[key]
            if key == "properties":
                for member, each in cast(Node, below or {}).items():
                    yield (*at, member)
                    yield from self.of(each, (*at, member), entered)
            else:
                for each in cast("list[Any]", below if isinstance(below, list) else [below]):
                    yield from self.of(each, at, entered)


def text_of(value: Any) -> str:
    """Give all texts of a JSON value, names of members among them."""
    if isinstance(value, dict):
        return "\n".join(f"{name}\n{text_of(each)}" for name, each in cast(Node, value).items())
    if isinstance(value, list):
        return "\n".join(map(text_of, cast("list[Any]", value)))
    return value if isinstance(value, str) else json.dumps(value)


def tool_sent(request: Node) -> Node:
    """Give what a request has of its only tool, in whichever API."""
    return request.get("tools") or request.get("toolConfig") or {}


def schema_sent(tool: Any) -> Node:
    """Give the schema of the arguments in what a request has of a tool; an empty one where there is none."""
    if isinstance(tool, list):
        return next((found for each in cast("list[Any]", tool) if (found := schema_sent(each))), _NONE)
    if not isinstance(tool, dict):
        return _NONE
    node = cast(Node, tool)
    for key in _HOLDS_SCHEMA:
        if isinstance(node.get(key), dict):
            return node[key].get("json", node[key])
    return next((found for each in node.values() if (found := schema_sent(each))), _NONE)
