"""Objects that are closed in a roundabout way, written as closed objects where that is exact."""

from __future__ import annotations

from collections.abc import Callable

from toolgraft.schema.language.keywords import is_object
from toolgraft.schema.language.pointers import Node

_BESIDE = frozenset({"anyOf", "oneOf", "allOf", "$ref", "if", "dependentSchemas", "not"})
"""Keywords that may say more of an object's members, without declaring them."""

_MOST_NAMES = 50
"""Most names that are written out as members."""


def closed(node: Node, target: Callable[[Node], Node | None]) -> Node:
    """Give an object with `additionalProperties` and declared members for what other keywords say; new, or as given.

    Args:
        node: A normal schema.
        target: Gives what a reference stands for, or None where that cannot be told yet.
    """
    if "unevaluatedProperties" in node and _BESIDE.isdisjoint(node):
        rest = {key: value for key, value in node.items() if key != "unevaluatedProperties"}
        node = {"additionalProperties": node["unevaluatedProperties"], **rest}
    if "propertyNames" in node and (record := _record(node, target)) is not None:
        return record
    return node


def _record(node: Node, target: Callable[[Node], Node | None]) -> Node | None:
    """A map with fixed names, as the members that it may have."""
    value = node.get("additionalProperties")
    if not value or not is_object(value) or "patternProperties" in node or "properties" in node:
        return None
    found = node["propertyNames"]
    names = target(found) if "$ref" in found else found
    if names is None or not names.keys() <= {"type", "enum", "title", "description"} or "enum" not in names:
        return None
    allowed = [name for name in names["enum"] if isinstance(name, str)]
    if len(allowed) > _MOST_NAMES or not frozenset(node.get("required", ())) <= frozenset(allowed):
        return None
    rest = {key: each for key, each in node.items() if key not in ("propertyNames", "additionalProperties")}
    return {**rest, "properties": dict.fromkeys(allowed, value), "additionalProperties": False}
