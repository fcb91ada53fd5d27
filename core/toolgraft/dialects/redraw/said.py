"""Descriptions where Google's converters carry them.

What is said of a choice with one alternative beside null is dropped where that alternative says something of itself,
and what is said beside an `allOf` always: in their place stands the alternative, or the first part.
"""

from __future__ import annotations

from typing import Final

from toolgraft.dialects.redraw.walk import schemas_in
from toolgraft.schema import Node
from toolgraft.schema.language import prose
from toolgraft.schema.language.members import member_names

_REF: Final = "#/$defs/"

_OF_ALL_PARTS: Final = ("allOf", "unevaluatedProperties", "unevaluatedItems")


def said_inside(node: Node) -> Node:
    """Give a schema with one alternative beside null that says itself all that is said of both."""
    if "anyOf" not in node or not node.get("description"):
        return node
    sole = _sole(node)
    if sole is None or not _says(sole, {}):
        return node
    bare = {key: value for key, value in node.items() if key != "description"}
    return _with_sole(bare, sole, _after(node["description"], sole))


def also_said(node: Node, told: str, defs: Node) -> Node:
    """Add a sentence to a description, where it arrives."""
    sole = _sole(node)
    if sole is not None and _says(sole, defs):
        return _with_sole(node, sole, also_said(sole, told, defs))
    own = node.get("description") or _target(node, defs).get("description", "")
    return {**node, "description": prose.said(str(own), [told])}


def parts_first(node: Node) -> Node:
    """Give a schema whose `allOf` begins with what stands beside it.

    What has such parts further in is told there instead: it would double at each level.
    """
    beside = {key: value for key, value in node.items() if key not in _OF_ALL_PARTS}
    if "allOf" not in node or not beside:
        return node
    if any("allOf" in each for each in schemas_in(beside)):
        names = prose.left_out(member_names(beside), str(beside.get("description", "")))
        told = prose.said(str(beside.get("description", "")), [prose.further_members(names)])
        beside = {**{key: beside[key] for key in ("type", "title") if key in beside}, "description": told}
    return {**node, "allOf": [beside, *node["allOf"]]}


def _sole(node: Node) -> Node | None:
    """The only alternative of a choice, beside null."""
    others = [each for each in node.get("anyOf", ()) if each.get("type") != "null"]
    return others[0] if len(others) == 1 else None


def _says(node: Node, defs: Node) -> bool:
    sole = _sole(node)
    return bool(node.get("description") or _target(node, defs).get("description")) or (
        sole is not None and _says(sole, defs)
    )


def _after(first: str, node: Node) -> Node:
    """A schema that says something else before what it says of itself."""
    if node.get("description"):
        return {**node, "description": prose.said(first, [node["description"]])}
    sole = _sole(node)
    return node if sole is None else _with_sole(node, sole, _after(first, sole))


def _with_sole(node: Node, sole: Node, other: Node) -> Node:
    return {**node, "anyOf": [other if each is sole else each for each in node["anyOf"]]}


def _target(node: Node, defs: Node) -> Node:
    target: Node = defs.get(str(node.get("$ref", "")).removeprefix(_REF), {})
    return target
