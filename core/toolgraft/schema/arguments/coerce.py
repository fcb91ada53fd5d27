"""Values of the wrong kind put right where nothing is lost, led by the schema.

A string becomes what its JSON text says where the schema takes no string: `"3"` is 3, `"true"` is true,
`"[1]"` is `[1]`. Numbers must be written as JSON writes them and survive unchanged (`"0x10"`, `" 1"` stay;
`"1e3"` is 1000), and what is read must be of a type that the schema takes.
"""

from __future__ import annotations

import re
from decimal import Decimal
from math import isfinite
from typing import Any, cast

from toolgraft.schema.language.json_text import load_json
from toolgraft.schema.language.keywords import TYPES, admits, types_in
from toolgraft.schema.language.pointers import Node
from toolgraft.schema.read.normal import Normal
from toolgraft.schema.validation.cost import nodes_in
from toolgraft.schema.validation.validator import Validators

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})", re.ASCII)
"""Whole numbers that every JSON reader holds exactly (RFC 8259 §6)."""
_EXACT = 10**15
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_WORDS: dict[str, tuple[str, object]] = {
    "true": ("boolean", True),
    "false": ("boolean", False),
    "null": ("null", None),
}
_MAX_DEPTH = 60
_MAX_TEXT = 1_000_000
_MAX_TRIALS = 1_000
"""Most alternatives that are tried on the arguments of one call."""
_MAX_TRIED = 1_000_000
"""Most values in all that they are tried on together."""


class Coercer:
    """Coerces values to one normal schema."""

    def __init__(self, normal: Normal) -> None:
        self._normal = normal
        self._validators = Validators(normal.defs)
        self._trials = self._tried = 0

    def arguments(self, args: dict[str, Any]) -> dict[str, Any]:
        """Coerce a call's arguments; the given ones are not changed."""
        self._trials, self._tried = _MAX_TRIALS, _MAX_TRIED
        return cast(Node, self._fit(self._normal.root, args, 0))

    def _fit(self, node: Node, value: Any, depth: int) -> Any:
        if depth > _MAX_DEPTH:
            return value
        node = self._normal.target(node)
        if isinstance(value, str):
            kinds = self._kinds(node, 0)
            value = value if "string" in kinds else read(value, kinds)
        if not isinstance(value, dict | list):
            return value
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                value = self._choose(node[keyword], value, depth)
        for part in node.get("allOf", ()):
            value = self._fit(part, value, depth + 1)
        if isinstance(value, dict):
            return self._members(node, cast(Node, value), depth)
        return self._items(node, cast(list[Any], value), depth)

    def _choose(self, variants: list[Node], value: Any, depth: int) -> Any:
        """Coerce to the first alternative that the value fits then; to the only one of its type where none does."""
        fitting = [variant for variant in variants if admits(self._kinds(variant, 0), value)]
        self._trials -= len(fitting)
        self._tried -= len(fitting) * nodes_in(value, _MAX_TRIED)
        if self._trials < 0 or self._tried < 0:
            return value  # each level would multiply the work
        coerced = [self._fit(variant, value, depth + 1) for variant in fitting[:50]]
        for variant, candidate in zip(fitting, coerced, strict=False):
            if self._validators.accepts(variant, candidate):
                return candidate
        return coerced[0] if len(coerced) == 1 else value

    def _members(self, node: Node, value: Node, depth: int) -> Node:
        declared = node.get("properties", {})
        others = None if "patternProperties" in node else node.get("additionalProperties")
        changed: Node = {}
        for name, inner in value.items():
            schema = declared.get(name, others)
            if isinstance(schema, dict) and (fit := self._fit(cast(Node, schema), inner, depth + 1)) is not inner:
                changed[name] = fit
        return {**value, **changed} if changed else value

    def _items(self, node: Node, value: list[Any], depth: int) -> list[Any]:
        places, rest = node.get("prefixItems", ()), node.get("items")
        out = list(value)
        for i, inner in enumerate(value):
            schema = places[i] if i < len(places) else rest
            if isinstance(schema, dict):
                out[i] = self._fit(cast(Node, schema), inner, depth + 1)
        return out if any(new is not old for new, old in zip(out, value, strict=True)) else value

    def _kinds(self, node: Node, depth: int) -> frozenset[str]:
        """Types that a node takes."""
        if depth > _MAX_DEPTH:
            return TYPES
        node = self._normal.target(node)
        kinds = frozenset(types_in(node)) or TYPES
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                kinds &= frozenset[str]().union(*(self._kinds(each, depth + 1) for each in node[keyword]))
        for part in node.get("allOf", ()):
            kinds &= self._kinds(part, depth + 1)
        return kinds


def read(text: str, kinds: frozenset[str]) -> Any:
    """Read a string as one of some types, where that loses nothing; else give it back."""
    if not kinds.isdisjoint(("integer", "number")):
        if _INTEGER.fullmatch(text) and text != "-0":
            return int(text)
        if len(text) <= 25 and _FRACTION.fullmatch(text):
            number = float(text)
            if not isfinite(number) or not number or Decimal(repr(number)) != Decimal(text):
                return text
            if "number" in kinds:
                return number
            return int(number) if "." not in text and number.is_integer() and abs(number) < _EXACT else text
    if text in _WORDS and _WORDS[text][0] in kinds:
        return _WORDS[text][1]
    if len(text) <= _MAX_TEXT and text.strip()[:1] in ("[", "{"):
        try:
            value = load_json(text)
        except ValueError:
            return text
        return value if admits(kinds, value) else text
    return text
