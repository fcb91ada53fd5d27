"""What packages drop in silence stands elsewhere in the form for them: told, or where they carry it."""

from __future__ import annotations

import json
from typing import Any

from toolgraft.dialects import PORTABLE, dialect_named
from toolgraft.schema import convert

Node = dict[str, Any]

POINT: Node = {"type": "object", "properties": {"east": {"type": "number"}}}


def drawn(member: Node, provider: str) -> Node:
    """The form of a tool's only argument."""
    schema = convert({"type": "object", "properties": {"value": member}})
    return dialect_named(provider).form(schema).schema["properties"]["value"]


def test_members_beside_alternatives_stand_in_each_alternative_for_google() -> None:
    member = {**POINT, "anyOf": [{"required": ["east"]}, {"properties": {"id": {"type": "string"}}}]}
    first, second = drawn(member, "gemini")["anyOf"]
    assert (first["type"], first["required"], list(first["properties"])) == ("object", ["east"], ["east"])
    assert list(second["properties"]) == ["east", "id"]


def test_the_items_of_what_a_server_calls_an_object_are_told() -> None:
    for provider in ("any", "gemini"):
        told = drawn({"type": "object", "description": "All of them", "items": POINT}, provider)["description"]
        assert told.startswith("All of them. Items, each: ")
        assert '"east"' in told


def test_the_items_of_a_tuple_are_told_to_gemini() -> None:
    said = str(drawn({"type": "array", "prefixItems": [POINT], "items": False}, "gemini"))
    assert "The first items, in order: " in said
    assert '"east"' in said


def test_what_the_client_of_ollama_drops_of_an_argument_is_told() -> None:
    told = drawn(POINT, "ollama")
    assert told.keys() == {"type", "description"}
    assert told["description"] == 'JSON Schema: {"type": "object", "properties": {"east": {"type": "number"}}}'


def test_what_the_client_of_ollama_carries_stays() -> None:
    for member in (
        {"type": "array", "items": POINT},
        {"type": "string", "enum": ["a", "b"]},
        {"type": ["string", "null"]},
        {"type": "integer", "description": "How many"},
    ):
        assert drawn(member, "ollama") == member


def test_a_large_argument_is_told_by_references_without_what_is_said_of_its_members() -> None:
    members: Node = {f"member_{i}": {"$ref": "#/$defs/Place", "description": "said " * 20} for i in range(100)}
    root: Node = {"type": "object", "properties": {"value": {"type": "object", "properties": members}}}
    schema = convert({**root, "$defs": {"Place": POINT, "Unused": POINT}})
    for provider in ("ollama", "cohere"):
        told = dialect_named(provider).form(schema).schema["properties"]["value"]["description"]
        assert '"member_99": {"$ref": "#/$defs/Place"}' in told
        assert told.count("east") == 1
        assert "said" not in told
        assert len(told) < 8_000


def test_any_value_and_null_are_told_where_one_type_stands_for_them() -> None:
    for provider in ("ollama", "cohere"):
        assert drawn({}, provider) == {"type": "string", "description": "Any JSON value."}
        assert drawn({"type": "null"}, provider)["description"] == 'JSON Schema: {"type": "null"}'


def named(schema: Node, provider: str = "any") -> Node:
    """The members of a whole tool's form."""
    return dialect_named(provider).form(convert(schema)).schema["properties"]


def test_what_googles_converters_know_nothing_of_is_told_beside_what_the_others_read() -> None:
    told: dict[str, Node] = {
        "Members by name pattern": {"type": "object", "patternProperties": {"^x": POINT}, "properties": {"a": {}}},
        "Other members, each": {"type": "object", "additionalProperties": POINT},
        "The first items, in order": {"type": ["array", "null"], "prefixItems": [POINT], "items": POINT},
        "Holds an item that fits": {"type": "array", "items": {}, "contains": POINT},
        "then": {"type": "object", "properties": {"a": {}}, "if": {"required": ["a"]}, "then": POINT},
    }
    for words, member in told.items():
        form = named({"type": "object", "properties": {"value": member, "open": {"type": "object"}}})["value"]
        assert f"{words}: " in str(form.get("description"))
        assert '"east"' in str(form["description"])


def test_what_a_definition_holds_is_told_where_only_its_name_would_be() -> None:
    root: Node = {
        "type": "object",
        "properties": {"value": {"type": "object", "additionalProperties": {"$ref": "#/$defs/P"}}},
    }
    member = named({**root, "$defs": {"P": POINT}})["value"]
    assert "with $defs: " in member["description"]
    assert '"east"' in member["description"]


def test_members_beside_a_choice_that_has_no_place_for_them_are_told() -> None:
    member = {**POINT, "anyOf": [{"enum": [{"east": 1}]}, {"required": ["east"]}], "additionalProperties": True}
    assert 'Members in any case: {"east"' in named({"type": "object", "properties": {"v": member}})["v"]["description"]


def test_members_beside_a_choice_of_references_stand_in_what_is_referred_to() -> None:
    member = {**POINT, "anyOf": [{"$ref": "#/$defs/C"}, {"required": ["east"]}], "additionalProperties": True}
    circle = {"type": "object", "properties": {"radius": {"type": "number"}}}
    first, second = named({"type": "object", "properties": {"v": member}, "$defs": {"C": circle}})["v"]["anyOf"]
    assert list(first["properties"]) == ["east", "radius"]
    assert list(second["properties"]) == ["east"]


def test_a_map_of_objects_at_the_root_is_told_in_the_tools_description() -> None:
    for root in ({}, {"properties": {"first": {"type": "string"}}}):
        schema = convert({"type": "object", "additionalProperties": POINT, **root})
        for dialect in map(dialect_named, ("gemini", "vertexai", "cohere", "ollama", "anthropic")):
            told = dialect.described(schema, schema.described("Does it."))
            assert told.startswith("Does it.")
            assert told.count('Other arguments, each: {"type": "object", "properties": {"east"') == 1


def test_a_map_by_patterns_at_the_root_is_told_in_the_tools_description() -> None:
    schema = convert({"type": "object", "patternProperties": {"^x_": POINT}})
    assert 'Arguments by name pattern: {"^x_": {' in schema.described("Does it.")


def test_nothing_of_null_alone_is_an_item_for_which_vertexs_converter_raises() -> None:
    null: Node = {"type": "null"}
    root: Node = {
        "type": "object",
        "properties": {
            "nulls": {"type": "array", "items": null},
            "fixed": {"type": "array", "items": {"const": None}},
            "none": {"type": "array", "items": False},
            "more": {"type": ["array", "string"], "items": null},
            "link": {"type": "array", "items": {"$ref": "#/$defs/Null"}},
            "null": null,
            "open": {"type": "object", "additionalProperties": True},
        },
        "$defs": {"Null": null},
    }
    for strict in (root, {**root, "properties": {**root["properties"], "open": {"type": "string"}}}):
        form = dialect_named("any").form(convert(strict)).schema
        assert '"items": {"type": "null"}' not in json.dumps(form)
        assert form.get("$defs", {"Null": {"anyOf": [null]}})["Null"] == {"anyOf": [null]}


def test_a_count_that_no_value_reaches_is_left_out() -> None:
    for more in ({}, {"open": {"type": "object"}}):
        members = {"text": {"type": "string", "maxLength": 2**70, "minLength": 1}, **more}
        assert '"maxLength": 1180' not in json.dumps(named({"type": "object", "properties": members}))


def test_what_is_said_of_a_choice_with_one_alternative_is_said_by_the_alternative() -> None:
    member = {"description": "Where", "anyOf": [{**POINT, "description": "A point"}, {"type": "null"}]}
    for provider in ("any", "gemini", "bedrock"):
        form = named({"type": "object", "properties": {"v": member}, "required": ["v"]}, provider)["v"]
        assert "description" not in form
        assert "'description': 'Where. A point" in str(form)


def test_parts_that_cannot_be_one_begin_with_what_stands_beside_them() -> None:
    circle: Node = {"type": "object", "properties": {"radius": {"type": "number"}}}
    parts: list[Node] = [{"oneOf": [circle, {"required": [name]}]} for name in ("id", "no")]
    member = {**POINT, "description": "A shape", "allOf": parts, "minProperties": 1, "unevaluatedProperties": False}
    form = named({"type": "object", "properties": {"shape": member, "open": {"type": "object"}}})["shape"]
    assert form["description"].startswith("A shape. Also: ")
    (whole,) = form["anyOf"]
    of_all = ("allOf", "unevaluatedProperties")
    assert whole["allOf"][0] == {key: value for key, value in whole.items() if key not in of_all}
    assert whole["unevaluatedProperties"] is False
    assert list(whole["properties"]) == ["east"]


def test_a_long_schema_that_is_told_has_every_name_in_it() -> None:
    members: Node = {f"member_{i}": {"type": "string", "description": "said " * 9} for i in range(300)}
    told = drawn({"type": "object", "additionalProperties": {"type": "object", "properties": members}}, "gemini")
    assert "said said" not in told["description"]
    assert all(name in told["description"] for name in members)
    assert len(told["description"]) < 6_000


def test_a_definition_that_comes_back_beside_its_types_ends() -> None:
    """What refers to itself in a place where no value of its types could be is not put in its own place for ever."""
    back: Node = {"$ref": "#/$defs/B"}
    node: Node = {"type": "null", "properties": {"a": {}, "b": back}, "oneOf": [{}, back]}
    array: Node = {"type": "array", "properties": {"m": node}}
    holding: Node = {"type": "object", "items": {"properties": {"c": {}}, "anyOf": [back, {}]}}
    for again in (array, holding):
        root: Node = {"type": "object", "properties": {"value": node}, "$defs": {"B": again}}
        assert PORTABLE.redraw(root)["properties"]
