"""What packages drop in silence stands elsewhere in the form for them: told, or where they carry it."""

from __future__ import annotations

from typing import Any

from toolgraft.dialects import dialect_named
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
