"""The judge of strict schemas, by itself."""

from __future__ import annotations

from typing import Any

import pytest
from toolgraft.schema import lint

Node = dict[str, Any]


def closed(**members: Any) -> Node:
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


def levels(count: int) -> Node:
    schema: Node = {"type": "string"}
    for _ in range(count):
        schema = closed(n=schema)
    return schema


SOUND = [
    closed(),
    closed(a={"type": "string", "description": "x", "pattern": "^a$", "format": "date"}),
    closed(
        a={"type": ["integer", "null"], "minimum": 1}, b={"type": "array", "items": {"type": "number"}, "minItems": 1}
    ),
    closed(a={"anyOf": [{"type": "string"}, {"$ref": "#/$defs/D"}], "description": "x"}) | {"$defs": {"D": closed()}},
    closed(a={"$ref": "#"}),
    closed(a={"type": "string", "enum": ["x", "y"]}),
    closed(a={"$ref": "#/$defs/T"}) | {"$defs": {"T": closed(kids={"type": "array", "items": {"$ref": "#/$defs/T"}})}},
    levels(10),
]


@pytest.mark.parametrize("schema", SOUND)
def test_what_the_documentation_lists_is_sound(schema: Node) -> None:
    assert lint(schema) == []


REFUSED: Node = {
    "oneOf": [],
    "allOf": [],
    "not": {},
    "if": {},
    "propertyNames": {},
    "minProperties": 1,
    "patternProperties": {},
    "dependentRequired": {},
    "unevaluatedProperties": False,
}

UNSOUND: list[tuple[Any, str, str]] = [
    ({"anyOf": [closed()]}, "", "root"),
    ("text", "", "root"),
    ({"type": "object", "properties": {}, "required": []}, "", "additionalProperties"),
    (closed() | {"additionalProperties": {}}, "", "additionalProperties"),
    ({"type": "object", "required": [], "additionalProperties": False}, "", "without 'properties'"),
    (closed(a={"type": "string"}) | {"required": []}, "", "require all"),
    (closed(a={}), "/properties/a", "type"),
    (closed(a={"description": "x"}), "/properties/a", "type"),
    (closed(a={"const": 3}), "/properties/a", "type"),
    (closed(a={"type": "array"}), "/properties/a", "items"),
    (closed(a={"type": "array", "items": {"type": "string", "format": "uri"}}), "/properties/a/items", "uri"),
    (closed(a={"type": "string", "pattern": "(?!x)"}), "/properties/a", "look-around"),
    (closed(a={"type": "string", "minLength": 1}), "/properties/a", "minLength"),
    (closed(a={"type": "string", "default": ""}), "/properties/a", "default"),
    (closed(a={"type": "integer", "exclusiveMinimum": True}), "/properties/a", "exclusiveMinimum"),
    (closed(a={"type": "string", "enum": []}), "/properties/a", "without values"),
    (closed(a={"type": "string", "enum": [3]}), "/properties/a", "another type"),
    (closed(a={"type": "integer", "enum": [True]}), "/properties/a", "another type"),
    (closed(a={"$ref": "#/$defs/X"}), "/properties/a", "top-level"),
    (closed(a={"$ref": "#/properties/b"}, b={"type": "string"}), "/properties/a", "top-level"),
    (closed(a={"$ref": "#/$defs/X", "description": "x"}) | {"$defs": {"X": closed()}}, "/properties/a", "beside"),
    (closed(a={"anyOf": []}), "/properties/a", "anyOf"),
    (closed(**{"x/y": {"type": "string", "uniqueItems": True}}), "/properties/x~1y", "uniqueItems"),
    (closed(a={"$ref": "#/$defs/X"}) | {"$defs": {"X": {"type": "array"}}}, "/$defs/X", "items"),
    (levels(11), "", "nesting"),
    (closed(a={"$ref": "#/$defs/X"}) | {"$defs": {"X": levels(10)}}, "", "nesting"),
    (closed(a={"type": "string", "enum": [str(i) for i in range(1001)]}), "", "enum values"),
    (closed(a={"type": "string", "enum": ["x" * 70 + str(i) for i in range(251)]}), "/properties/a", "15000"),
    (closed(**{f"p{i}": {"type": "null"} for i in range(5001)}), "", "properties"),
    (closed(**{"x" * 120_001: {"type": "null"}}), "", "characters"),
    *[
        (closed(a={"type": "object", **closed(), keyword: value}), "/properties/a", keyword)
        for keyword, value in REFUSED.items()
    ],
]


@pytest.mark.faults("S7", "S8", "S9", "S10", "S11", "S25")
@pytest.mark.parametrize(("schema", "pointer", "word"), UNSOUND)
def test_everything_else_is_not(schema: Any, pointer: str, word: str) -> None:
    faults = lint(schema)
    assert any(fault.pointer == pointer and word in fault.sentence for fault in faults), faults


def test_one_switch_takes_what_the_documentation_leaves_open() -> None:
    schema = closed(a={"type": "string", "minLength": 1, "default": "x", "title": "A"}) | {"$schema": "x", "title": "T"}
    assert lint(schema)
    assert lint(schema, undocumented=True) == []
    assert lint(closed(a={"type": "string", "format": "uri"}), undocumented=True)


def test_a_circle_of_definitions_is_not_counted_as_nesting() -> None:
    defs = {f"d{i}": closed(n={"type": "array", "items": {"$ref": f"#/$defs/d{(i + 1) % 15}"}}) for i in range(15)}
    assert lint(closed(a={"$ref": "#/$defs/d0"}) | {"$defs": defs}) == []


@pytest.mark.parametrize("kind", [[{}], [[]], {}, 3, [], ["object", 3]])
def test_a_type_that_is_none_is_a_fault_and_no_crash(kind: Any) -> None:
    assert lint(closed(a={"type": kind}))
