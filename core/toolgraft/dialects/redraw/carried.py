"""Members in the shape in which Google's converters carry all of them.

`langchain-google-genai` reads the schema of a member twice. Where the member is a choice without null, each alternative
is carried whole. Anywhere else the member is reduced to one type: of `anyOf: [A, B, null]` only B is left, of an array
only items of one type, an object without members becomes a string, and all members of an object are required. With the
null one `anyOf` further in, the schema takes the same values, and is carried.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final, TypeGuard

from toolgraft.dialects.redraw.walk import Change, apart
from toolgraft.schema import Node

_MOST_STEPS: Final = 20
"""References that are followed one after the other."""

_REF: Final = "#/$defs/"

_BARE: Final = ("string", "integer", "number", "boolean")


def carried(root: Node) -> Change:
    """Make the change for the schemas of one tool; `root` has their definitions."""
    return partial(_members_carried, root.get("$defs", {}))


def _members_carried(defs: Node, node: Node) -> Node:
    members: Any = node.get("properties")
    if not members:
        return node
    return {**node, "properties": {name: _carried(member, defs) for name, member in members.items()}}


def _carried(member: Any, defs: Node) -> Any:
    if not _is_node(member) or (member.get("type") in _BARE and "anyOf" not in member) or _is_whole(member, defs):
        return member
    said, rest = apart(member)
    choice = rest.get("anyOf", ())
    others = [each for each in choice if each.get("type") != "null"]
    if len(others) > 1 and "type" in others[0]:  # first and in sight: the type that `langchain-cohere` takes for all
        return {**said, "anyOf": [others[0], {"anyOf": [each for each in choice if each is not others[0]]}]}
    return {**said, "anyOf": [rest]}


def _is_whole(member: Node, defs: Node) -> bool:
    """Whether nothing of a member is lost when it is reduced to one type."""
    member = _target(member, defs)
    choice = member.get("anyOf")
    if choice is None:
        return _is_one_type(member, defs)
    branches = [_target(each, defs) for each in choice]
    others = [each for each in branches if each.get("type") != "null"]
    if len(others) == len(branches):
        return True
    return len(others) == 1 and "anyOf" not in others[0] and "type" in others[0] and _is_one_type(others[0], defs)


def _is_one_type(member: Node, defs: Node) -> bool:
    match member.get("type"):
        case "object":
            members: Node = member.get("properties", {})
            needed = member.get("required", ())
            asked = all(name in needed or _has_default(each) for name, each in members.items())
            return asked if members else bool(member.get("additionalProperties"))
        case "array":
            return _are_items_whole(_target(member.get("items", {}), defs), defs)
        case "null":
            return False
        case _:
            return True


def _has_default(member: Any) -> bool:
    return _is_node(member) and "default" in member


def _are_items_whole(items: Any, defs: Node) -> bool:
    if not _is_node(items):
        return True
    if "anyOf" not in items:
        return items.get("type") != "null"
    others = [each for branch in items["anyOf"] if (each := _target(branch, defs)).get("type") != "null"]
    return len(others) == 1 and others[0].get("type") in _BARE and "enum" not in others[0]


def _target(node: Any, defs: Node) -> Node:
    for _ in range(_MOST_STEPS):
        if not _is_node(node):
            return {}
        if "$ref" not in node:
            return node
        node = defs.get(str(node["$ref"]).removeprefix(_REF))
    return {}


def _is_node(value: Any) -> TypeGuard[Node]:
    return isinstance(value, dict)
