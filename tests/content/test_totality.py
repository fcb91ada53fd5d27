"""Whatever a server sends, a result comes out of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft.content import to_result
from toolgraft.result import Audio, File, Image, Text
from toolgraft.shown import for_model

from tests.content.json_values import ANY_JSON, GOOD, RESULTS


@given(RESULTS | ANY_JSON)
def test_no_json_makes_the_conversion_raise(raw: Any) -> None:
    result = to_result(raw)
    shown = for_model(result)
    assert shown.parts
    assert shown.is_error == result.is_error
    assert all(part.text.strip() for part in shown.parts if isinstance(part, Text))
    shown.text.encode()


@given(st.lists(GOOD, max_size=6))
def test_blocks_become_parts_one_by_one_in_order(blocks: list[dict[str, Any]]) -> None:
    parts = to_result({"content": blocks}).parts
    assert [part.origin for part in parts] == [block["type"] for block in blocks]


@given(st.lists(GOOD, max_size=6), st.booleans())
def test_what_is_for_the_user_only_is_kept_and_not_shown(blocks: list[dict[str, Any]], error: bool) -> None:
    for block in blocks:
        block["annotations"] = {"audience": ["user"]}
    result = to_result({"content": blocks, "isError": error})
    (note,) = for_model(result).parts
    assert len(result.parts) == len(blocks)
    assert isinstance(note, Text)
    assert note.text.startswith("The tool")


@pytest.mark.faults("R10")
@given(RESULTS)
def test_no_bytes_of_a_part_are_shown_as_text(raw: dict[str, Any]) -> None:
    result = to_result(raw)
    text = for_model(result).text
    for part in result.parts:
        if isinstance(part, Image | Audio | File) and len(part.data) >= 40:
            assert part.data not in text


HUGE = 10**5_000  # more digits than Python writes


ODD = [HUGE, [HUGE], {"n": HUGE}, {"result": HUGE}, float("inf"), object(), {1: 2}, b"x"]


@pytest.mark.parametrize("value", ODD, ids=[str(number) for number in range(len(ODD))])
def test_values_that_no_json_has_are_survived(value: Any) -> None:
    notes = {"priority": value, "audience": [value]}
    blocks = [{"type": "text", "text": value, "annotations": notes}, {"type": value}, {"type": "text", "text": "1"}]
    link = {"type": "resource_link", "uri": "a:b", "size": value}
    result = to_result({"content": [*blocks, link], "structuredContent": value, "isError": value, "_meta": value})
    assert result.parts[0].priority is None
    assert for_model(result).text


def test_depth_beyond_any_parser_is_survived() -> None:
    deep: Any = []
    for _ in range(50_000):
        deep = [deep]
    result = to_result({"content": [deep, {"type": "text", "text": "[1]"}], "structuredContent": deep})
    assert for_model(result).text
