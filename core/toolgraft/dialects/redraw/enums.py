"""Fixed values that are no strings: Gemini's schemas have enums of strings only, and its converters raise at others.

Numbers stay exact, as bounds: `1, 2, 3` is from 1 to 3, and `10, 20` are two alternatives, each of one least and
greatest value. What bounds cannot say either is told.
"""

from __future__ import annotations

from typing import Any, Final

from toolgraft.dialects.redraw.walk import apart
from toolgraft.schema import Node
from toolgraft.schema.language import prose
from toolgraft.schema.language.keywords import type_of, types_in

_MOST: Final = 12
"""Numbers that are given an alternative each; beyond that there are outer bounds, and the values are told."""


def strings_only(node: Node) -> Node:
    """Give a schema without an enum of anything but strings."""
    if "enum" not in node and "const" not in node:
        return node
    said, rest = apart(node)
    values = [rest.pop("const")] if "const" in rest else rest["enum"]
    rest.pop("enum", None)
    if all(isinstance(each, str) for each in values):
        return {**said, **rest, "enum": values} if "const" in node else node
    by_kind: dict[str, list[Any]] = {}
    for value in values:
        kind = type_of(value)
        by_kind.setdefault("number" if kind == "integer" and "number" in types_in(rest) else kind, []).append(value)
    if len(by_kind) == 1:
        return _of_kind(*next(iter(by_kind.items())), said, rest)
    rest.pop("type", None)
    return {**said, "anyOf": [_of_kind(kind, held, {}, rest) for kind, held in by_kind.items()]}


def _of_kind(kind: str, values: list[Any], said: Node, rest: Node) -> Node:
    rest = {**rest, "type": kind}
    if kind == "null":
        return {**said, **rest}
    if kind == "string":
        return {**said, **rest, "enum": values}
    told = prose.note("enum" if len(values) > 1 else "const", values if len(values) > 1 else values[0])
    said = {**said, "description": prose.said(said.get("description", ""), [told])}
    if kind not in ("integer", "number"):
        return {**said, **rest}
    if kind == "integer" and max(values) - min(values) == len(set(values)) - 1:
        return {**said, **rest, **_from_to(min(values), max(values))}
    if len(values) <= _MOST:
        return {**said, "anyOf": [{**rest, **_from_to(value, value)} for value in values]}
    return {**said, **rest, **_from_to(min(values), max(values))}


def _from_to(least: float, most: float) -> Node:
    return {"minimum": least, "maximum": most}
