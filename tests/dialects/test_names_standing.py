"""No name of an argument, or of a member of one, is dropped in silence by the form of any dialect."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft.dialects import DIALECTS, PORTABLE, Dialect, dialect_named
from toolgraft.errors import SchemaError
from toolgraft.schema import Converted, convert
from toolgraft.schema.language.keywords import is_list, is_object

from tests.dialects.standing import ALL, EVERYWHERE, missing, names
from tests.schema.combined import combined_schema
from tests.schema.made_up import tool_schema

Node = dict[str, Any]

GEMINI, OLLAMA, COHERE = dialect_named("gemini"), dialect_named("ollama"), dialect_named("cohere")

DIFFERENT: Final = [*{(each.strict, each.redraw, each.redraw_strict): each for each in reversed(DIALECTS)}.values()]
"""One of each group of dialects that give the same forms."""

REDUCED: Final = [PORTABLE, GEMINI, COHERE]
"""Those whose forms are for converters that carry members, items and alternatives at most."""


def missing_of(dialect: Dialect, converted: Converted) -> set[str]:
    form = dialect.form(converted)
    told = dialect.described(converted, converted.described("Does it."))
    wanted = converted.plain if not form.strict else converted.strict or {}
    return missing(wanted, form.schema, told, EVERYWHERE if dialect in REDUCED else ALL)


def distinct(schema: Node) -> Node:
    """A schema in which every member has a name of its own."""
    counted = iter(range(1_000_000))

    def renamed(node: Any) -> Any:
        if is_list(node):
            return [renamed(each) for each in node]
        if not is_object(node):
            return node
        new = {name: f"m{next(counted)}z" for name in node.get("properties", {})}
        out: Node = {}
        for key, value in node.items():
            if key == "properties":
                out[key] = {new[name]: renamed(each) for name, each in value.items()}
            elif key == "required":
                out[key] = [new.get(name, name) for name in value]
            elif key in ("patternProperties", "dependentSchemas", "$defs"):
                out[key] = {name: renamed(each) for name, each in value.items()}
            else:
                out[key] = value if key in ("enum", "const", "default", "dependentRequired") else renamed(value)
        return out

    return renamed(schema)


@pytest.mark.parametrize("dialect", DIFFERENT, ids=lambda each: each.name)
@given(st.integers(0, 2**40))
def test_every_name_in_a_made_up_schema_stands_in_the_form(dialect: Dialect, seed: int) -> None:
    rng = Random(seed)
    schema = distinct(tool_schema(rng) if seed % 2 else combined_schema(rng))
    try:
        converted = convert(schema)
    except SchemaError:
        return
    assert missing_of(dialect, converted) == set()


@pytest.mark.parametrize("dialect", DIFFERENT, ids=lambda each: each.name)
def test_every_name_in_a_real_tool_stands_in_the_form(corpus: Path, dialect: Dialect) -> None:
    lost: dict[str, set[str]] = {}
    for path in sorted(corpus.glob("*.json")):
        for tool in json.loads(path.read_text("utf-8"))["tools"]:
            try:
                converted = convert(tool["inputSchema"])
            except SchemaError:
                continue
            if gone := missing_of(dialect, converted):
                lost[f"{path.stem}/{tool['name']}"] = gone
    assert lost == {}


def _wide(levels: int, members: int) -> Node:
    """Definitions of many members, each of which refers to all that follow."""
    defs: Node = {}
    for level in range(levels):
        links = {f"to_{level}_{other}": {"$ref": f"#/$defs/D{other}"} for other in range(level + 1, levels)}
        own = {f"own_{level}_{each}": {"type": "string", "description": "said " * 9} for each in range(members)}
        defs[f"D{level}"] = {"type": "object", "properties": {**own, **links}}
    return {"type": "object", "properties": {"top": {"$ref": "#/$defs/D0"}}, "$defs": defs}


@pytest.mark.parametrize("dialect", [GEMINI, OLLAMA, COHERE], ids=lambda each: each.name)
@pytest.mark.parametrize(("levels", "members"), [(14, 20), (3, 400), (40, 5)])
def test_members_beyond_every_limit_are_told_by_their_names(dialect: Dialect, levels: int, members: int) -> None:
    converted = convert(_wide(levels, members))
    assert len(names(converted.plain)) >= levels * members
    assert missing(converted.plain, dialect.form(converted).schema) == set()


def test_more_names_than_any_model_reads_are_counted() -> None:
    lots: Node = {f"member_of_a_long_name_{each}": {"type": "string"} for each in range(4_000)}
    converted = convert({"type": "object", "properties": {"value": {"type": "object", "properties": lots}}})
    told = COHERE.form(converted).schema["properties"]["value"]["description"]
    shown = sum(name in told for name in lots)
    assert f"and {4_000 - shown} more." in told
    assert shown > 1_000
    assert len(told) < 60_000


def _chain(levels: int) -> Node:
    defs: Node = {
        f"D{each}": {"type": "object", "properties": {f"m{each}": {"$ref": f"#/$defs/D{each + 1}"}}}
        for each in range(levels)
    }
    leaf: Node = {"type": "object", "properties": {"leaf": {"type": "string"}}}
    return {"type": "object", "properties": {"p": {"$ref": "#/$defs/D0"}}, "$defs": {**defs, f"D{levels}": leaf}}


def _nested(levels: int, wrap: Any) -> Node:
    node: Node = {"type": "string"}
    for level in range(levels):
        node = wrap(node, level)
    return {"type": "object", "properties": {"p": node}}


def _beside(node: Node, level: int) -> Node:
    choice: list[Node] = [{"required": [f"a{level}"]}, {"properties": {f"b{level}": {"type": "string"}}}]
    return {"type": "object", "properties": {f"a{level}": node}, "anyOf": choice}


def _parts(node: Node, level: int) -> Node:
    parts: list[Node] = [{"oneOf": [{"required": ["x"]}, {"required": [name]}]} for name in ("y", "z")]
    return {"type": "object", "properties": {f"a{level}": node}, "allOf": parts}


def _map(node: Node, level: int) -> Node:
    return {"type": "object", "properties": {f"a{level}": {"type": "string"}}, "additionalProperties": node}


HUGE: Final = {
    "a chain of references": _chain(600),
    "members beside choices": _nested(40, _beside),
    "parts within parts": _nested(40, _parts),
    "maps of maps": _nested(40, _map),
}


@pytest.mark.parametrize("dialect", DIFFERENT, ids=lambda each: each.name)
@pytest.mark.parametrize("shape", HUGE)
def test_what_doubles_at_each_level_stays_small(dialect: Dialect, shape: str) -> None:
    converted = convert(HUGE[shape])
    started = time.process_time()
    form = dialect.form(converted)
    assert time.process_time() - started < 20  # minutes, or all memory, where nothing bounds it
    assert len(json.dumps(form.schema)) < 400_000
    assert missing_of(dialect, converted) == set()
