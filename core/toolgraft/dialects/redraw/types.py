"""Several types, null among them, as alternatives of one type each: a list of types raises in Google's converters."""

from __future__ import annotations

from typing import Any, Final

from toolgraft.dialects.redraw.walk import apart
from toolgraft.schema import Node
from toolgraft.schema.language.keywords import ANY_TYPE, CONSTRAINING, CONSTRAINTS, admits, is_object, types_in

_MOST: Final = 2**63 - 1
_COUNTS: Final = frozenset({"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"})

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


def null_in_items(node: Node) -> Node:
    """Give an array of nulls as one of a choice of null alone: Vertex AI's converter raises at the type."""
    items = node.get("items")
    if items is None or (is_object(items) and items.get("type") != "null"):
        return node
    if not is_object(items):  # beside another type than an array it says nothing
        return {key: value for key, value in node.items() if key != "items"}
    return {**node, "items": {"anyOf": [items]}}


def null_alone(node: Node) -> Node:
    """Give null without a choice beside it, which says no more: there, too, the type raises."""
    if node.get("type") != "null" or "anyOf" not in node:
        return node
    return {key: value for key, value in node.items() if key != "anyOf"}


def null_in_definitions(root: Node) -> Node:
    """Give a form in which each definition of null is a choice of it, wherever it is put in place."""
    if all(each.get("type") != "null" for each in root["$defs"].values()):
        return root
    defs = {name: {"anyOf": [each]} if each.get("type") == "null" else each for name, each in root["$defs"].items()}
    return {**root, "$defs": defs}


def in_range(node: Node) -> Node:
    """Give a schema without counts that no value reaches: Vertex AI's converter raises at them."""
    if _COUNTS.isdisjoint(node):
        return node
    return {key: value for key, value in node.items() if key not in _COUNTS or value <= _MOST}


def any_value(node: Node) -> Node:
    """Give a schema that takes anything as alternatives of every type; Google's converters make it a string."""
    if not _SAYS_WHAT.isdisjoint(node):
        return node
    return {**node, "anyOf": [{"type": kind} for kind in ("string", "number", "boolean")] + [_ANY_OBJECT, _ANY_ARRAY]}


_SAYS_WHAT: Final = CONSTRAINING | {"properties", "items", "$defs"}
_ANY_OBJECT: Final[Node] = {"type": "object", "additionalProperties": True}
_ANY_ARRAY: Final[Node] = {"type": "array", "items": {"type": "string"}}
