"""Anthropic's strict mode: its own subset, within what one request may have."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft.dialects import strict_within
from toolgraft.schema import Converted, convert

from tests.dialects.test_forms import closed, made, schemas_in

Node = dict[str, Any]


def tool(optional: int = 0, unions: int = 0, required: int = 1) -> Converted:
    members: Node = {f"o{each}": {"type": "string"} for each in range(optional)}
    needed = [f"r{each}" for each in range(required)]
    members |= {name: {"type": "string"} for name in needed}
    unioned = {f"u{each}": {"anyOf": [{"type": "string"}, {"type": "integer"}]} for each in range(unions)}
    return convert({"type": "object", "properties": {**members, **unioned}, "required": [*needed, *unioned]})


def test_members_stay_optional_and_objects_are_closed() -> None:
    (schema,) = strict_within([convert({"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}})])
    assert schema is not None
    assert schema["additionalProperties"] is False
    assert "a" not in schema.get("required", ())
    assert schema["properties"]["a"] == {"type": "string", "description": "Maximum length: 3."}


@pytest.mark.parametrize(
    ("tools", "strict"),
    [
        ([tool()] * 22, 20),
        ([tool(optional=10)] * 4, 2),
        ([tool(unions=5)] * 5, 3),
        ([tool(optional=25), tool(optional=1)], 1),
    ],
)
def test_a_request_has_no_more_strict_tools_members_and_unions_than_it_may(tools: list[Converted], strict: int) -> None:
    chosen = strict_within(tools)
    assert len(chosen) == len(tools)
    assert sum(each is not None for each in chosen) == strict


def test_what_cannot_be_closed_or_comes_back_to_itself_is_plain() -> None:
    node = closed({"kids": {"type": "array", "items": {"$ref": "#/$defs/N"}}})
    recursive = convert({"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}, "$defs": {"N": node}})
    a_map = convert({"type": "object", "properties": {"m": {"type": "object"}}})
    assert strict_within([recursive, a_map, tool()])[:2] == [None, None]


@given(st.integers(0, 2**40))
def test_every_strict_form_keeps_to_the_subset(seed: int) -> None:
    found = made(seed)
    (form,) = strict_within([found[1]]) if found else (None,)
    if form is None:
        return
    for node in schemas_in(form):
        if "properties" in node or node.get("type") == "object":
            assert node["additionalProperties"] is False
        assert not node.keys() & {"minimum", "maximum", "minLength", "maxLength", "pattern", "oneOf", "allOf", "not"}
