"""Optional arguments under strict mode: what null, absence and the omission stand for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from toolgraft.errors import ArgumentsError
from toolgraft.schema import convert

from tests.schema.made_up import valid

Node = dict[str, Any]

NULLABLE: Node = {"type": ["string", "null"]}


def tool(*required: str, **properties: Any) -> Node:
    return {"type": "object", "properties": properties, "required": list(required)}


@pytest.mark.faults("A1", "A2")
def test_a_null_is_dropped_where_the_server_takes_none() -> None:
    inner = tool("k", k={"type": "string"}, o={"type": "integer"})
    converted = convert(
        tool("a", a={"type": "string"}, b={"type": "string"}, c=inner, d={"type": "array", "items": inner})
    )
    written = {"a": "x", "b": None, "c": {"k": "y", "o": None}, "d": [{"k": "z", "o": None}, {"k": "z", "o": 1}]}
    assert converted.strict is not None
    assert valid(converted.strict, written)
    decoded = converted.codec.decode(written)
    assert decoded == {"a": "x", "c": {"k": "y"}, "d": [{"k": "z"}, {"k": "z", "o": 1}]}
    assert written["b"] is None


@pytest.mark.faults("A2")
def test_a_null_is_kept_where_the_server_takes_it() -> None:
    schema = tool("must", must=NULLABLE, may=NULLABLE, nested={"anyOf": [{"type": "integer"}, {"type": "null"}]})
    args = {"must": None, "may": None, "nested": None}
    assert convert(schema).codec.decode(args) == args


@pytest.mark.faults("A1", "A2")
def test_absent_and_null_are_told_apart_where_that_can_matter() -> None:
    converted = convert(tool(assignee=NULLABLE))
    absent, null = converted.codec.encode({}), converted.codec.encode({"assignee": None})
    assert absent == {"assignee": {"omit": "yes"}}
    assert null == {"assignee": None}
    assert converted.strict is not None
    assert valid(converted.strict, absent)
    assert valid(converted.strict, null)
    assert converted.codec.decode(absent) == {}
    assert converted.codec.decode(null) == {"assignee": None}
    assert "leaves this out" in converted.strict["properties"]["assignee"]["description"]


@pytest.mark.faults("A1", "A2")
def test_where_absence_means_null_null_is_enough() -> None:
    converted = convert(tool(q={**NULLABLE, "default": None}))
    assert converted.strict is not None
    assert converted.strict["properties"]["q"] == {"type": ["string", "null"]}
    assert converted.codec.encode({}) == {"q": None}
    assert converted.codec.decode({"q": None}) == {"q": None}


@pytest.mark.faults("A2")
@pytest.mark.parametrize("level", ["natural", "full", False])
def test_arguments_written_against_the_plain_form_come_through(level: Any) -> None:
    schema = tool(
        "a",
        a={"type": "string"},
        b={"type": "integer"},
        n=NULLABLE,
        deep={"type": "array", "items": tool(x={"type": "string"})},
    )
    codec = convert(schema, level).codec
    assert codec.decode({"a": "x"}) == {"a": "x"}
    assert codec.decode({"a": "x", "b": None, "n": None, "deep": [{"x": None}]}) == {"a": "x", "n": None, "deep": [{}]}


@pytest.mark.faults("A2", "S13")
@pytest.mark.parametrize("level", ["full", False])
def test_nulls_inside_free_values_are_never_touched(level: Any) -> None:
    schema = tool(
        "meta",
        meta={"type": "object"},
        any={},
        map={"type": "object", "additionalProperties": {}},
        b={"type": "string"},
    )
    args = {"meta": {"x": None, "y": {"z": None}}, "any": [None], "map": {"k": None}, "b": None}
    assert convert(schema, level).codec.decode(args) == {key: args[key] for key in ("meta", "any", "map")}


@pytest.mark.faults("A2")
def test_a_map_of_objects_loses_only_the_nulls_of_declared_members() -> None:
    schema = tool(m={"type": "object", "additionalProperties": tool(x={"type": "string"})})
    for level in ("natural", "full"):
        assert convert(schema, level).codec.decode({"m": {"k": {"x": None}}}) == {"m": {"k": {}}}


def test_the_alternative_that_was_written_is_undone() -> None:
    a = tool("kind", kind={"const": "a"}, x={"type": "string"})
    b = tool("kind", kind={"const": "b"}, x={"type": ["string", "null"], "default": None})
    converted = convert(tool("u", u={"oneOf": [a, b]}))
    assert converted.strict is not None
    assert converted.codec.decode({"u": {"kind": "a", "x": None}}) == {"u": {"kind": "a"}}
    assert converted.codec.decode({"u": {"kind": "b", "x": None}}) == {"u": {"kind": "b", "x": None}}


def test_alternatives_that_cannot_be_told_apart_are_not_strict() -> None:
    a = tool("x", x={"type": "string"}, y={"type": "integer"})
    b = tool("x", "y", x={"type": "string"}, y={"type": ["integer", "null"]})
    schema = tool("u", u={"anyOf": [a, b]})
    reason = convert(schema).reason
    assert reason is not None
    assert reason.pointer == "/properties/u"
    full = convert(schema, "full")
    for u in ({"x": "s"}, {"x": "s", "y": None}, {"x": "s", "y": 3}):
        assert full.codec.decode(full.codec.encode({"u": u})) == {"u": u}


class TestFull:
    """What only the full manner can write."""

    @pytest.mark.faults("S13", "S14", "S15")
    def test_maps_are_pairs(self) -> None:
        schema = tool(
            "env",
            env={
                "type": "object",
                "additionalProperties": {"type": "string"},
                "propertyNames": {"pattern": "^[A-Z]+$"},
            },
        )
        converted = convert(schema, "full")
        assert converted.strict is not None
        env = converted.strict["properties"]["env"]
        assert env["items"]["properties"] == {
            "key": {"type": "string", "pattern": "^[A-Z]+$"},
            "value": {"type": "string"},
        }
        pairs = [{"key": "A", "value": "1"}, {"key": "B", "value": "2"}]
        assert converted.codec.decode({"env": pairs}) == {"env": {"A": "1", "B": "2"}}
        assert converted.codec.encode({"env": {"A": "1", "B": "2"}}) == {"env": pairs}

    def test_a_key_that_is_given_twice_is_an_error_to_the_model(self) -> None:
        codec = convert(tool(m={"type": "object", "additionalProperties": {"type": "string"}}), "full").codec
        with pytest.raises(ArgumentsError, match="'A' is given twice") as refused:
            codec.decode({"m": [{"key": "A", "value": "1"}, {"key": "A", "value": "2"}]})
        assert refused.value.problems[0].startswith("/m/1/key: ")

    def test_free_values_are_json_text(self) -> None:
        converted = convert(tool("q", "any", q={"type": "object"}, any={"type": "array"}), "full")
        written = {"q": '{"$gt": {"a": 1.5}}', "any": ["3", '"x"', "null"]}
        assert converted.strict is not None
        assert valid(converted.strict, written)
        assert converted.codec.decode(written) == {"q": {"$gt": {"a": 1.5}}, "any": [3, "x", None]}

    @pytest.mark.parametrize("text", ['{"a": 1', "[1]", "x", '{"a": 1, "a": 2}', '{"a": NaN}', "[" * 5000])
    def test_text_that_is_not_the_wanted_json_is_an_error_to_the_model(self, text: str) -> None:
        with pytest.raises(ArgumentsError, match="/q: wanted object as JSON text"):
            convert(tool("q", q={"type": "object"}), "full").codec.decode({"q": text})

    def test_values_already_in_the_servers_shape_are_left(self) -> None:
        schema = tool(q={"type": "object"}, m={"type": "object", "additionalProperties": {"type": "integer"}}, any={})
        args = {"q": {"a": 1}, "m": {"k": 1}, "any": "hello"}
        assert convert(schema, "full").codec.decode(args) == args

    @pytest.mark.parametrize("openness", [True, {}, {"type": "integer"}])
    def test_open_objects_carry_the_rest_in_one_member(self, openness: Any) -> None:
        inner = {
            **tool("a", a={"type": "string"}, additional_properties={"type": "string"}),
            "additionalProperties": openness,
        }
        converted = convert(tool("o", o=inner), "full")
        args = {"o": {"a": "x", "extra": 1}}
        written = converted.codec.encode(args)
        assert converted.strict is not None
        assert valid(converted.strict, written)
        assert set(written["o"]) == {"a", "additional_properties", "additional_properties_"}
        assert converted.codec.decode(written) == args
        written["o"]["additional_properties_"] = (
            [{"key": "a", "value": 1}] if openness == {"type": "integer"} else '{"a": 1}'
        )
        with pytest.raises(ArgumentsError, match="given twice"):
            converted.codec.decode(written)

    def test_deep_nesting_and_large_enums_are_within_the_limits(self) -> None:
        deep: Node = {"type": "string"}
        for _ in range(14):
            deep = tool("n", n=deep)
        schema = tool("d", "e", d=deep, e={"enum": [f"v{i}" for i in range(1500)]})
        assert convert(schema).strict is None
        converted = convert(schema, "full")
        assert converted.strict is not None
        args: Any = {"d": "leaf", "e": "v7"}
        for _ in range(14):
            args["d"] = {"n": args["d"]}
        assert converted.codec.decode(converted.codec.encode(args)) == args


def test_a_root_that_takes_more_than_it_declares_keeps_that() -> None:
    schema = {**tool("a", a={"type": "string"}), "additionalProperties": True}
    converted = convert(schema)
    assert converted.strict is not None
    assert converted.strict["properties"]["a"] == {"type": "string"}
    for args in ({"a": "x"}, {"a": "x", "more": {"deep": [1]}}):
        written = converted.codec.encode(args)
        assert valid(converted.strict, written)
        assert converted.codec.decode(written) == args
        assert converted.codec.decode(args) == args


def test_root_alternatives_that_differ_as_json_only_are_both_kept() -> None:
    branches = [{"properties": {"a": {"const": 1}}}, {"properties": {"a": {"const": True}}}]
    plain = convert({"type": "object", "anyOf": branches}, strict=False).plain
    assert "1" in json.dumps(plain["properties"]["a"])
    assert "true" in json.dumps(plain["properties"]["a"])
