"""The forms that providers are given: they take what the tool's own form takes, and nothing a package trips over."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft.dialects import DIALECTS, PORTABLE, Dialect, dialect_named
from toolgraft.errors import SchemaError
from toolgraft.schema import Converted, convert, lint

from tests.schema.combined import combined_schema, combined_value
from tests.schema.made_up import tool_schema, valid, value

Node = dict[str, Any]

GEMINI, COHERE = dialect_named("gemini"), dialect_named("cohere")
PLAIN: list[Dialect] = [each for each in DIALECTS if not each.strict and each not in (GEMINI, COHERE)]
_VALUES = ("enum", "const", "default", "examples")


def schemas_in(node: Any) -> Iterator[Node]:
    """Every schema in a schema."""
    if isinstance(node, list):
        for each in cast("list[Any]", node):
            yield from schemas_in(each)
    if not isinstance(node, dict):
        return
    schema = cast(Node, node)
    yield schema
    for key, held in schema.items():
        if key in ("properties", "$defs", "patternProperties", "dependentSchemas"):
            for each in held.values():
                yield from schemas_in(each)
        elif key not in _VALUES:
            yield from schemas_in(held)


def made(seed: int) -> tuple[Node, Converted, Random] | None:
    rng = Random(seed)
    schema = tool_schema(rng) if seed % 2 else combined_schema(rng)
    try:
        return schema, convert(schema), rng
    except SchemaError:
        return None


def closed(properties: Node) -> Node:
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def form_of(members: Node, dialect: Dialect = PORTABLE, **root: Any) -> Node:
    schema = {"type": "object", "properties": members, **root}
    return dialect.form(convert(schema)).schema["properties"]


SEEDS = given(st.integers(0, 2**40))


@pytest.mark.faults("S30")
@SEEDS
def test_the_form_for_any_provider_is_sound_and_has_what_every_package_reads(seed: int) -> None:
    found = made(seed)
    if found is None:
        return
    for form in (PORTABLE.form(found[1]), PORTABLE.form(convert(found[0], strict=False))):
        if form.strict:
            assert not lint(form.schema)
        for node in schemas_in(form.schema):
            assert not isinstance(node.get("type"), list)
            assert all(isinstance(each, str) for each in node.get("enum", ())), node
            assert "const" not in node


@SEEDS
def test_the_form_for_any_provider_takes_all_that_the_tools_own_form_takes(seed: int) -> None:
    found = made(seed)
    if found is None:
        return
    schema, converted, rng = found
    portable = PORTABLE.form(converted)
    own = converted.plain if converted.strict is None else converted.strict
    for _ in range(3):
        arguments = (value if seed % 2 else combined_value)(rng, schema, schema)
        if not isinstance(arguments, dict):
            continue
        written = converted.codec.encode(cast(Node, arguments))
        if valid(own, written):
            assert valid(portable.schema, written)


@SEEDS
def test_a_strict_form_for_any_provider_takes_nothing_else_but_where_a_boolean_or_numbers_are_fixed(seed: int) -> None:
    found = made(seed)
    if found is None or (own := found[1].strict) is None:
        return
    if any(isinstance(fixed, bool | int | float) for each in schemas_in(own) for fixed in each.get("enum", ())):
        return
    portable = PORTABLE.form(found[1]).schema
    for _ in range(5):
        arguments = value(found[2], portable, portable)
        if valid(portable, arguments):
            assert valid(own, arguments)


@SEEDS
def test_what_a_model_writes_for_any_dialect_is_what_the_server_takes(seed: int) -> None:
    found = made(seed)
    if found is None:
        return
    schema, converted, rng = found
    for _ in range(3):
        arguments = (value if seed % 2 else combined_value)(rng, schema, schema)
        if not isinstance(arguments, dict) or not valid(schema, arguments):
            continue
        given_plain = converted.codec.decode(cast(Node, arguments))
        given_strict = converted.codec.decode(converted.codec.encode(cast(Node, arguments)))
        assert valid(schema, given_plain)
        assert valid(schema, given_strict)


@pytest.mark.parametrize("dialect", PLAIN, ids=lambda each: each.name)
def test_a_provider_without_strict_mode_is_given_the_plain_form(dialect: Dialect) -> None:
    converted = convert({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": ["integer", "null"]}}})
    assert dialect.form(converted).schema == (converted.plain if dialect.name != "vertexai" else _gemini(converted))


def _gemini(converted: Converted) -> Node:
    return GEMINI.form(converted).schema


def test_openai_is_given_the_strict_form_as_it_is() -> None:
    converted = convert({"type": "object", "properties": {"n": {"enum": [1, 2, 3]}, "o": {"type": "string"}}})
    form = dialect_named("openai").form(converted)
    assert form.strict
    assert form.schema is converted.strict
    assert form.schema["properties"]["n"] == {"type": ["integer", "null"], "enum": [1, 2, 3, None]}


def test_null_is_an_alternative_of_its_own() -> None:
    members = form_of({"a": {"type": "string", "enum": ["x", "y"]}, "b": {"type": "number", "minimum": 2}})
    assert members["a"] == {"anyOf": [{"type": "string", "enum": ["x", "y"]}, {"type": "null"}]}
    assert members["b"] == {"anyOf": [{"type": "number", "minimum": 2}, {"type": "null"}]}


@pytest.mark.parametrize(
    ("values", "kind", "shape"),
    [
        ([1, 2, 3], "integer", {"minimum": 1, "maximum": 3}),
        ([5], "integer", {"minimum": 5, "maximum": 5}),
        ([3, 1, 2, 1], "integer", {"minimum": 1, "maximum": 3}),
    ],
)
def test_numbers_in_a_row_are_bounds(values: list[Any], kind: str, shape: Node) -> None:
    member = form_of({"n": {"type": kind, "enum": values}}, required=["n"])["n"]
    assert {"type": kind, **shape}.items() <= member.items()
    assert "enum" not in member


def test_numbers_apart_are_one_integer_and_are_told() -> None:
    member = form_of({"n": {"type": "integer", "enum": [300, 3600]}}, required=["n"])["n"]
    assert member == {"type": "integer", "minimum": 300, "maximum": 3600, "description": "One of: [300, 3600]."}


def test_many_numbers_apart_keep_their_outer_bounds() -> None:
    values = list(range(0, 100, 5))
    member = form_of({"n": {"type": "integer", "enum": values}}, required=["n"])["n"]
    assert (member["minimum"], member["maximum"]) == (0, 95)
    assert "95" in member["description"]


def test_a_fixed_boolean_is_told() -> None:
    member = form_of({"sure": {"const": True, "description": "Must be true"}}, required=["sure"])["sure"]
    assert member == {"type": "boolean", "description": "Must be true. Always: true."}


def test_an_optional_choice_keeps_every_alternative_where_google_reads_it() -> None:
    first, second = closed({"a": {"type": "string"}}), closed({"b": {"type": "string"}})
    member = form_of({"x": {"anyOf": [first, second]}})["x"]
    assert [each.get("type") for each in member["anyOf"]] == ["object", None]
    assert [each.get("type") for each in member["anyOf"][1]["anyOf"]] == ["object", "null"]


def test_an_array_of_choices_stands_in_an_alternative() -> None:
    items = {"anyOf": [{"type": "string"}, closed({"b": {"type": "string"}})]}
    member = form_of({"x": {"type": "array", "items": items, "description": "Some"}}, required=["x"])["x"]
    assert member["description"] == "Some"
    assert [each["type"] for each in member["anyOf"]] == ["array"]


@pytest.mark.faults("S30")
@SEEDS
def test_gemini_is_given_its_own_subset_and_is_told_the_rest(seed: int) -> None:
    found = made(seed)
    if found is None:
        return
    form = GEMINI.form(found[1])
    assert not form.strict
    carried = {"type", "description", "title", "properties", "required", "items", "enum", "anyOf"}
    bounds = {"minimum", "maximum"}
    for node in schemas_in(form.schema):
        assert node.keys() <= carried | bounds | {"additionalProperties", "readOnly", "writeOnly", "$comment"}, node


def test_gemini_is_told_constraints_maps_and_where_recursion_ends() -> None:
    node = {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/N"}}}}
    members = form_of(
        {
            "n": {"type": "integer", "minimum": 3, "multipleOf": 3},
            "map": {"type": "object", "additionalProperties": {"type": "integer"}},
            "tree": {"$ref": "#/$defs/N"},
            "any": {},
        },
        GEMINI,
        **{"$defs": {"N": node}},
    )
    assert members["n"] == {"type": "integer", "description": "Minimum: 3. Multiple of: 3."}
    assert 'Other members, each: {"type": "integer"}' in members["map"]["description"]
    assert {each["type"] for each in members["any"]["anyOf"]} == {"string", "number", "boolean", "object", "array"}
    assert "goes on here, with kids" in str(members["tree"])


def test_references_that_fan_out_are_put_in_place_within_bounds() -> None:
    defs: Node = {"D20": {"type": "string"}}
    for level in range(20):
        defs[f"D{level}"] = closed({f"p{each}": {"$ref": f"#/$defs/D{level + 1}"} for each in range(4)})
    form = GEMINI.form(convert({"type": "object", "properties": {"r": {"$ref": "#/$defs/D0"}}, "$defs": defs}))
    assert len(list(schemas_in(form.schema))) < 20_000
    assert "goes on here" in str(form.schema)


@SEEDS
def test_cohere_is_given_one_type_and_a_description_for_each_argument(seed: int) -> None:
    found = made(seed)
    if found is None:
        return
    for member in COHERE.form(found[1]).schema["properties"].values():
        assert member.keys() <= {"type", "description", "title"}
        assert isinstance(member["type"], str)


def test_cohere_is_told_what_an_argument_holds() -> None:
    members = form_of(
        {
            "who": {**closed({"name": {"type": "string"}}), "description": "A person."},
            "kind": {"type": "string", "enum": ["a", "b"]},
            "many": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        },
        COHERE,
    )
    assert members["who"]["type"] == "object"
    assert members["who"]["description"].startswith("A person. JSON Schema: {")
    assert '"name"' in members["who"]["description"]
    assert members["kind"] == {"type": "string", "description": 'One of: ["a", "b"].'}
    assert members["many"]["type"] == "array"
    assert '"maxItems": 3' in members["many"]["description"]
