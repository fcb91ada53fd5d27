"""Scalars: what strict mode takes of their constraints is kept, the rest is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolgraft.schema.language import patterns, prose
from toolgraft.schema.language.keywords import ANY_TYPE, CONSTRAINTS, admits
from toolgraft.schema.language.pointers import Node, Path
from toolgraft.schema.strict.lint import FORMATS, LARGE_ENUM
from toolgraft.schema.strict.parts import BuildOptions, NotStrictError

TOLD = frozenset({"default", "examples", "example", "deprecated", "contentEncoding", "contentMediaType"})
"""Annotations that are told in the description."""

PLAIN_KEYS = frozenset({"type", "description"})
"""All that a node of the simplest kind has."""


def scalar(node: Node, kind: str) -> Node:
    """Build a string, number, boolean or null."""
    if node.keys() <= PLAIN_KEYS:
        return dict(node)
    out: Node = {"type": kind}
    if node.keys() <= _TITLED:
        return out
    if (described := node.get("description")) is not None:
        out["description"] = described
    allowed, told = _KEPT[kind], list[str | None]()
    for key, value in node.items():
        if key in allowed and (key not in _CAREFUL or _CAREFUL[key](value)):
            out[key] = value
        elif key in TOLD or key in CONSTRAINTS[kind] or key in ANY_TYPE:
            told.append(prose.note(key, value))
    if described := prose.said(out.get("description", ""), told) if told else "":
        out["description"] = described
    return out


def enumerated(node: Node, kind: str, path: Path, options: BuildOptions) -> Node:
    """Build a scalar with fixed values."""
    values: list[Any] = node["enum"] if "enum" in node else [node["const"]] if "const" in node else []
    if "const" in node:
        values = [node["const"]] if not values or node["const"] in values else []
    values = [value for value in values if admits((kind,), value)]
    rest = {key: value for key, value in node.items() if key not in ("enum", "const")}
    out = scalar(rest, kind)
    if not values:
        if "enum" in node or "const" in node:
            raise NotStrictError(path, "none of the fixed values is of the type")
        return out
    if kind == "integer":  # 1.0 is an integer to JSON Schema, but not to every reader of an enum
        values = [int(value) for value in values]
    if len(values) > options.enum_values or (options.full and _too_long(values)):
        out["description"] = prose.said(out.get("description", ""), [f"One of: {prose.text_of(values, 4_000)}."])
        return out
    out["enum"] = values
    return out


def tell(out: Node, node: Node, built: frozenset[str], kind: str) -> None:
    """Copy what is kept as it is; tell the rest."""
    told: list[str | None] = []
    for key, value in node.items():
        if key in built:
            out[key] = value
        elif key in TOLD or ((key in CONSTRAINTS[kind] or key in ANY_TYPE) and key not in _SHAPE):
            told.append(prose.note(key, value))
    if described := prose.said(node.get("description", ""), told):
        out["description"] = described


def _too_long(values: list[Any]) -> bool:
    return len(values) > LARGE_ENUM and sum(len(str(value)) for value in values) > 15_000


_TITLED = frozenset({"type", "title"})
_SHAPE = frozenset({"properties", "required", "additionalProperties", "items", "prefixItems", "patternProperties"})
_BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_KEPT: Mapping[str, frozenset[str]] = {
    "string": frozenset({"pattern", "format"}),
    "number": _BOUNDS,
    "integer": _BOUNDS,
    "boolean": frozenset(),
    "null": frozenset(),
}
_CAREFUL: Mapping[str, Callable[[Any], bool]] = {"pattern": patterns.strictly, "format": FORMATS.__contains__}
