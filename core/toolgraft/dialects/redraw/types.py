"""Several types, null among them, as alternatives of one type each: a list of types raises in Google's converters."""

from __future__ import annotations

from typing import Any, Final

from toolgraft.dialects.redraw.walk import apart
from toolgraft.schema import Node
from toolgraft.schema.language.keywords import ANY_TYPE, CONSTRAINING, CONSTRAINTS, admits, types_in

_CHOOSES: Final = ("anyOf", "oneOf", "$ref")


def one_type_each(node: Node) -> Node:
    """Give a schema of several types as alternatives of one type each."""
    if not isinstance(node.get("type"), list):
        return node
    said, rest = apart(node)
    kinds = types_in(rest)
    del rest["type"]
    if any(key in rest for key in _CHOOSES):  # what it chooses from says the types itself
        return {**said, **rest}
    branches = [branch for kind in kinds if (branch := _of_type(kind, rest)) is not None]
    if len(branches) == 1:
        return {**said, **branches[0]}
    return {**said, "anyOf": branches}


def _of_type(kind: str, rest: Node) -> Node | None:
    about = CONSTRAINTS[kind] | ANY_TYPE
    out: Node = {"type": kind, **{key: value for key, value in rest.items() if key in about}}
    if "enum" not in rest and "const" not in rest:
        return out
    values: list[Any] = rest["enum"] if "enum" in rest else [rest["const"]]
    kept = [each for each in values if admits((kind,), each)]
    if not kept:
        return None
    return out if kind == "null" else {**out, "enum": kept}


def any_value(node: Node) -> Node:
    """Give a schema that takes anything as alternatives of every type; Google's converters make it a string."""
    if not _SAYS_WHAT.isdisjoint(node):
        return node
    return {**node, "anyOf": [{"type": kind} for kind in ("string", "number", "boolean")] + [_ANY_OBJECT, _ANY_ARRAY]}


_SAYS_WHAT: Final = CONSTRAINING | {"properties", "items", "$defs"}
_ANY_OBJECT: Final[Node] = {"type": "object", "additionalProperties": True}
_ANY_ARRAY: Final[Node] = {"type": "array", "items": {"type": "string"}}
