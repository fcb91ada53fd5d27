"""The intersection of schemas as one schema, wherever that is exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import lcm
from typing import Any, cast

from toolgraft.schema.language.keywords import ANNOTATIONS, ANY_TYPE, CONSTRAINING, admits, same, types_in
from toolgraft.schema.language.pointers import Node

LookUp = Callable[[Node], "Node | None"]
"""Gives what a reference stands for, or None where that cannot be told yet."""

IMPOSSIBLE: Node = {"not": {}}
"""The schema that takes nothing."""


class _NoMergeError(Exception):
    """The intersection cannot be written as one schema."""


def intersect(parts: Sequence[Node], look_up: LookUp) -> Node | None:
    """Merge schemas into one that takes exactly what all of them take.

    Constraints that cannot be written as one (two patterns, two `not`s) stay in an `allOf` of nodes that have
    constraints only. Of annotations, the last one wins.

    Returns:
        A new schema, or None where there is none; the parts are not changed.
    """
    merger = _Merger(look_up)
    try:
        merged: Node = {}
        for part in parts:
            merged = merger.two(merged, part)
    except _NoMergeError:
        return None
    return merged


def followed(node: Node, look_up: LookUp) -> Node | None:
    """What a reference stands for, under what is said beside it; None where that cannot be told yet."""
    try:
        return _Merger(look_up).followed(node)
    except _NoMergeError:
        return None


class _Merger:
    def __init__(self, look_up: LookUp) -> None:
        self.look_up = look_up
        self.left = 2_000

    def two(self, a: Node, b: Node, depth: int = 0) -> Node:
        self.left -= 1
        if self.left < 0 or depth > 40:
            raise _NoMergeError
        if a.get("$ref") is not None and a.get("$ref") == b.get("$ref"):
            return {**a, **b}
        if CONSTRAINING.isdisjoint(a) or CONSTRAINING.isdisjoint(b):
            return {**a, **b}
        a, b = self.followed(a), self.followed(b)
        if CONSTRAINING.isdisjoint(a) or CONSTRAINING.isdisjoint(b):
            return {**a, **b}
        _keep_apart(a, b)
        out = {**a, **b}
        beside: list[Node] = []
        for key in a.keys() & b.keys():
            if key not in ANNOTATIONS and not same(a[key], b[key]):
                rule = _RULES.get(key)
                if rule is not None:
                    out[key] = rule(a[key], b[key])
                elif key in _ASIDE:
                    out[key] = a[key]
                    beside.append({key: b[key]})
        _types(a, b, out)
        self.objects(a, b, out, depth)
        self.arrays(a, b, out, depth)
        _conditions(a, b, out, beside)
        if beside or "allOf" in a or "allOf" in b:
            out["allOf"] = [*a.get("allOf", ()), *b.get("allOf", ()), *beside]
        return IMPOSSIBLE if out.get("type") == [] or out.get("enum") == [] else out

    def followed(self, node: Node) -> Node:
        for _ in range(50):
            if "$ref" not in node:
                return node
            there = self.look_up(node)
            if there is None:
                break
            node = {**there, **{key: value for key, value in node.items() if key != "$ref"}}
        raise _NoMergeError

    def objects(self, a: Node, b: Node, out: Node, depth: int) -> None:
        if _OBJECT.isdisjoint(a) or _OBJECT.isdisjoint(b):
            return
        if "patternProperties" in a or "patternProperties" in b:
            raise _NoMergeError
        left, right = a.get("properties", {}), b.get("properties", {})
        needed = {*a.get("required", ()), *b.get("required", ())}
        members: Node = {}
        for name in {**left, **right}:
            one = left.get(name, a.get("additionalProperties", {}))
            other = right.get(name, b.get("additionalProperties", {}))
            if one is False or other is False:
                if name in needed:
                    raise _NoMergeError  # nothing fits; the author meant something else
                continue
            members[name] = self.two(one, other, depth + 1)
        if "properties" in a or "properties" in b:
            out["properties"] = members
        if "required" in a and "required" in b:
            out["required"] = list(dict.fromkeys([*a["required"], *b["required"]]))
        self.rest("additionalProperties", a, b, out, depth)
        if "propertyNames" in a and "propertyNames" in b:
            out["propertyNames"] = self.two(a["propertyNames"], b["propertyNames"], depth + 1)

    def arrays(self, a: Node, b: Node, out: Node, depth: int) -> None:
        if _ARRAY.isdisjoint(a) or _ARRAY.isdisjoint(b):
            return
        if "prefixItems" in a or "prefixItems" in b:
            if not all(same(a.get(key), b.get(key)) for key in ("prefixItems", "items")):
                raise _NoMergeError
            return
        self.rest("items", a, b, out, depth)

    def rest(self, key: str, a: Node, b: Node, out: Node, depth: int) -> None:
        if key in a and key in b:
            out[key] = False if a[key] is False or b[key] is False else self.two(a[key], b[key], depth + 1)


def _keep_apart(a: Node, b: Node) -> None:
    """What a schema says of members or items that it does not take itself must not come to see those of another."""
    for one, other in ((a, b), (b, a)):
        if ("unevaluatedProperties" in one and not _TAKES_MEMBERS.isdisjoint(other)) or (
            "unevaluatedItems" in one and not _TAKES_ITEMS.isdisjoint(other)
        ):
            raise _NoMergeError


_IN_PLACE = frozenset({"anyOf", "oneOf", "allOf", "if", "dependentSchemas"})
_TAKES_MEMBERS = _IN_PLACE | {"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"}
_TAKES_ITEMS = _IN_PLACE | {"items", "prefixItems", "contains", "unevaluatedItems"}


def _types(a: Node, b: Node, out: Node) -> None:
    left, right = types_in(a), types_in(b)
    if left and right and left != right:
        shared = [kind for kind in left if kind in right or (kind == "integer" and "number" in right)]
        shared += [kind for kind in right if kind == "integer" and "number" in left and kind not in shared]
        out["type"] = shared[0] if len(shared) == 1 else shared
    if "enum" in a or "enum" in b:
        values = out["enum"]
        if "const" in out:
            values = [each for each in values if same(each, out["const"])]
        kinds = types_in(out)
        out["enum"] = [each for each in values if not kinds or admits(kinds, each)]
    if "const" in a and "const" in b and not same(a["const"], b["const"]):
        out["enum"] = []


def _conditions(a: Node, b: Node, out: Node, beside: list[Node]) -> None:
    """`if`, `then` and `else` belong together, and so do `contains` and its counts."""
    for group in (("if", "then", "else"), ("contains", "minContains", "maxContains")):
        if group[0] in a and group[0] in b:
            for key in group:
                out.pop(key, None)
            out.update({key: a[key] for key in group if key in a})
            beside.append({key: b[key] for key in group if key in b})


def _shared_choices(a: list[Any], b: list[Any]) -> list[Any]:
    if len(a) * len(b) > 250_000 and not all(isinstance(each, str) for each in (*a, *b)):
        raise _NoMergeError
    if all(isinstance(each, str) for each in (*a, *b)):
        known = frozenset(cast(list[str], b))
        return [each for each in a if each in known]
    return [each for each in a if any(same(each, other) for other in b)]


_LARGEST_FACTOR = 2**53
"""Beyond it not every JSON reader holds a whole number exactly (RFC 8259 §6)."""


def _common_multiple(a: float, b: float) -> float:
    if isinstance(a, int) and isinstance(b, int) and (both := lcm(a, b)) <= _LARGEST_FACTOR:
        return both
    raise _NoMergeError


def _both(a: dict[str, list[str]], b: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: list(dict.fromkeys([*a.get(name, ()), *b.get(name, ())])) for name in {**a, **b}}


def _refuse(a: object, b: object) -> object:
    raise _NoMergeError


_RULES: dict[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
    "uniqueItems": lambda a, b: a or b,
    "enum": _shared_choices,
    "multipleOf": _common_multiple,
    "dependentRequired": _both,
    "anyOf": _refuse,
    "oneOf": _refuse,
}

_ASIDE = frozenset({"pattern", "format", "not", "dependentSchemas"})
"""Where two differ, the second stands aside in an `allOf`."""

_OBJECT = frozenset({"properties", "required", "additionalProperties", "patternProperties", "propertyNames"})
_ARRAY = frozenset({"items", "prefixItems"})

CONSTRAINT_ONLY = ANY_TYPE | {"pattern", "format", "dependentSchemas", "contains", "minContains", "maxContains"}
"""What may stand aside in an `allOf` without changing the shape of a value."""
