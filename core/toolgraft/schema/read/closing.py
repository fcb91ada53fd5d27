"""Objects and arrays that are closed in a roundabout way, written as plainly closed ones where that is exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from toolgraft.schema.language.keywords import ANNOTATIONS, types_in
from toolgraft.schema.language.pointers import Node
from toolgraft.schema.read.merge import IMPOSSIBLE

_Target = Callable[[Node], "Node | None"]

UNEVALUATED: Final[Mapping[str, str]] = {
    "unevaluatedProperties": "additionalProperties",
    "unevaluatedItems": "items",
}
"""Keywords that speak of what no other keyword took, and those that say the same where nothing else takes any."""

CLOSING: Final = frozenset({*UNEVALUATED, "propertyNames", "maxProperties"})
"""Keywords that may close an object or an array; a node without them is left as it is."""

_TAKING: Final = frozenset({"anyOf", "oneOf", "allOf", "$ref", "if"})
"""Keywords that may take members and items without declaring them (2020-12, core §11)."""

_ALSO_TAKING: Final[Mapping[str, frozenset[str]]] = {
    "unevaluatedProperties": _TAKING | {"dependentSchemas"},
    "unevaluatedItems": _TAKING | {"contains"},
}

_MOST_NAMES: Final = 50
"""Most names that are written out as members."""

_MOST_HOPS: Final = 20
"""Most references and alternatives, one in the other, that are followed to find names."""


def closed(node: Node, target: _Target, *, looked_into: bool) -> Node:
    """Give an object or array with plain keywords for what others say in a roundabout way; new, or as given.

    Args:
        node: A normal schema.
        target: Gives what a reference stands for, or None where that cannot be told yet.
        looked_into: Whether a schema around this one may speak of members that this one does not declare.
    """
    for keyword, plain in UNEVALUATED.items():
        if keyword in node and (plain in node or _ALSO_TAKING[keyword].isdisjoint(node)):
            rest = {key: value for key, value in node.items() if key != keyword}
            node = {plain: node[keyword], **rest}
    if node.get("maxProperties") == 0 and "object" in types_in(node) and not node.get("required"):
        return {**_without(node, _MEMBERS), "properties": {}, "additionalProperties": False}
    if "propertyNames" not in node or (looked_into and "additionalProperties" not in node):
        return node
    return _record(node, target)


def _record(node: Node, target: _Target) -> Node:
    """A map with fixed names, as the members that it may have."""
    if "patternProperties" in node or "unevaluatedProperties" in node:
        return node
    allowed = fixed_names(node["propertyNames"], target)
    if allowed is None or len(allowed) > _MOST_NAMES or not frozenset(node.get("required", ())) <= frozenset(allowed):
        return node
    declared, others = node.get("properties", {}), node.get("additionalProperties", {})
    members = {name: declared.get(name, others) for name in allowed if name in declared or others is not False}
    rest = _without(node, {"propertyNames", "additionalProperties"})
    return {**rest, "properties": members, "additionalProperties": False}


def fixed_names(names: Node, target: _Target, hops: int = 0) -> list[str] | None:
    """The only strings that a schema takes; None where it takes others, or that cannot be told."""
    if hops > _MOST_HOPS:
        return None
    if "$ref" in names:
        there = target(names)
        return None if there is None else fixed_names(there, target, hops + 1)
    if names == IMPOSSIBLE:
        return []
    said = _without(names, ANNOTATIONS | {"type"})
    if len(said) != 1:
        return None
    [(keyword, held)] = said.items()
    if types_in(names) and "string" not in types_in(names):
        return []
    if keyword in ("enum", "const"):
        return [each for each in (held if keyword == "enum" else [held]) if isinstance(each, str)]
    return _alternatives(held, target, hops, exclusive=keyword == "oneOf") if keyword in ("anyOf", "oneOf") else None


def _alternatives(branches: list[Node], target: _Target, hops: int, *, exclusive: bool) -> list[str] | None:
    taken: list[str] = []
    for branch in branches:
        names = fixed_names(branch, target, hops + 1)
        if names is None or len(taken) > _MOST_NAMES:
            return None
        taken += dict.fromkeys(names)
    return [name for name in dict.fromkeys(taken) if not exclusive or taken.count(name) == 1]


def _without(node: Node, keywords: Any) -> Node:
    return {key: value for key, value in node.items() if key not in keywords}


_MEMBERS: Final = frozenset(
    {"properties", "additionalProperties", "patternProperties", "propertyNames", "unevaluatedProperties"}
)
