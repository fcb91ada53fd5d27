"""The names of the members that a schema speaks of, and a schema without what is said of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from toolgraft.schema.language.keywords import BY_NAME, CONSTRAINTS, HOLDING_ONE, LISTED, is_list, is_object, types_in
from toolgraft.schema.language.pointers import Node

_NEVER: Node = {"not": {}}
"""What a member is that may never be given."""

_WORDS = frozenset(
    {"description", "title", "default", "examples", "example", "deprecated", "format", "pattern", "$comment"}
)


def member_names(node: Node, defs: Node | None = None) -> list[str]:
    """Give the names of members at every depth, each once, in order.

    Args:
        node: The schema.
        defs: What references in it point to, where that counts too.
    """
    found: dict[str, None] = {}
    waiting: list[Node] = [node]
    followed: set[str] = set()
    while waiting:
        schema = waiting.pop()
        names = schema.get("properties")
        if is_object(names) and _may_be("object", schema):
            found.update((name, None) for name, each in names.items() if each != _NEVER)
        waiting += [each for each in reversed(list(_held(schema))) if is_object(each)]
        link = str(schema.get("$ref", "")).rpartition("/")[2]
        if defs and link in defs and link not in followed:
            followed.add(link)
            waiting.append(defs[link])
    return [*found]


def definitions_used(node: Node, defs: Node) -> Node:
    """Give the definitions that a schema refers to, directly or by others."""
    found: Node = {}
    waiting = [node]
    while waiting:
        schema = waiting.pop()
        waiting += [each for each in _held(schema) if is_object(each)]
        link = str(schema.get("$ref", "")).rpartition("/")[2]
        if link in defs and link not in found:
            found[link] = defs[link]
            waiting.append(defs[link])
    return found


def without_words(node: Node) -> Node:
    """Give a schema without descriptions, examples and formats, at every depth."""
    out: Node = {}
    for key, value in node.items():
        if key in BY_NAME and is_object(value):
            out[key] = {name: _stripped(each) for name, each in value.items()}
        elif key in LISTED and is_list(value):
            out[key] = [_stripped(each) for each in value]
        elif key not in _WORDS:
            out[key] = _stripped(value) if key in HOLDING_ONE else value
    return out


def _stripped(value: Any) -> Any:
    return without_words(value) if is_object(value) else value


def _may_be(kind: str, node: Node) -> bool:
    return not types_in(node) or kind in types_in(node)


def _held(node: Node) -> Iterator[Any]:
    """The schemas right inside a schema, but for those that hold no value of its types, or say what is refused."""
    kinds = types_in(node)
    for key, value in node.items():
        if kinds and any(key in CONSTRAINTS[kind] and kind not in kinds for kind in ("object", "array")):
            continue
        if key in BY_NAME and is_object(value):
            yield from value.values()
        elif key in LISTED and is_list(value):
            yield from cast(Iterable[Any], value)
        elif key in HOLDING_ONE and key not in ("not", "propertyNames"):
            yield value
