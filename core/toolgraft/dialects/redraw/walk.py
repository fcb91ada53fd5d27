"""The walk through a finished form: every schema in it, from the inside out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias, cast

from toolgraft.schema import Node
from toolgraft.schema.language.keywords import BY_NAME, HOLDING_ONE, LISTED

Change: TypeAlias = Callable[[Node], Node]
"""Gives a schema in place of one whose own members were changed already; the one given may be kept or changed."""

_NESTING: Final = BY_NAME | LISTED | HOLDING_ONE


def each_schema(node: Node, change: Change) -> Node:
    """Give a copy of a schema in which `change` was asked for each schema in it, and last for itself."""
    if _NESTING.isdisjoint(node):
        return change(dict(node))
    return change(inside(node, lambda inner: each_schema(inner, change)))


def from_outside(node: Node, change: Change) -> Node:
    """Give a copy of a schema in which `change` was asked for itself first, and then for what it has left inside."""
    return inside(change(node), lambda inner: from_outside(inner, change))


def inside(node: Node, change: Change) -> Node:
    """Give a copy of a schema in which `change` was asked for the schemas right inside it."""
    out: Node = {}
    for key, value in node.items():
        if key in HOLDING_ONE:
            out[key] = _changed(value, change)
        elif key in LISTED:
            out[key] = [_changed(each, change) for each in value]
        elif key in BY_NAME:
            out[key] = {name: _changed(each, change) for name, each in value.items()}
        else:
            out[key] = value
    return out


def schemas_in(node: Node) -> Iterator[Node]:
    """Every schema in a schema, and it first."""
    yield node
    for key, value in node.items():
        held: list[Any] = []
        if key in HOLDING_ONE:
            held = [value]
        elif key in LISTED or key in BY_NAME:
            held = list(value if key in LISTED else value.values())
        for each in held:
            if isinstance(each, dict):
                yield from schemas_in(cast(Node, each))


def _changed(value: Any, change: Change) -> Any:
    return change(cast(Node, value)) if isinstance(value, dict) else value


def apart(node: Node) -> tuple[Node, Node]:
    """Take a schema apart into what it says (description, title, default) and what it takes."""
    said: Node = {key: node[key] for key in _SAYS if key in node}
    return said, {key: value for key, value in node.items() if key not in said}


_SAYS: Final = ("description", "title", "default", "examples", "deprecated")
