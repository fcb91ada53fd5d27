"""The walk through a finished form: every schema in it, from the inside out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

from toolgraft.schema import Node

Change: TypeAlias = Callable[[Node], Node]
"""Gives a schema in place of one whose own members were changed already; the one given may be kept or changed."""

VALUES: Final = frozenset({"enum", "const", "default", "examples", "example"})
"""Keywords that hold values, not schemas."""

_NAMED: Final = frozenset({"properties", "$defs", "patternProperties", "dependentSchemas"})
_LISTED: Final = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_ONE: Final = frozenset(
    {"items", "additionalProperties", "not", "if", "then", "else", "propertyNames", "contains"}
    | {"unevaluatedProperties", "unevaluatedItems"}
)


def each_schema(node: Node, change: Change) -> Node:
    """Give a copy of a schema in which `change` was asked for each schema in it, and last for itself."""
    out: Node = {}
    for key, value in node.items():
        if key in _ONE and isinstance(value, dict):
            out[key] = each_schema(cast(Node, value), change)
        elif key in _LISTED:
            out[key] = [_changed(each, change) for each in value]
        elif key in _NAMED:
            out[key] = {name: _changed(each, change) for name, each in value.items()}
        else:
            out[key] = value
    return change(out)


def _changed(value: Any, change: Change) -> Any:
    return each_schema(cast(Node, value), change) if isinstance(value, dict) else value


def apart(node: Node) -> tuple[Node, Node]:
    """Take a schema apart into what it says (description, title, default) and what it takes."""
    said = {key: node[key] for key in _SAYS if key in node}
    return said, {key: value for key, value in node.items() if key not in said}


_SAYS: Final = ("description", "title", "default", "examples", "deprecated")
