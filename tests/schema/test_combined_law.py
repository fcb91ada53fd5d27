"""The laws of the forms, over schemas in which any keywords stand beside each other."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolgraft.schema import Converted, convert
from toolgraft.schema.language.keywords import TAKEN_NAME, is_list, is_object, same

from tests.schema.combined import combined_schema, combined_value, mended, shut
from tests.schema.made_up import valid

Node = dict[str, Any]
LAW = settings(max_examples=600, deadline=None, derandomize=True)
seeds = st.integers(0, 2**64)
levels = st.sampled_from(["natural", "full"])


def declared_everywhere(converted: Converted, schema: Node) -> Node:
    """The plain form with the members that it has in any case: others are offered as the part has them that does.

    Where the form is closed, those others are a part of what it says, and stay.
    """
    form = converted.plain
    if form.get("additionalProperties") is False or not schema.keys() & {*_IN_SOME_CASES, "allOf", "$ref"}:
        return form
    own = convert({**without_choices(schema, schema["$defs"]), "$defs": schema["$defs"]}, False).plain
    shared = {name: each for name, each in form["properties"].items() if name in own["properties"]}
    return {key: each for key, each in form.items() if key != "additionalProperties"} | {"properties": shared}


_IN_SOME_CASES = frozenset({"anyOf", "oneOf", "if", "then", "else", "dependentSchemas"})


def without_choices(node: Node, defs: Node, passed: frozenset[str] = frozenset()) -> Node:
    """What a schema says in any case, also by what applies in its place: `allOf` and references."""
    kept = {key: each for key, each in node.items() if key not in _IN_SOME_CASES and key not in ("allOf", "$ref")}
    parts = list(node.get("allOf", ()))
    name = str(node.get("$ref", "")).removeprefix("#/$defs/")
    if name in defs and name not in passed:
        parts.append(defs[name])
        passed |= {name}
    within = [without_choices(each, defs, passed) if is_object(each) else each for each in parts]
    return {**kept, "allOf": within} if within else kept


@pytest.mark.faults("T42", "T36", "T22")
@LAW
@given(seeds)
def test_what_is_read_takes_exactly_what_the_server_takes(seed: int) -> None:
    rng = Random(seed)
    schema = combined_schema(rng)
    checker = convert(schema, False).checker
    for _ in range(4):
        args = combined_value(rng, schema, schema)
        assert (not checker.problems(args)) == valid(schema, args)


@pytest.mark.faults("T42", "T36", "T18")
@LAW
@given(seeds)
def test_the_plain_form_takes_all_that_the_server_takes(seed: int) -> None:
    rng = Random(seed)
    schema = combined_schema(rng)
    converted = convert(schema, False)
    form = declared_everywhere(converted, schema)
    for _ in range(4):
        args = combined_value(rng, schema, schema)
        if valid(schema, args):
            written = converted.codec.encode(args)
            assert valid(form, written)
            assert same(converted.codec.decode(written), args)


@pytest.mark.faults("T42", "T36", "T22")
@LAW
@given(seeds, levels)
def test_what_the_server_takes_can_be_written_in_the_strict_form(seed: int, level: Any) -> None:
    rng = Random(seed)
    schema = combined_schema(rng)
    converted = convert(schema, level)
    if converted.strict is None:
        assert level == "natural"
        return
    as_closed = shut(schema)
    for _ in range(4):
        args = combined_value(rng, schema, schema)
        if valid(schema, args) and valid(as_closed, args):
            written = converted.codec.encode(args)
            assert valid(converted.strict, written)
            assert same(converted.codec.decode(written), args)


@pytest.mark.faults("T21")
@LAW
@given(seeds)
def test_null_for_a_schema_says_nothing(seed: int) -> None:
    rng = Random(seed)
    schema = combined_schema(rng, nulls=True)
    meant = mended(schema)
    checker = convert(schema, False).checker
    for _ in range(4):
        args = combined_value(rng, meant, meant)
        assert (not checker.problems(args)) == valid(meant, args)


@pytest.mark.faults("T18")
@LAW
@given(seeds, levels)
def test_no_form_declares_a_name_that_providers_refuse(seed: int, level: Any) -> None:
    converted = convert(combined_schema(Random(seed)), level)
    for form in (converted.plain, converted.strict or {}):
        assert all(map(TAKEN_NAME.fullmatch, _declared(form)))


def _declared(schema: Any) -> set[str]:
    if is_list(schema):
        return set[str]().union(*map(_declared, schema))
    if not is_object(schema):
        return set()
    found = set[str](schema.get("properties", ()))
    return found.union(*(_declared(each) for key, each in schema.items() if key not in ("enum", "const", "default")))
