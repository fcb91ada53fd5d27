"""Whether an object takes members that it does not declare, by what its author said or shows."""

from __future__ import annotations

from typing import Any, Final

from toolgraft.schema.language.keywords import ANNOTATIONS, is_list, is_object
from toolgraft.schema.language.pointers import Node

_SAYS_NOTHING: Final = ANNOTATIONS | {"type", "properties", "required"}


def takes_no_arguments(root: Node) -> bool:
    """Whether a root declares no arguments, and nothing in it asks for any or shows any."""
    if not root.keys() <= _SAYS_NOTHING or root.get("properties") or root.get("required"):
        return False
    examples: Any = root.get("examples")
    shown = [root.get("default"), root.get("example"), *(examples if is_list(examples) else ())]
    return not any(is_object(each) and each for each in shown)


def is_open(node: Node, *, root: bool) -> bool:
    """Whether an object takes members that it does not declare.

    Declared members and nothing said of others means closed, as does a root without arguments; elsewhere an object
    that declares nothing is a free one. An object that asks for members it does not declare takes them.
    """
    if says_open(node):
        return True
    if False in (node.get("additionalProperties"), node.get("unevaluatedProperties")):
        return False
    declared = node.get("properties")
    if not declared:
        return not root or not takes_no_arguments(node)
    return not _COUNTING.isdisjoint(node) and _asks_for_more(node, declared)


def says_open(node: Node) -> bool:
    """Whether an object says that it takes members it does not declare."""
    if "patternProperties" in node or node.get("additionalProperties", False) is not False:
        return True
    return node.get("unevaluatedProperties", False) is not False and "additionalProperties" not in node


def _asks_for_more(node: Node, declared: Node) -> bool:
    """Whether an object speaks of members that it does not declare, or wants more than it declares."""
    if node.get("minProperties", 0) > len(declared):
        return True
    dependent: dict[str, list[str]] = node.get("dependentRequired", {})
    return any(name not in declared for trigger, needed in dependent.items() for name in (trigger, *needed))


_COUNTING: Final = frozenset({"minProperties", "dependentRequired"})
