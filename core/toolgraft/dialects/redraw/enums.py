"""Fixed values that are no strings: Gemini's schemas have enums of strings only, and its converters raise at others.

Numbers are told, and have outer bounds: `1, 2, 3` is from 1 to 3. An alternative for each number would arrive as so
many times the same, since the converters drop the bounds of alternatives.
"""

from __future__ import annotations

from typing import Any

from toolgraft.dialects.redraw.walk import apart
from toolgraft.schema import Node
from toolgraft.schema.language import prose
from toolgraft.schema.language.keywords import type_of, types_in


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
    return {**said, **rest, "minimum": min(values), "maximum": max(values)}
