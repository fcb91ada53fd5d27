"""Which arguments a schema declares, and the schema without those that the application gives itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from toolgraft.errors import SchemaError
from toolgraft.schema.language.pointers import Node
from toolgraft.schema.read.normal import normalise


def without(input_schema: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Give the schema without some of its arguments.

    What the application gives itself (a user id, a tenant) disappears from `properties` and `required`, also in
    the alternatives of a root union; the application adds it to the arguments on the wire. The input is not
    changed.

    Args:
        input_schema: JSON Schema of the arguments.
        names: Names of the arguments to take out.

    Raises:
        SchemaError: A name is not one of the schema's arguments.
    """
    hidden = frozenset(names)
    whole = dict(input_schema)
    if not hidden <= _declared(whole):  # they may stand behind a reference
        normal = normalise(input_schema)
        whole = {**normal.root, "$defs": normal.defs} if normal.defs else normal.root
    known = _declared(whole)
    for name in sorted(hidden - known):
        listed = ", ".join(sorted(known)[:20]) or "none"
        raise SchemaError(f"bound argument '{name}' is not an argument of this tool (its arguments: {listed})")
    return _stripped(whole, hidden, 0)


def arguments_of(input_schema: Mapping[str, Any]) -> frozenset[str]:
    """Give the names of a schema's arguments, also of those behind references, in alternatives and conditions."""
    whole = dict(input_schema)
    try:
        normal = normalise(input_schema).root
    except SchemaError:  # the tool is refused where it is converted
        return _declared(whole)
    return _declared(whole) | _declared(normal)


_IN_PLACE = ("allOf", "anyOf", "oneOf")
_CONDITIONAL = ("if", "then", "else", "not")
_BRANCHES = ("if", "then", "else")


def _declared(node: Node, depth: int = 0) -> frozenset[str]:
    """Arguments that a schema declares, in itself or in what also applies."""
    properties, found = node.get("properties"), frozenset[str]()
    if isinstance(properties, dict):
        found |= frozenset(cast(Node, properties))
    if depth >= 20:
        return found
    lists: list[object] = [node.get(keyword) for keyword in _IN_PLACE]
    parts = [part for each in lists if isinstance(each, list) for part in cast(list[object], each)]
    for part in (*parts, *(node.get(keyword) for keyword in _BRANCHES)):
        found |= _declared(cast(Node, part), depth + 1) if isinstance(part, dict) else frozenset()
    return found


def _stripped(node: Node, hidden: frozenset[str], depth: int) -> Node:
    out = dict(node)
    if isinstance(properties := node.get("properties"), dict):
        out["properties"] = {name: each for name, each in cast(Node, properties).items() if name not in hidden}
    if "required" in node:
        out["required"] = _other_than(hidden, node["required"])
    if isinstance(dependent := node.get("dependentRequired"), dict):
        out["dependentRequired"] = {
            name: _other_than(hidden, needed) for name, needed in cast(Node, dependent).items() if name not in hidden
        }
    for keyword in _IN_PLACE if depth < 20 else ():
        if isinstance(parts := node.get(keyword), list):
            out[keyword] = [_part(part, hidden, depth) for part in cast(list[Any], parts)]
    for keyword in _CONDITIONAL if depth < 20 else ():
        if keyword in node:
            out[keyword] = _part(node[keyword], hidden, depth)
    return out


def _other_than(hidden: frozenset[str], names: Any) -> Any:
    """A list of names without the hidden ones; what is no such list is left to the reading of the schema."""
    if not isinstance(names, list):
        return names
    return [name for name in cast(list[Any], names) if not isinstance(name, str) or name not in hidden]


def _part(part: Any, hidden: frozenset[str], depth: int) -> Any:
    return _stripped(cast(Node, part), hidden, depth + 1) if isinstance(part, dict) else part
