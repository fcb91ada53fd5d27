"""The words of JSON Schema, by what they do."""

from __future__ import annotations

import re
from typing import Any, TypeGuard

TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
"""JSON Schema 2020-12, validation §6.1.1."""

SCALARS = frozenset({"string", "number", "integer", "boolean", "null"})

TYPE_SLIPS = {
    "str": "string",
    "text": "string",
    "int": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "decimal": "number",
    "bool": "boolean",
    "dict": "object",
    "map": "object",
    "list": "array",
    "none": "null",
}
"""Type names of programming languages that authors write by mistake."""

ANNOTATIONS = frozenset(
    {
        "$comment",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        "default",
        "deprecated",
        "description",
        "example",
        "examples",
        "externalDocs",
        "readOnly",
        "title",
        "writeOnly",
        "xml",
    }
)
"""They say something and constrain nothing."""

CONSTRAINTS = {
    "string": frozenset({"minLength", "maxLength", "pattern", "format"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"}),
    "array": frozenset(
        {"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"}
        | {"unevaluatedItems"}
    ),
    "object": frozenset(
        {"properties", "patternProperties", "additionalProperties", "propertyNames", "required"}
        | {"minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"}
    ),
    "boolean": frozenset[str](),
    "null": frozenset[str](),
}
CONSTRAINTS["integer"] = CONSTRAINTS["number"]

ANY_TYPE = frozenset({"not", "if", "then", "else", "allOf"})
"""Conditions that hold for a value of whatever type."""

BY_NAME = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs"})
"""Keywords that hold schemas by name."""

LISTED = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
"""Keywords that hold a list of schemas."""

HOLDING_ONE = frozenset(
    {"items", "additionalProperties", "not", "if", "then", "else", "propertyNames", "contains"}
    | {"unevaluatedProperties", "unevaluatedItems"}
)
"""Keywords that hold one schema."""

TAKEN_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
"""Names of members that every provider takes."""

CONSTRAINING = frozenset({"type", "enum", "const", "anyOf", "oneOf", "$ref"} | ANY_TYPE.union(*CONSTRAINTS.values()))
"""Every keyword that can refuse a value."""

LEGACY_DIALECTS = ("draft-03", "draft-04", "draft-05", "draft-06", "draft-07")
"""Dialects in which the siblings of `$ref` are ignored."""


def type_of(value: object) -> str:
    """JSON type of a value; whole numbers are integers."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    return "array" if isinstance(value, list) else "object"


def types_in(schema: dict[str, Any]) -> tuple[str, ...]:
    """The `type` of a schema as a tuple; empty where there is none."""
    kind: Any = schema.get("type", ())
    return (kind,) if isinstance(kind, str) else tuple(kind)


def admits(types: tuple[str, ...] | frozenset[str], value: object) -> bool:
    """Whether a value is of one of these types; an integer is a number too."""
    kind = type_of(value)
    return kind in types or (kind == "integer" and "number" in types)


def same(a: object, b: object) -> bool:
    """JSON equality: 1 is 1.0 but not true."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if is_list(a) and is_list(b):
        return len(a) == len(b) and all(map(same, a, b))
    if is_object(a) and is_object(b):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    return a == b


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a JSON value is an array."""
    return isinstance(value, list)


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)
