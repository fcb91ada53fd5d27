"""What has no place in a schema of some providers, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from toolgraft.schema import Node
from toolgraft.schema.language import prose
from toolgraft.schema.language.keywords import is_object
from toolgraft.schema.language.members import member_names

Tell = Callable[[Node], Node]
"""Tells something of a schema in its description; what is inside is as its server wrote it."""


def telling(*keywords: str) -> Tell:
    """Make the change that tells these keywords in the description, and leaves them out."""
    told = frozenset(keywords)

    def tell(node: Node) -> Node:
        if told.isdisjoint(node):
            return node
        notes = prose.notes(node, told)
        kept = {key: value for key, value in node.items() if key not in told}
        return {**kept, "description": prose.said(kept.get("description", ""), notes)} if notes else kept

    return tell


def maps_told(node: Node) -> Node:
    """Tell what the members of an open object are; that it is open stays, since an object without members needs it."""
    others = node.get("additionalProperties")
    if not is_object(others):
        return node
    return {**_with(node, [prose.note("additionalProperties", others)]), "additionalProperties": True}


def items_told(node: Node) -> Node:
    """Tell the items of what its server calls an object by mistake: they say nothing there, and Google's drop them."""
    items = node.get("items")
    if node.get("type") != "object" or not is_object(items) or not items:
        return node
    return _with({key: value for key, value in node.items() if key != "items"}, [prose.note("items", items)])


def members_told(defs: Node) -> Tell:
    """Make the change that tells keywords that some converters know nothing of, where there are members in them.

    The keywords stay, for the others.
    """

    def tell(node: Node) -> Node:
        if _UNKNOWN.keys().isdisjoint(node):
            return node
        told = [_told(key, node, defs) for key in node if key in _UNKNOWN and member_names({key: node[key]}, defs)]
        return _with(node, told) if told else node

    return tell


def _told(keyword: str, node: Node, defs: Node) -> str:
    if keyword == "allOf":
        return " ".join(f"Also: {prose.schema_text(each, defs=defs)}." for each in node["allOf"])
    return f"{_UNKNOWN[keyword]}: {prose.part_text(node, keyword, defs=defs)}."


def _with(node: Node, notes: list[Any]) -> Node:
    return {**node, "description": prose.said(node.get("description", ""), notes)}


_UNKNOWN: Final = {
    "additionalProperties": "Other members, each",
    "patternProperties": "Members by name pattern",
    "unevaluatedProperties": "Other members",
    "prefixItems": "The first items, in order",
    "unevaluatedItems": "Other items",
    "contains": "Holds an item that fits",
    "allOf": "Also",
    "dependentSchemas": "With these members, also",
    "if": "If it fits",
    "then": "then",
    "else": "else",
}
