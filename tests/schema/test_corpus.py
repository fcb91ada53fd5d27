"""The tool lists of real servers: everything loads, nothing unsound, nothing lost."""

from __future__ import annotations

import json
import os
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema_rs import Draft4Validator, Draft202012Validator
from llguidance import LLMatcher, LLTokenizer
from toolgraft.errors import ArgumentsError
from toolgraft.schema import Converted, convert, lint
from toolgraft.schema.language.keywords import is_list, is_object, same

from tests.schema.made_up import value, without_nulls

Node = dict[str, Any]

SHARE = 1 if os.environ.get("TOOLGRAFT_REQUIRE_ALL") else 4
"""One in so many tools is tried with made-up arguments; all of them where everything is run."""


@dataclass(frozen=True)
class Tool:
    """One tool of a real server, with both strict forms."""

    server: str
    name: str
    schema: Node
    natural: Converted
    full: Converted

    def __str__(self) -> str:
        return f"{self.server}.{self.name}"


@pytest.fixture(scope="module")
def tools(corpus: Path) -> list[Tool]:
    found: list[Tool] = []
    for path in sorted(corpus.glob("*.json")):
        listed = json.loads(path.read_text("utf-8"))
        for tool in listed["tools"]:
            schema = tool["inputSchema"]
            found.append(Tool(listed["server"], tool["name"], schema, convert(schema), convert(schema, "full")))
    return found


def some(tools: list[Tool], share: int) -> list[Tool]:
    """One in so many, always the same ones."""
    return [tool for tool in tools if zlib.crc32(str(tool).encode()) % share == 0]


def nodes(value: Any) -> Iterator[Node]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if is_object(one):
            yield one
            waiting += one.values()
        elif is_list(one):
            waiting += one


@pytest.mark.faults("S6")
def test_shares_reach_their_targets(tools: list[Tool]) -> None:
    counts = Counter({"natural": 0, "full": 0})
    for tool in tools:
        counts["natural"] += tool.natural.strict is not None
        counts["full"] += tool.full.strict is not None
        assert (tool.natural.strict is None) == (tool.natural.reason is not None)
    assert counts["natural"] / len(tools) >= 0.88
    assert counts["full"] / len(tools) >= 0.999


@pytest.mark.faults("S7", "S10")
def test_every_strict_schema_is_sound(tools: list[Tool]) -> None:
    for tool in tools:
        for converted in (tool.natural, tool.full):
            assert converted.strict is None or lint(converted.strict) == [], tool


def test_a_second_judge_compiles_the_strict_schemas_and_takes_what_is_encoded(tools: list[Tool]) -> None:
    tokens = LLTokenizer("byte")
    taken = 0
    for tool in some(tools, 12):
        for converted in (tool.natural, tool.full):
            if converted.strict is None:
                continue
            grammar = LLMatcher.grammar_from_json_schema(json.dumps(converted.strict))
            assert LLMatcher.validate_grammar(grammar, tokens) == "", tool
            for args in samples(tool, 1):
                written = in_order(converted.codec.encode(args), converted.strict, converted.strict)
                matcher = LLMatcher(tokens, grammar)
                text = tokens.tokenize_str(json.dumps(written, ensure_ascii=False))
                assert matcher.try_consume_tokens(text) == len(text), tool
                assert matcher.is_accepting(), tool
                taken += 1
    assert taken > 100


def in_order(value: Any, schema: Node, whole: Node) -> Any:
    """A value with its members in the schema's order, as constrained decoding writes them."""
    if "$ref" in schema:
        return in_order(value, whole["$defs"][schema["$ref"].removeprefix("#/$defs/")], whole)
    if "anyOf" in schema:
        fitting = (
            each
            for each in schema["anyOf"]
            if Draft202012Validator({**each, "$defs": whole.get("$defs", {})}).is_valid(value)
        )
        return in_order(value, next(fitting), whole)
    if is_object(value):
        return {name: in_order(value[name], each, whole) for name, each in schema["properties"].items()}
    return [in_order(each, schema["items"], whole) for each in value] if is_list(value) else value


def samples(tool: Tool, count: int) -> Iterator[Node]:
    """Arguments that fit the server's own schema."""
    rng = Random(str(tool))
    validator = of_server(tool)
    for _ in range(count * 4):
        empty = not tool.schema.get("properties")
        args: Node = {} if empty else value(rng, {"type": "object", **tool.schema}, tool.schema)
        if validator.is_valid(args):
            yield args
            count -= 1
        if not count:
            return


def of_server(tool: Tool) -> Draft202012Validator | Draft4Validator:
    """The server's own schema; the dialect that it names does not matter to what is tested here."""
    schema = {key: each for key, each in tool.schema.items() if key != "$schema"}
    draft_04 = any(isinstance(node.get("exclusiveMinimum"), bool) for node in nodes(schema))
    return (Draft4Validator if draft_04 else Draft202012Validator)(schema, validate_formats=True)


@pytest.mark.faults("A1", "A2")
def test_whatever_the_server_takes_can_be_written_and_read_back(tools: list[Tool]) -> None:
    checked, looked_at = 0, some(tools, SHARE)
    for tool in looked_at:
        for converted in (tool.natural, tool.full):
            strict = converted.strict
            if strict is None:
                continue
            validator = Draft202012Validator(strict)
            for args in samples(tool, 1):
                written = converted.codec.encode(args)
                assert validator.is_valid(written), tool
                assert same(without_nulls(converted.codec.decode(written)), without_nulls(args)), tool
                checked += 1
    assert checked > len(looked_at)


_MOVED = "minLength maxLength pattern format uniqueItems minProperties maxProperties not if propertyNames oneOf allOf"
MOVED = frozenset([*_MOVED.split(), "dependentRequired", "contains", "exclusiveMinimum", "patternProperties"])
"""What may be told in a description only, so that the check before the call must hold it."""


@pytest.mark.faults("A1", "A2")
def test_whatever_fits_a_strict_schema_reads_back_to_what_the_server_takes(tools: list[Tool]) -> None:
    checked, looked_at = 0, some(tools, SHARE)
    for tool in looked_at:
        if any(not MOVED.isdisjoint(node) or node.get("enum") == [] for node in nodes(tool.schema)):
            continue
        for converted in (tool.natural, tool.full):
            strict = converted.strict
            if strict is None or "that fits" in json.dumps(strict):
                continue
            written = value(Random(str(tool)), strict, strict)
            if not Draft202012Validator(strict).is_valid(written):
                continue
            try:
                decoded = converted.codec.decode(written)
            except ArgumentsError:
                continue
            assert of_server(tool).is_valid(decoded), tool
            checked += 1
    assert checked > len(looked_at) / 2


@pytest.mark.faults("A1")
def test_no_optional_argument_is_forced(tools: list[Tool]) -> None:
    for tool in tools:
        strict = tool.natural.strict or {}
        for name, member in strict.get("properties", {}).items():
            if name not in tool.schema.get("required", ()) and name in tool.schema.get("properties", {}):
                assert Draft202012Validator({**member, "$defs": strict.get("$defs", {})}).is_valid(None), (
                    f"{tool} {name}"
                )


@pytest.mark.faults("S1", "S2", "S3", "S14", "S16", "S20")
def test_every_plain_schema_is_what_all_providers_take(tools: list[Tool]) -> None:
    for tool in tools:
        served = tool.natural.plain
        assert served["type"] == "object"
        assert "properties" in served
        assert not {"anyOf", "oneOf", "allOf", "enum", "not"} & set(served), tool
        for name in served.get("$defs", {}):
            assert name
        for node in nodes({**served, "properties": list(served["properties"].values())}):
            kind = node.get("type")
            assert kind != "array" or "items" in node or "prefixItems" in node or "properties" in node, tool
            reference = node.get("$ref")
            if isinstance(reference, str):
                assert reference.removeprefix("#/$defs/") in served["$defs"], tool


def test_what_fits_the_servers_schema_fits_the_plain_one(tools: list[Tool]) -> None:
    for tool in some(tools, 6):
        validator = Draft202012Validator(tool.natural.plain)
        for args in samples(tool, 1):
            assert validator.is_valid(args), tool
