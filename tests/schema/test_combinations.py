"""Keywords that close, open, name and describe in roundabout ways, one by one."""

from __future__ import annotations

from typing import Any

import pytest
from toolgraft.schema import convert
from toolgraft.schema.language.keywords import same

from tests.schema.made_up import valid

Node = dict[str, Any]
LEVELS = [False, "natural", "full"]
DEFS: Node = {
    "A": {"type": "object", "properties": {"a": {"type": "string"}}},
    "B": {"type": "object", "properties": {"b": {"type": "string"}}},
    "T": {"type": "array", "prefixItems": [{"type": "string"}]},
}
CLOSED: Node = {"unevaluatedProperties": False}


def holds(level: Any, schema: Node, good: list[Node], bad: list[Node]) -> None:
    """The check and the form that is shown take what the server takes; the check refuses what it refuses."""
    converted = convert(schema, level)
    for args in good:
        assert valid(schema, args)
        assert not converted.checker.problems(args)
        assert valid(converted.plain, args)
        written = converted.codec.encode(args)
        assert valid(converted.strict or converted.plain, written)
        assert same(converted.codec.decode(written), args)
    for args in bad:
        assert not valid(schema, args)
        assert converted.checker.problems(args)


@pytest.mark.faults("T42")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "beside",
    [
        {},
        {"type": "object"},
        {"description": "D."},
        {"properties": {"z": {"type": "string"}}},
        {"allOf": [{"$ref": "#/$defs/B"}]},
        {"anyOf": [{"$ref": "#/$defs/B"}, {"properties": {"q": {"type": "string"}}}]},
    ],
    ids=str,
)
def test_a_reference_is_closed_by_what_stands_beside_it(beside: Node, level: Any) -> None:
    there = {"$ref": "#/$defs/A", **beside, **CLOSED}
    schema: Node
    for place in (there, {"anyOf": [there, {"type": "null"}]}):
        schema = {"type": "object", "properties": {"x": place}, "$defs": DEFS}
        holds(level, schema, [{"x": {"a": "s"}}, {"x": {}}], [{"x": {"c": 1}}])
        assert not valid(convert(schema, level).plain, {"x": {"c": 1}})
    schema = {"type": "object", "properties": {"x": {"type": "array", "items": there}}, "$defs": DEFS}
    holds(level, schema, [{"x": [{"a": "s"}, {}]}], [{"x": [{"c": 1}]}])
    schema = {"type": "object", **there, "$defs": DEFS}
    holds(level, schema, [{"a": "s"}, {}], [{"c": 1}])


@pytest.mark.faults("T42")
@pytest.mark.parametrize("level", LEVELS)
def test_an_array_is_closed_by_what_stands_beside_it(level: Any) -> None:
    for place in (
        {"$ref": "#/$defs/T", "unevaluatedItems": False},
        {"type": "array", "prefixItems": [{"type": "string"}], "unevaluatedItems": False},
        {"type": "array", "allOf": [{"$ref": "#/$defs/T"}], "unevaluatedItems": False},
    ):
        schema = {"type": "object", "properties": {"x": place}, "required": ["x"], "$defs": DEFS}
        holds(level, schema, [{"x": ["a"]}, {"x": []}], [{"x": ["a", 5]}])
        assert not valid(convert(schema, level).plain, {"x": ["a", 5]})
    each: Node = {"type": "array", "unevaluatedItems": {"type": "integer"}}
    holds(level, {"type": "object", "properties": {"x": each}}, [{"x": [1]}], [{"x": ["a"]}])


@pytest.mark.faults("T42")
@pytest.mark.parametrize("level", LEVELS)
def test_where_it_is_told_of_other_items_it_is_in_words(level: Any) -> None:
    place = {"type": "array", "contains": {"type": "integer"}, "unevaluatedItems": False}
    schema = {"type": "object", "properties": {"x": place}}
    holds(level, schema, [{"x": [1]}], [{"x": ["a"]}, {"x": [1, "a"]}])
    assert "No other items." in convert(schema, level).plain["properties"]["x"]["description"]


@pytest.mark.faults("T42")
@pytest.mark.parametrize("level", LEVELS)
def test_members_that_only_a_condition_of_a_closed_root_declares_are_offered(level: Any) -> None:
    schema: Node = {
        "type": "object",
        "properties": {"k": {"type": "string"}},
        "if": {"properties": {"a": {"const": 1}}, "required": ["a"]},
        "then": {"properties": {"b": {"type": "string"}}},
        **CLOSED,
    }
    holds(level, schema, [{"a": 1, "b": "x"}, {"k": "x"}], [{"c": 1}, {"b": "x"}])
    assert convert(schema, level).plain["additionalProperties"] is False
    depends: Node = {"dependentSchemas": {"a": {"properties": {"b": {"type": "string"}}}}}
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, **depends, **CLOSED}
    holds(level, schema, [{"a": "1", "b": "x"}], [{"b": "x"}])


@pytest.mark.faults("T42")
@pytest.mark.parametrize("level", LEVELS)
def test_a_reference_back_holds_beside_what_else_must_hold(level: Any) -> None:
    again = {"$ref": "#/$defs/N", "required": ["a"], "allOf": [{"properties": {"b": {"type": "integer"}}}]}
    node = {"type": "object", "properties": {"a": {"type": "string"}, "n": again}}
    schema = {"type": "object", "properties": {"x": {"$ref": "#/$defs/N"}}, "$defs": {"N": node}}
    converted = convert(schema, level)
    for n, takes in (({"a": "t", "b": 1}, True), ({"a": 5}, False), ({}, False), ({"a": "t", "b": "s"}, False)):
        assert (not converted.checker.problems({"x": {"n": n}})) == takes
        assert valid(converted.plain, {"x": {"n": n}}) == takes


@pytest.mark.faults("T22", "T36")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("asking", "args"),
    [
        ({"minProperties": 1}, {"a": 1}),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1, "b": 2}),
        ({"propertyNames": {"enum": ["a", "b"]}}, {"a": 1}),
        ({"propertyNames": {"pattern": "^a"}}, {"ab": 1}),
        ({"required": ["a"]}, {"a": 1}),
        ({"not": {"required": ["b"]}}, {"a": 1}),
        ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"a": 1}),
        ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"a": 1, "b": 2}),
        ({"examples": [{"a": 1}]}, {"a": 1}),
        ({"default": {"a": 1}}, {"a": 1}),
        ({"unevaluatedProperties": True}, {"a": 1}),
    ],
    ids=str,
)
def test_a_root_that_asks_for_members_it_does_not_declare_takes_them(asking: Node, args: Node, level: Any) -> None:
    shapes: list[Node] = [{"type": "object"}, {"type": "object", "properties": {}}]
    for shape in shapes:
        holds(level, {**shape, **asking}, [args], [])
        form = convert({**shape, **asking}, level).plain
        assert form["additionalProperties"] is not False or "a" in form["properties"]


@pytest.mark.faults("T22", "T36")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("asking", "args"),
    [
        ({"minProperties": 2}, {"k": "s", "a": 1}),
        ({"dependentRequired": {"k": ["a"]}}, {"k": "s", "a": 1}),
        ({"if": {"required": ["k"]}, "then": {"required": ["a"]}}, {"k": "s", "a": 1}),
        ({"dependentSchemas": {"a": {"required": ["k"]}}}, {"k": "s", "a": 1}),
        ({"if": {"if": {"properties": {"a": {"type": "integer"}}}}}, {"k": "s", "a": 1}),
        ({"if": {"required": ["k"]}, "then": {"dependentRequired": {"k": ["a"]}}}, {"k": "s", "a": 1}),
        ({"anyOf": [{"required": ["k"], "additionalProperties": True}]}, {"k": "s", "a": 1}),
    ],
    ids=str,
)
def test_an_object_that_asks_for_more_than_it_declares_takes_more(asking: Node, args: Node, level: Any) -> None:
    declared = {"type": "object", "properties": {"k": {"type": "string"}}, **asking}
    holds(level, declared, [args], [])
    holds(level, {"type": "object", "properties": {"x": declared}}, [{"x": args}], [])


@pytest.mark.faults("S3", "T36")
def test_a_tool_without_arguments_stays_one() -> None:
    annotated: list[Node] = [{"title": "T"}, {"description": "D."}, {"examples": [{}]}, {"default": {}}]
    annotated += [{}, {"properties": {}}]
    for silent in annotated:
        strict = convert({"type": "object", **silent}).strict
        assert strict is not None
        assert (strict["properties"], strict["additionalProperties"]) == ({}, False)


@pytest.mark.faults("T22")
@pytest.mark.parametrize(
    "names",
    [
        {"enum": ["a", "b"]},
        {"type": "string", "enum": ["a", "b"]},
        {"anyOf": [{"const": "a"}, {"const": "b"}]},
        {"oneOf": [{"const": "a"}, {"enum": ["b", "c"]}, {"const": "c"}]},
        {"allOf": [{"enum": ["a", "b", "c"]}, {"enum": ["b", "a"]}]},
        {"$ref": "#/$defs/K"},
        {"type": "string", "description": "A key.", "anyOf": [{"$ref": "#/$defs/K"}, {"const": "a", "title": "A"}]},
    ],
    ids=str,
)
def test_a_map_with_fixed_names_keeps_its_shape(names: Node) -> None:
    place = {"type": "object", "propertyNames": names, "additionalProperties": {"type": "integer"}}
    schema = {"type": "object", "properties": {"r": place}, "$defs": {"K": {"enum": ["a", "b"]}}}
    for level in LEVELS:
        holds(level, schema, [{"r": {"b": 2, "a": 1}}, {"r": {}}], [{"r": {"c": 1}}, {"r": {"a": "s"}}])
    strict = convert(schema).strict
    assert strict is not None
    assert sorted(strict["properties"]["r"]["anyOf"][0]["properties"]) == ["a", "b"]


@pytest.mark.faults("T22")
def test_a_map_with_one_name_is_an_object_of_one_member() -> None:
    place = {"type": "object", "propertyNames": {"const": "a"}, "additionalProperties": {"type": "integer"}}
    strict = convert({"type": "object", "properties": {"r": place}, "required": ["r"]}).strict
    assert strict is not None
    assert list(strict["properties"]["r"]["properties"]) == ["a"]


@pytest.mark.faults("T42")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("nothing", [{"maxProperties": 0}, {"propertyNames": False}])
def test_an_object_that_takes_no_member_is_closed(nothing: Node, level: Any) -> None:
    holds(level, {"type": "object", **nothing}, [{}], [{"a": 1}])
    assert convert({"type": "object", **nothing}, level).plain["additionalProperties"] is False


@pytest.mark.faults("T18")
@pytest.mark.parametrize("level", LEVELS)
def test_names_that_a_map_may_have_are_aliased(level: Any) -> None:
    place = {"type": "object", "propertyNames": {"enum": ["$a", "$b"]}, "additionalProperties": {"type": "integer"}}
    converted = convert({"type": "object", "properties": {"r": place}, "required": ["r"]}, level)
    assert list((converted.strict or converted.plain)["properties"]["r"]["properties"]) == ["a", "b"]
    assert converted.codec.decode(converted.codec.encode({"r": {"$a": 1}})) == {"r": {"$a": 1}}
    assert converted.codec.decode({"r": {"a": 1}}) == {"r": {"$a": 1}}


@pytest.mark.faults("T18")
def test_names_that_are_only_asked_for_are_aliased_as_elsewhere() -> None:
    inner = {"type": "object", "required": ["$x"]}
    converted = convert({"type": "object", "properties": {"$x": {"type": "integer"}, "o": inner}}, False)
    assert converted.plain["properties"]["o"]["required"] == ["x"]
    assert converted.codec.decode({"x": 1, "o": {"x": 2}}) == {"$x": 1, "o": {"$x": 2}}


@pytest.mark.faults("T19")
@pytest.mark.parametrize("level", LEVELS)
def test_the_examples_of_a_root_are_told(level: Any) -> None:
    shown: Node = {"examples": [{"a": "EX"}], "default": {"a": "DEF"}, "deprecated": True}
    told = convert({"type": "object", "properties": {"a": {"type": "string"}}, **shown}, level).described("Finds.")
    for each in ('Examples: {"a": "EX"}.', 'Default: {"a": "DEF"}.', "Deprecated."):
        assert each in told


@pytest.mark.faults("T19")
@pytest.mark.parametrize("level", LEVELS)
def test_what_each_of_several_schemas_says_is_told(level: Any) -> None:
    parts = [{"description": "One", **DEFS["A"]}, {"description": "Two.", **DEFS["B"]}, {"description": "One"}]
    assert convert({"type": "object", "allOf": parts}, level).notes == "One. Two."
    assert convert({"type": "object", "description": "All.", "allOf": parts}, level).notes == "All."


@pytest.mark.faults("T21")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("keyword", ["prefixItems", "items"])
def test_null_in_a_tuple_keeps_its_place(keyword: str, level: Any) -> None:
    dialect = {"$schema": "http://json-schema.org/draft-07/schema#"} if keyword == "items" else {}
    place = {"type": "array", keyword: [None, {"type": "string"}]}
    checker = convert({**dialect, "type": "object", "properties": {"x": place}}, level).checker
    assert not checker.problems({"x": [1, "a"]})
    assert checker.problems({"x": ["a", 1]})


@pytest.mark.faults("T21")
@pytest.mark.parametrize("level", LEVELS)
def test_empty_text_for_a_schema_says_nothing(level: Any) -> None:
    members = {"a": "", "b": {"type": "array", "items": ""}, "c": {"$ref": "#/$defs/C"}}
    form = convert({"type": "object", "properties": members, "$defs": {"C": ""}}, level).plain
    assert form["properties"]["a"] == {}
    assert form["properties"]["b"]["items"] == {}


@pytest.mark.faults("T22")
def test_nulls_are_dropped_by_the_schema_of_their_own_place() -> None:
    row = {"type": "object", "properties": {"n": {"type": "integer"}}}
    free = {"type": "object", "properties": {"n": {"type": ["integer", "null"]}}}
    codec = convert(
        {"type": "object", "properties": {"t": {"type": "array", "prefixItems": [free], "items": row}}}, False
    ).codec
    assert codec.decode({"t": [{"n": None}, {"n": None}]}) == {"t": [{"n": None}, {}]}
    by_name = {"type": "object", "patternProperties": {"^p": free}, "additionalProperties": row}
    codec = convert({"type": "object", "properties": {"m": by_name}}, False).codec
    assert codec.decode({"m": {"p": {"n": None}}}) == {"m": {"p": {"n": None}}}


@pytest.mark.faults("T42")
def test_the_siblings_of_a_reference_are_ignored_where_its_dialect_ignores_them() -> None:
    there = {"$ref": "#/definitions/A", "allOf": [{"required": ["a"]}], "additionalProperties": False}
    schema = {"type": "object", "properties": {"x": there}, "definitions": DEFS}
    old = {"$schema": "http://json-schema.org/draft-07/schema#", **schema}
    assert not convert(old).checker.problems({"x": {"c": 1}})
    assert convert(schema).checker.problems({"x": {"c": 1}})
