"""The names of a tool's arguments, by their paths, in a schema and in a request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

Node = dict[str, Any]
Path = tuple[str, ...]

MOST: Final = 5_000
"""Paths that are looked at in one schema: references can fan out to millions."""

_ONE: Final = ("items", "additionalProperties")
_LISTED: Final = ("anyOf", "oneOf", "allOf", "prefixItems", "any_of")
_HOLDS_SCHEMA: Final = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema")


def paths(schema: Node) -> set[Path]:
    """Give the path of each argument and of each member of it; a definition is not entered within itself."""
    found: set[Path] = set()
    for path in _paths(schema, schema.get("$defs", {}), (), ()):
        found.add(path)
        if len(found) >= MOST:
            break
    return found


def _paths(node: Any, defs: Node, at: Path, within: tuple[str, ...]) -> Iterator[Path]:
    if not isinstance(node, dict):
        return
    schema = cast(Node, node)
    reference = schema.get("$ref")
    if isinstance(reference, str):
        name = reference.rpartition("/")[2]
        if name not in within:
            yield from _paths(defs.get(name), defs, at, (*within, name))
    for name, member in cast(Node, schema.get("properties") or {}).items():
        yield (*at, name)
        yield from _paths(member, defs, (*at, name), within)
    for key in _ONE:
        yield from _paths(schema.get(key), defs, at, within)
    for key in _LISTED:
        for each in schema.get(key) or ():
            yield from _paths(each, defs, at, within)


def tool_sent(request: Node) -> Node:
    """Give what a request has of its only tool, in whichever API."""
    return request.get("tools") or request.get("toolConfig") or {}


def schema_sent(tool: Any) -> Node:
    """Give the schema of the arguments in what a request has of a tool; an empty one where there is none."""
    if isinstance(tool, list):
        return next((found for each in cast("list[Any]", tool) if (found := schema_sent(each))), {})
    if not isinstance(tool, dict):
        return {}
    node = cast(Node, tool)
    for key in _HOLDS_SCHEMA:
        if isinstance(node.get(key), dict):
            return node[key].get("json", node[key])
    return next((found for each in node.values() if (found := schema_sent(each))), {})
