"""A schema without what is not checked, never narrower for it.

Where a keyword is left out, the node takes more. Below `not`, `if` and `oneOf` taking more would refuse more, and so
it would beside a closed `patternProperties`; what stands there is left out too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, cast

from toolgraft.schema.language.keywords import is_list, is_object
from toolgraft.schema.language.pointers import Node, unescaped

LeftOut: TypeAlias = Callable[[str, Any], bool]
"""Whether a keyword with this value is left out; also asked of `pattern` for each name of `patternProperties`."""

_LITERAL = frozenset({"enum", "const", "default", "examples", "example", "required", "dependentRequired"})
_NAMED = ("properties", "patternProperties", "dependentSchemas", "$defs")


def relaxed(schema: Node, left_out: LeftOut) -> Node:
    """Give a normal schema without some keywords; the given one where it has none of them, never changed.

    Args:
        schema: A normal schema with its `$defs`.
        left_out: Tells which.
    """
    return _relaxed(schema, left_out, drop=True)


def made_room_for(schema: Node, left_out: LeftOut) -> Node:
    """Give a normal schema in which some keywords may be left out later without refusing more; see `relaxed`."""
    return _relaxed(schema, left_out, drop=False)


def _relaxed(schema: Node, left_out: LeftOut, *, drop: bool) -> Node:
    wider = _wider(schema, schema.get("$defs", {}), left_out)
    return _Relaxing(left_out, wider, drop).node(schema)[0] if wider else schema


def _wider(schema: Node, defs: Mapping[str, Node], left_out: LeftOut) -> frozenset[str]:
    """Names of definitions that take more than before; with an empty name where any other node does."""
    root = {key: value for key, value in schema.items() if key != "$defs"}
    places = (*defs.items(), ("", root))
    found = {name for name, node in places if any(_leaves(each, left_out) for each in _nodes(node))}
    if not found:
        return frozenset()
    refers = {
        name: {unescaped(each["$ref"][8:]) for each in _nodes(node) if isinstance(each.get("$ref"), str)}
        for name, node in defs.items()
    }
    while more := {name for name, targets in refers.items() if name not in found and targets & found}:
        found |= more
    return frozenset({*found, ""})


def _leaves(node: Node, left_out: LeftOut) -> bool:
    if any(left_out(key, value) for key, value in node.items()):
        return True
    return any(left_out("pattern", name) for name in node.get("patternProperties", ()))


def _nodes(node: Node) -> Iterator[Node]:
    """All schemas in a schema."""
    waiting: list[Any] = [node]
    while waiting:
        one = waiting.pop()
        if is_list(one):
            waiting += [each for each in one if isinstance(each, dict)]
        elif is_object(one):
            yield one
            for key, value in one.items():
                if key in _NAMED and is_object(value):
                    waiting += [each for each in value.values() if isinstance(each, dict)]
                elif key not in _LITERAL and isinstance(value, dict | list):
                    waiting.append(value)


class _Relaxing:
    def __init__(self, left_out: LeftOut, wider: frozenset[str], drop: bool) -> None:
        self.left_out = left_out
        self.wider = wider
        self.drop = drop

    def node(self, node: Any) -> tuple[Any, bool]:
        """A node, and whether it takes more than before."""
        if not is_object(node):
            return node, False
        out: Node = {}
        wide: set[str] = set()  # keywords whose value takes more
        if isinstance(node.get("$ref"), str) and unescaped(node["$ref"][8:]) in self.wider:
            wide.add("$ref")
        for key, value in node.items():
            if self.left_out(key, value):
                wide.add(key)
                if self.drop:
                    continue
            out[key], more = self.value(key, value)
            if more and key != "$defs":
                wide.add(key)
        if not all(map(self.keeps, node.get("patternProperties", ()))):
            for key in ("additionalProperties", "unevaluatedProperties"):
                out.pop(key, None)
        return (_opened(out, wide) if wide else out), bool(wide)

    def value(self, key: str, value: Any) -> tuple[Any, bool]:
        if key in _NAMED and is_object(value):
            found = {name: self.node(each) for name, each in value.items()}
            kept = [name for name in found if key != "patternProperties" or self.keeps(name)]
            more = len(kept) < len(found) or any(wide for _, wide in found.values())
            return {name: found[name][0] for name in kept}, more
        if key in _LITERAL:
            return value, False
        if is_list(value):
            pairs = [self.node(each) for each in value]
            return [each for each, _ in pairs], any(wide for _, wide in pairs)
        return self.node(value)

    def keeps(self, pattern: str) -> bool:
        return not (self.drop and self.left_out("pattern", pattern))


def _opened(out: Node, wide: set[str]) -> Node:
    """Leave out what would refuse more, now that something inside takes more."""
    if "not" in wide:
        out.pop("not", None)
    if "if" in wide:
        for key in ("if", "then", "else"):
            out.pop(key, None)
    if "contains" in wide:
        out.pop("maxContains", None)
    if "oneOf" in wide and "oneOf" in out:
        alternatives: Node = {"anyOf": out.pop("oneOf")}
        if "anyOf" in out:
            return {**out, "allOf": [*cast("list[Any]", out.get("allOf", [])), alternatives]}
        return {**out, **alternatives}
    return out
