"""Values with characters that nobody sees: read under labels, sent as the server wrote them."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft.content.hidden import hidden_in, without_hidden
from toolgraft.schema import Strictness, convert

pytestmark = pytest.mark.faults("D12")

ZERO = "a\u200b"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "T\u202e",
    "description": "Read\u200b me.\x1b[31m",
    "properties": {
        "pick": {"enum": [ZERO, "a", "z\u202e", "plain"], "description": "one\u2063 of"},
        "deep": {"type": "array", "items": {"$ref": "#/$defs/kind"}},
        "either": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"kind": {"const": ZERO}, "n": {"type": "integer"}},
                    "required": ["kind"],
                },
                {
                    "type": "object",
                    "properties": {"kind": {"const": "b"}, "t": {"type": "string"}},
                    "required": ["kind"],
                },
            ]
        },
        "said": {"type": "string", "default": "x\u200b", "examples": ["y\u200b"]},
        "odd\u200bname": {"type": "string", "pattern": "^[^\u200b]+$"},
        "enum": {"type": "string", "enum": ["c\u200b"]},
    },
    "required": ["pick"],
    "$defs": {"kind": {"type": "string", "enum": ["k\u200b", "l"]}},
}


@pytest.mark.parametrize("strict", ["natural", "full", False])
def test_no_form_shows_what_nobody_sees_and_values_come_back_exactly(strict: Strictness) -> None:
    shown = convert(SCHEMA, strict).without_hidden()
    for form in (shown.plain, shown.strict):
        assert not hidden_in(json.dumps(form, ensure_ascii=False))
        assert "\\u001b" not in json.dumps(form)
    assert shown.plain["properties"]["pick"]["enum"] == ["a\\u200b", "a", "z", "plain"]
    assert not hidden_in(shown.notes)
    wanted = {
        "pick": ZERO,
        "deep": ["k\u200b", "l"],
        "either": {"kind": ZERO, "n": 1},
        "said": "free a",
        "odd\u200bname": "x",
        "enum": "c\u200b",
    }
    written = shown.codec.encode(wanted)
    assert not hidden_in(json.dumps(written, ensure_ascii=False))
    assert shown.codec.decode(written) == wanted
    assert shown.codec.decode({"pick": "a"}) == {"pick": "a"}
    assert shown.codec.decode({"pick": "z"}) == {"pick": "z\u202e"}
    assert shown.codec.decode({"pick": ZERO}) == {"pick": ZERO}, "the exact value is taken too"
    assert not shown.checker.problems(wanted)
    assert pickle.loads(pickle.dumps(shown)).plain == shown.plain


def test_the_schema_itself_and_forms_that_are_to_be_exact_stay() -> None:
    before = json.dumps(SCHEMA)
    exact = convert(SCHEMA)
    convert(SCHEMA).without_hidden().strict  # noqa: B018
    assert json.dumps(SCHEMA) == before
    assert exact.plain["properties"]["pick"]["enum"][0] == ZERO


@pytest.mark.parametrize("strict", ["natural", "full", False])
def test_objects_and_lists_that_are_fixed_values_come_back_exactly(strict: Strictness) -> None:
    fixed = {"k": ["v\u200b", 1]}
    schema = {"type": "object", "properties": {"o": {"enum": [fixed, {"k": ["v", 1]}]}}, "required": ["o"]}
    shown = convert(schema, strict).without_hidden()
    assert shown.codec.decode(shown.codec.encode({"o": fixed})) == {"o": fixed}
    assert not hidden_in(json.dumps(shown.strict or shown.plain, ensure_ascii=False))


TEXTS = st.text(st.sampled_from("ab\u200b\u202e\x1b[m\ufe0f\\u_"), max_size=6)


@given(st.lists(TEXTS, min_size=1, max_size=6, unique=True), st.sampled_from(["natural", "full", False]))
def test_no_two_values_have_the_same_label_and_each_label_is_its_value(values: list[str], strict: Strictness) -> None:
    schema = {"type": "object", "properties": {"v": {"type": "string", "enum": values}}, "required": ["v"]}
    shown = convert(schema, strict).without_hidden()
    labels = shown.plain["properties"]["v"]["enum"]
    assert len(set(labels)) == len(values)
    for label, value in zip(labels, values, strict=True):
        assert without_hidden(label) == label
        assert shown.codec.decode({"v": label}) == {"v": value}
        assert shown.codec.decode(shown.codec.encode({"v": value})) == {"v": value}
