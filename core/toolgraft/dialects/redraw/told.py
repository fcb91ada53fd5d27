"""Constraints in words, for providers whose schemas have no place for them."""

from __future__ import annotations

from collections.abc import Callable

from toolgraft.schema import Node
from toolgraft.schema.language import prose
from toolgraft.schema.language.keywords import is_object


def telling(*keywords: str) -> Callable[[Node], Node]:
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
    if not others:
        return {**node, "additionalProperties": True}
    told = f"Other members, each: {prose.text_of(others)}"
    return {**node, "additionalProperties": True, "description": prose.said(node.get("description", ""), [told])}


def items_told(node: Node) -> Node:
    """Tell the items of what its server calls an object by mistake: they say nothing there, and Google's drop them."""
    items = node.get("items")
    if node.get("type") != "object" or not is_object(items) or not items:
        return node
    kept = {key: value for key, value in node.items() if key != "items"}
    return {**kept, "description": prose.said(kept.get("description", ""), [f"Items, each: {prose.text_of(items)}"])}
