"""Names that providers refuse: aliases in every form, and back, without loss."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolgraft.errors import ArgumentsError
from toolgraft.schema import convert, lint
from toolgraft.schema.language.keywords import is_list, is_object, same

from tests.schema.made_up import tool_schema, valid, value

Node = dict[str, Any]
LEVELS: list[Any] = ["natural", "full", False]
NAMES = ["$filter", "filter[id]", "@type", "x" * 70, "検索", "a b", "filter", "filter_", "filter_id", "x/y", "", "$"]


def tool(**properties: Any) -> Node:
    return {"type": "object", "properties": properties, "required": list(properties)}


def shown_names(schema: Any) -> list[str]:
    """Names of all declared members."""
    if is_list(schema):
        return [name for each in schema for name in shown_names(each)]
    if not is_object(schema):
        return []
    own = list(schema.get("properties", {})) if is_object(schema.get("properties")) else []
    return own + [name for each in schema.values() for name in shown_names(each)]


def form(converted: Any) -> Node:
    return converted.plain if converted.strict is None else converted.strict


@pytest.mark.faults("T18")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", NAMES)
def test_no_form_has_a_name_that_providers_refuse_at_any_depth(name: str, level: Any) -> None:
    inner = tool(**{name: {"type": "string"}})
    schema: Node = {
        **tool(**{name: {"type": "integer"}, "o": inner, "list": {"type": "array", "items": inner}}),
        "$defs": {"D": inner},
    }
    schema["properties"] |= {"d": {"$ref": "#/$defs/D"}, "u": {"anyOf": [inner, {"type": "null"}]}}
    converted = convert(schema, level)
    assert all(re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", each) for each in shown_names(form(converted)))
    assert converted.strict is None or not lint(converted.strict)
    held = {name: "s"}
    args = {name: 1, "o": held, "list": [held, held], "d": held, "u": held}
    written = converted.codec.encode(args)
    assert valid(form(converted), written)
    assert converted.codec.decode(written) == args
    assert converted.codec.decode(args) == args  # under the server's own names
    assert not converted.checker.problems(args)


@pytest.mark.faults("T18")
def test_names_that_would_get_one_alias_get_two() -> None:
    schema = tool(**{name: {"type": "string"} for name in NAMES})
    shown = list(convert(schema).plain["properties"])
    assert len(set(shown)) == len(NAMES)
    assert "filter" in shown
    assert "filter_id" in shown
    turned = tool(**{name: {"type": "string"} for name in reversed(NAMES)})
    assert list(convert(turned).plain["properties"]) == shown[::-1]


@pytest.mark.faults("T18")
def test_an_alias_says_what_it_can_and_problems_tell_it() -> None:
    converted = convert(tool(**{"$filter": {"type": "integer"}, "filter[id]": {"type": "array", "items": {}}}), False)
    assert list(converted.plain["properties"]) == ["filter", "filter_id"]
    decoded = converted.codec.decode({"filter": "x", "filter_id": []})
    (problem,) = converted.checker.problems(decoded)
    assert problem.startswith("/filter: ")


@pytest.mark.faults("T18")
def test_an_argument_under_both_of_its_names_is_refused() -> None:
    with pytest.raises(ArgumentsError, match="given twice"):
        convert(tool(**{"$a": {"type": "string"}})).codec.decode({"a": "x", "$a": "y"})


@pytest.mark.faults("T18")
@pytest.mark.parametrize("extra", ["filter", "filter_", "filter__", "other", "filter_x"])
def test_a_member_that_is_not_declared_is_not_taken_for_an_alias(extra: str) -> None:
    schema = {**tool(**{"$filter": {"type": "string"}}), "additionalProperties": True}
    codec = convert(schema, False).codec
    args = {"$filter": "x", extra: "y"}
    assert codec.decode(codec.encode(args)) == args


@pytest.mark.faults("T18")
def test_patterns_and_rules_for_names_hold_for_what_the_server_calls_them() -> None:
    schema: Node = {
        "type": "object",
        "properties": {"$f": {"type": "string"}, "b": {"type": "string"}},
        "patternProperties": {"^[f-z]": {"type": "integer"}},
        "propertyNames": {"pattern": "^[$a-z]+$"},
        "dependentRequired": {"$f": ["b"], "b": ["$f"]},
    }
    converted = convert(schema, False)
    args = {"$f": "x", "b": "y", "k": 3}
    assert valid(converted.plain, converted.codec.encode(args))
    assert converted.codec.decode(converted.codec.encode(args)) == args


@pytest.mark.faults("T18")
def test_what_only_looks_like_a_name_stays() -> None:
    schema = tool(**{"$f": {"enum": ["$f"], "default": "$f"}, "m": {"type": "object", "additionalProperties": {}}})
    converted = convert(schema, False)
    assert converted.plain["properties"]["f"]["enum"] == ["$f"]
    args = {"$f": "$f", "m": {"$f": 1, "f": 2}}
    assert converted.codec.decode(converted.codec.encode(args)) == args


def renamed(rng: Random, schema: Any) -> Any:
    """Some names made such that providers refuse them."""
    names = {name: name for name in shown_names(schema)} | {"a": "$a", "b": "$b[]", "key": "clé", "title": "title\n"}

    def walk(node: Any) -> Any:
        if is_list(node):
            return [walk(each) for each in node]
        if not is_object(node):
            return node
        out = {key: walk(each) for key, each in node.items()}
        if is_object(held := out.get("properties")):
            out["properties"] = {names.get(name, name): each for name, each in held.items()}
        if is_list(held := out.get("required")):
            out["required"] = [names.get(name, name) for name in held]
        return out

    return walk(schema)


@pytest.mark.faults("T18")
@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.integers(0, 2**64), st.sampled_from(LEVELS))
def test_whatever_has_such_names_comes_back_as_it_was(seed: int, level: Any) -> None:
    rng = Random(seed)
    schema = renamed(rng, tool_schema(rng))
    converted = convert(schema, level)
    assert all(re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", each) for each in shown_names(converted.plain))
    if "default" in repr(schema):
        return  # absence and null may then mean the same
    for _ in range(5):
        args = value(rng, schema, schema)
        if valid(schema, args):
            written = converted.codec.encode(args)
            assert valid(form(converted), written)
            assert same(converted.codec.decode(written), args)


@pytest.mark.faults("T18")
@pytest.mark.parametrize("level", LEVELS)
def test_all_that_the_model_is_told_is_under_the_names_that_it_was_shown(level: Any) -> None:
    inner = tool(**{"filter[id]": {"type": "integer"}})
    schema: Node = {
        **tool(**{"$filter": {"type": "integer"}}),
        "dependentRequired": {"$filter": ["$with"]},
        "not": {"required": ["$never"]},
    }
    schema["properties"] |= {"$with": {"type": "string"}, "$never": {"type": "string"}, "o": inner}
    converted = convert(schema, level)
    told = converted.notes
    assert "With filter, also give with" in told
    assert "$" not in told
    wrong: list[tuple[Node, str]] = [
        ({"$filter": "x", "$with": "y"}, "/filter: wanted an integer"),
        ({"$filter": 1}, "/with: "),
        ({"$filter": 1, "$with": "y", "o": {"filter[id]": "z"}}, "/o/filter_id: wanted an integer"),
        ({"$filter": 1, "$with": "y", "o": {}}, "/o/filter_id: wanted a value, since it is required"),
        ({"$filter": 1, "$with": "y", "$never": "z"}, '"never"'),
    ]
    for args, problem in wrong:
        said = " ".join(converted.checker.problems(args))
        assert "$" not in said
        assert "filter[id]" not in said
        assert problem in said


@pytest.mark.faults("T18")
def test_what_cannot_be_read_is_told_under_the_name_that_was_shown() -> None:
    codec = convert(tool(**{"$m": {"type": "object", "additionalProperties": {"type": "integer"}}}), "full").codec
    with pytest.raises(ArgumentsError, match="/m/1/key: 'a' is given twice"):
        codec.decode({"m": [{"key": "a", "value": 1}, {"key": "a", "value": 2}]})


@pytest.mark.faults("T18")
def test_the_reason_points_into_the_schema_as_it_was_sent() -> None:
    reason = convert(tool(**{"$m": {"type": "object", "properties": {"$x": {}}}})).reason
    assert reason is not None
    assert reason.pointer == "/properties/$m/properties/$x"


@pytest.mark.faults("T18")
def test_nulls_under_the_servers_own_names_are_dropped_too() -> None:
    schema = {"type": "object", "properties": {"$a": {"type": "string"}}}
    for level in LEVELS:
        assert convert(schema, level).codec.decode({"$a": None}) == {}
