"""What real servers send, and what a model, a host and a person get of it."""

from __future__ import annotations

import time
from typing import Any

import pytest
from toolgraft.errors import ArgumentsError
from toolgraft.schema import Converted, compile_checks, convert, lint, strict_breaks, without

from tests.schema.made_up import valid

Node = dict[str, Any]
LEVELS: list[Any] = ["natural", "full", False]


def tool(*required: str, **properties: Any) -> Node:
    return {"type": "object", "properties": properties, "required": list(required)}


def goes_through(converted: Converted, args: Node) -> bool:
    return converted.codec.decode(converted.codec.encode(args)) == args


@pytest.mark.faults("T20")
@pytest.mark.parametrize(
    ("format_", "text"),
    [
        ("uri", "https://de.wikipedia.org/wiki/Zürich"),
        ("uri", "example.com"),
        ("date-time", "2024-05-01T10:00:00"),
        ("date-time", "2024-05-01 10:00:00Z"),
        ("time", "10:00:00"),
        ("duration", "PT1.5S"),
        ("uuid", "0123456789abcdef0123456789abcdef"),
        ("email", "jürgen@localhost"),
        ("hostname", "my_host"),
        ("ipv4", "127.1"),
        ("regex", "(?<x>"),
        ("json-pointer", "a/b"),
        ("binary", "\x00"),
    ],
)
def test_a_format_advises_and_refuses_nothing(format_: str, text: str) -> None:
    for node in (
        {"type": "string", "format": format_},
        {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png", "format": format_},
        {"oneOf": [{"type": "string", "format": format_}, {"type": "string", "format": "x"}]},
        {"not": {"type": "string", "format": "x"}},
        {"if": {"format": "x"}, "then": {"const": 3}},
        {"type": "array", "items": {"$ref": "#/$defs/F"}, "contains": {"format": "x"}, "maxContains": 0},
    ):
        schema = {**tool("v", v=node), "$defs": {"F": {"type": "string", "format": format_}}}
        given: Any = [text] if node.get("type") == "array" else text
        assert not compile_checks(schema).problems({"v": given}), node
        assert convert(schema).codec.decode({"v": given}) == {"v": given}


@pytest.mark.faults("T20")
def test_a_format_that_strict_mode_does_not_know_is_told() -> None:
    strict = convert(tool("u", u={"type": "string", "format": "uri"})).strict
    assert strict is not None
    assert strict["properties"]["u"]["description"] == "Format: uri."


NOTHINGS: list[Node] = [
    {"properties": []},
    {"properties": None},
    {"required": None},
    {"required": {}},
    {"additionalProperties": None},
    {"patternProperties": []},
    {"dependentRequired": None},
    {"dependencies": []},
    {"enum": None},
    {"anyOf": None},
    {"oneOf": []},
    {"allOf": None},
    {"allOf": [None]},
    {"not": None},
    {"not": []},
    {"if": None},
    {"$defs": []},
    {"definitions": None},
    {"description": None},
    {"title": None},
    {"type": None},
    {"$ref": None},
    {"nullable": None},
    {"propertyNames": []},
    {"unevaluatedProperties": None},
    {"minProperties": None},
]


@pytest.mark.faults("T21")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("nothing", NOTHINGS, ids=str)
def test_a_keyword_that_is_null_or_empty_is_not_there(nothing: Node, level: Any) -> None:
    bare = tool(a={"type": "string"})
    whole = {**bare, **nothing}
    if nothing.keys() & {"properties", "type"}:
        bare = {key: value for key, value in bare.items() if key not in nothing}
    if "required" in nothing or "propertyNames" in nothing:
        bare.pop("required")
        whole.pop("required", None) if "propertyNames" in nothing else None
    expected = convert(bare, level).plain
    got = convert(whole, level).plain
    assert {key: got[key] for key in expected if key in got} == expected
    nested = {"type": "object", "properties": {"o": {"type": "array", "items": {"$ref": "#/$defs/N"}}}}
    assert convert({**nested, "$defs": {"N": whole}}, level).plain["$defs"]["N"]["type"] == "object"
    assert without({**whole, "properties": {"a": {}, "b": {}}}, ["b"])


@pytest.mark.faults("T21")
@pytest.mark.parametrize("level", LEVELS)
def test_members_and_items_that_are_null_or_empty_lists(level: Any) -> None:
    schema = tool(
        a=None,
        b=[],
        c={"type": "array", "items": None},
        d={"type": "array", "items": []},
        e={"anyOf": [None, {"type": "string"}]},
        f={"type": "object", "additionalProperties": []},
        g={"enum": {"0": "x", "2": "y"}},
        h={"type": "integer", "default": None},
        i={"$ref": "#/$defs/I"},
    )
    served = convert({**schema, "$defs": {"I": []}}, level).plain
    assert "a" not in served["properties"]
    assert served["properties"]["b"] == {}
    assert served["properties"]["c"] == {"type": "array", "items": {}} == served["properties"]["d"]
    assert served["properties"]["e"] == {"anyOf": [{"type": "string"}]}
    assert served["properties"]["f"]["additionalProperties"] is True
    assert served["properties"]["g"]["enum"] == ["x", "y"]
    assert served["properties"]["h"]["default"] is None
    assert served["$defs"]["I"] == {}


@pytest.mark.faults("T22")
@pytest.mark.parametrize("wrong", [{"lat": 1, "lon": 2}, {}, {"item_1": 1, "lon": 2}])
def test_an_object_where_a_tuple_is_wanted_is_an_error(wrong: Node) -> None:
    point: Node = {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]}
    codec = convert(tool("p", p=point), "full").codec
    with pytest.raises(ArgumentsError, match="/p: wanted an array, or an object with item_1, item_2"):
        codec.decode({"p": wrong})
    assert codec.decode({"p": [1, 2]}) == {"p": [1, 2]}


@pytest.mark.faults("T22")
def test_one_pattern_that_cannot_be_compiled_refuses_nothing_else() -> None:
    held: Node = {
        "type": "object",
        "patternProperties": {"(?P<n>x": {"type": "string"}, "^y": {"type": "integer"}},
        "additionalProperties": False,
    }
    for schema in (held, {"oneOf": [held, {**held, "minProperties": 9}]}):
        checker = compile_checks(tool(m=schema))
        assert not checker.problems({"m": {"anything": "x", "y": 1}})
        assert checker.problems({"m": {"y": "x"}})
    assert not compile_checks(tool(s={"not": {"type": "string", "pattern": "(?P<n>x"}})).problems({"s": "v"})


@pytest.mark.faults("T22")
@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_alternatives_that_require_what_is_not_declared_are_never_strict_and_empty(keyword: str) -> None:
    alternatives: Node = {keyword: [{"required": ["b"]}, {"required": ["c"]}]}
    root = {**tool(a={"type": "string"}), **alternatives}
    for schema, args in ((root, {"b": 1}), (tool("o", o=root), {"o": {"b": 1}})):
        for level in LEVELS:
            converted = convert(schema, level)
            assert goes_through(converted, args)
            shown = converted.plain if converted.strict is None else converted.strict
            assert valid(shown, converted.codec.encode(args))
        assert convert(schema).strict is None
    declared = {**tool(b={"type": "string"}, c={"type": "string"}), **alternatives}
    assert convert(declared).strict is not None


@pytest.mark.faults("T22")
@pytest.mark.parametrize("level", ["natural", "full"])
def test_what_leaves_an_argument_out_is_no_value_of_it(level: Any) -> None:
    held: Node = {"type": "object", "properties": {"omit": {"type": "string"}}, "required": ["omit"]}
    converted = convert(tool(a={"anyOf": [held, {"type": "null"}]}, b={"type": ["string", "null"]}), level)
    assert converted.strict is not None
    assert lint(converted.strict) == []
    for args in ({"a": {"omit": "yes"}, "b": None}, {"a": None}, {}):
        assert goes_through(converted, args)


@pytest.mark.faults("T22")
def test_members_that_are_not_offered_do_not_make_alternatives_overlap() -> None:
    one = {"type": "object", "properties": {"a": {"type": "string"}, "b": False}}
    other = {"type": "object", "properties": {"a": {"type": "string"}, "c": False}, "required": ["b"]}
    looking = {"oneOf": [{"type": "string", "pattern": "^(?=x)"}, {"type": "string", "pattern": "^y"}]}
    schema = tool(v={"oneOf": [one, other]}, s=looking)
    for args in ({"v": {"a": "x"}}, {"v": {"b": 1}}, {"s": "x"}, {"s": "y"}):
        assert valid(schema, args)
        assert valid(convert(schema, False).plain, args)


@pytest.mark.faults("T22")
def test_natural_keeps_alternatives_of_one_shape_by_reference() -> None:
    model = tool("kind", kind={"type": "string"}, note={"type": "string"}, next={"$ref": "#/$defs/A"})
    schema = {
        **tool("v", v={"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}),
        "$defs": {"A": model, "B": model},
    }
    converted = convert(schema)
    assert converted.strict is not None, converted.reason
    assert goes_through(converted, {"v": {"kind": "x", "next": {"kind": "y", "note": "n"}}})


@pytest.mark.faults("T22")
def test_natural_does_not_take_alternatives_for_alike_that_undo_different_things() -> None:
    a = tool("k", k={"type": "string"}, n={"type": "string"})
    b = tool("k", k={"type": "string"}, n={"type": ["string", "null"], "default": None})
    union = {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}
    assert convert({**tool("v", v=union), "$defs": {"A": a, "B": b}}).strict is None


@pytest.mark.faults("T22")
def test_natural_keeps_closed_intersections_and_records_with_fixed_names() -> None:
    both = {"allOf": [tool("a", a={"type": "string"}), tool(b={"type": "integer"})], "unevaluatedProperties": False}
    record = {"type": "object", "propertyNames": {"enum": ["x", "y"]}, "additionalProperties": {"type": "integer"}}
    schema = tool("v", "r", v=both, r=record)
    converted = convert(schema)
    assert converted.strict is not None, converted.reason
    for args in ({"v": {"a": "s"}, "r": {}}, {"v": {"a": "s", "b": 1}, "r": {"y": 3}}):
        assert valid(schema, args)
        assert goes_through(converted, args)
    for wrong in ({"v": {"a": "s", "c": 1}, "r": {}}, {"v": {"a": "s"}, "r": {"z": 1}}):
        assert not valid(schema, wrong)
        assert not valid(converted.plain, wrong)
        assert converted.checker.problems(wrong)


@pytest.mark.faults("T33")
@pytest.mark.parametrize(("kind", "written"), [("number", "1e3"), ("number", "1E+3"), ("integer", "1e3")])
def test_an_exponent_is_a_number(kind: str, written: str) -> None:
    checker = compile_checks(tool(n={"type": kind}))
    assert checker.coerce({"n": written}) == {"n": 1000}
    assert not checker.problems({"n": 1e3})


@pytest.mark.faults("T33")
def test_a_converted_schema_prints_what_the_model_is_shown() -> None:
    converted = convert(tool(city={"type": "string", "description": "Where."}, kv={"type": "object"}))
    assert "Where." in repr(converted)
    assert "plain" in repr(converted)
    assert "any members" in str(converted)
    huge = convert(tool(**{f"k{i}": {"type": "string"} for i in range(3000)}))
    assert len(repr(huge)) < 1_200
    assert len(str(huge)) < 12_000


@pytest.mark.faults("T19")
@pytest.mark.parametrize("level", LEVELS)
def test_what_the_root_says_goes_to_the_tools_description_once(level: Any) -> None:
    converted = convert({**tool(a={"type": "string"}, b={}), "description": "Give  a or b."}, level)
    assert converted.described("Finds things.") == "Finds things.\n\nGive  a or b."
    assert converted.described("Finds. give a OR b.") == "Finds. give a OR b."
    assert converted.described("") == "Give  a or b."
    choice = {**tool(a={"type": "string"}, b={"type": "string"}), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert "At least one of these holds" in convert(choice, level).described("Finds.")


@pytest.mark.faults("T19")
def test_an_empty_description_is_the_title_else_the_name() -> None:
    silent = convert(tool(a={"type": "string"}))
    assert silent.described(" ", "Find things", "find") == "Find things"
    assert silent.described("", "", "find") == "find"
    assert silent.described("As it is.", "Title") == "As it is."


@pytest.mark.faults("T17")
def test_it_is_known_which_forms_a_host_would_break_by_making_them_strict() -> None:
    optional, free = convert(tool(a={"type": "string"})), convert(tool("m", m={"type": "object"}))
    assert strict_breaks(optional.plain) is not None
    assert strict_breaks(free.plain) is not None
    assert optional.strict is not None
    assert strict_breaks(optional.strict) is None


LARGE = [f"v{i}" for i in range(4_500)]


@pytest.mark.faults("T6")
@pytest.mark.parametrize(
    "items",
    [
        {"enum": LARGE},
        {"enum": [*LARGE, 1]},
        {"enum": [{"a": each} for each in LARGE]},
        {"anyOf": [{"enum": LARGE}, {"enum": [*LARGE, 1]}]},
        {"required": LARGE, "type": "object"},
        {"$ref": "#/$defs/E"},
    ],
    ids=["text", "mixed", "objects", "alternatives", "required", "reference"],
)
@pytest.mark.parametrize("size", [3_000, 100_000])
def test_large_arguments_against_many_fixed_values_take_no_long_time(items: Node, size: int) -> None:
    schema = {**tool(v={"type": "array", "items": items}), "$defs": {"E": {"enum": LARGE}}}
    checker = compile_checks(schema)
    for each in ("x", {"a": 1}):
        args = {"v": [each] * size}
        started = time.process_time()
        checker.coerce(args)
        checker.problems(args)
        assert time.process_time() - started < 5  # of work, not of the clock; it was minutes
