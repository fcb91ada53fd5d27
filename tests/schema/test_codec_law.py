"""The law of the codec, over made-up schemas."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolgraft.errors import ArgumentsError
from toolgraft.schema import convert, lint
from toolgraft.schema.language.keywords import same

from tests.schema.made_up import tool_schema, valid, value, without_nulls

LAW = settings(max_examples=250, deadline=None, derandomize=True)
seeds = st.integers(0, 2**64)
modes = st.sampled_from(["natural", "full"])


def told_beyond_shape(strict: Any) -> bool:
    """Whether constraints were moved to a description, so that the check before the call must hold them."""
    return "that fits" in json.dumps(strict)


@LAW
@given(seeds, modes)
def test_what_fits_the_strict_schema_decodes_to_what_fits_the_servers(seed: int, mode: Any) -> None:
    rng = Random(seed)
    schema = tool_schema(rng)
    converted = convert(schema, mode)
    strict = converted.strict
    if strict is None:
        return
    assert lint(strict) == []
    for _ in range(5):
        written = value(rng, strict, strict)
        if not valid(strict, written):
            continue
        try:
            decoded = converted.codec.decode(written)
        except ArgumentsError:
            assert mode == "full" or "additional_properties" in strict["properties"]
            continue
        assert valid(schema, decoded) or told_beyond_shape(strict) or "oneOf" in json.dumps(schema)


@LAW
@given(seeds, modes)
def test_what_fits_the_servers_schema_can_be_written(seed: int, mode: Any) -> None:
    rng = Random(seed)
    schema = tool_schema(rng)
    converted = convert(schema, mode)
    assert converted.strict is not None or mode == "natural"
    if converted.strict is None:
        return
    for _ in range(5):
        args = value(rng, schema, schema)
        if not valid(schema, args):
            continue
        before = copy.deepcopy(args)
        written = converted.codec.encode(args)
        assert valid(converted.strict, written)
        decoded = converted.codec.decode(written)
        assert args == before
        if not same(decoded, args):  # absent and null mean the same where the schema says `default: null`
            assert '"default": null' in json.dumps(schema)
            assert same(without_nulls(decoded), without_nulls(args))


@LAW
@given(seeds)
def test_the_plain_form_is_never_narrower(seed: int) -> None:
    rng = Random(seed)
    schema = tool_schema(rng)
    for _ in range(5):
        args = value(rng, schema, schema)
        converted = convert(schema, False)
        assert not valid(schema, args) or valid(converted.plain, converted.codec.encode(args))


@LAW
@given(seeds, modes)
def test_arguments_that_already_fit_the_server_come_through(seed: int, mode: Any) -> None:
    rng = Random(seed)
    schema = tool_schema(rng)
    for _ in range(5):
        args = value(rng, schema, schema)
        if valid(schema, args):
            assert same(convert(schema, False).codec.decode(args), args)
            assert valid(schema, convert(schema).codec.decode(args))


@LAW
@given(seeds, modes)
def test_conversion_is_deterministic_and_leaves_the_schema_alone(seed: int, mode: Any) -> None:
    schema = tool_schema(Random(seed))
    before = json.dumps(schema)
    one, other = convert(schema, mode), convert(copy.deepcopy(schema), mode)
    assert json.dumps(one.strict) == json.dumps(other.strict)
    assert json.dumps(one.plain) == json.dumps(other.plain)
    assert one.reason == other.reason
    assert (one.strict is None) == (one.reason is not None)
    assert json.dumps(schema) == before


@pytest.mark.faults("A1")
@LAW
@given(seeds)
def test_no_optional_argument_is_forced(seed: int) -> None:
    schema = tool_schema(Random(seed), open_world=False)
    strict = convert(schema).strict
    if strict is None:
        return
    for name, member in zip(schema["properties"], strict["properties"].values(), strict=True):
        if name not in schema.get("required", ()):
            assert valid({**member, "$defs": strict.get("$defs", {})}, None)
