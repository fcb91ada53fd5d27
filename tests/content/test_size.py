"""The hard limit on what is taken from a server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import integers
from toolgraft.config import Limits
from toolgraft.content import check_size
from toolgraft.content.size import has_more_values, is_large
from toolgraft.errors import ResultError
from toolgraft.spec import ToolRef

from tests.content.json_values import ANY_JSON

REF = ToolRef("files", "read")


@pytest.mark.faults("R22")
@pytest.mark.parametrize(
    "raw",
    [
        {"content": [{"type": "text", "text": "x" * 2_000}]},
        {"content": [{"type": "image", "data": "x" * 2_000}]},
        {"content": [], "structuredContent": {"x" * 2_000: 1}},
        {"content": [], "structuredContent": [0] * 2_000},
        {"content": [{"type": "text", "text": "東" * 400}]},
    ],
)
def test_a_result_over_the_limit_is_refused_with_an_error_that_says_the_tool_ran(raw: dict[str, Any]) -> None:
    with pytest.raises(ResultError, match=r"tool 'read' of server 'files': the tool ran, but .* 1,000 bytes"):
        check_size(raw, Limits(wire_bytes=1_000), REF)


@given(ANY_JSON)
def test_a_result_as_large_as_it_is_on_the_wire_passes_a_limit_ten_times_that(value: Any) -> None:
    size = len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    check_size({"structuredContent": value}, Limits(wire_bytes=10 * size + 100), REF)


SIZES: list[tuple[dict[str, Any], bool]] = [
    ({"structuredContent": [0] * 900}, True),
    ({"structuredContent": [0] * 1_100}, False),
    ({"structuredContent": {str(name): {} for name in range(1_100)}}, False),
    ({"structuredContent": [[[[0]]]] * 300}, False),
    ({"_meta": {str(name): 0 for name in range(1_100)}}, False),
    ({"content": [{}] * 90}, True),
    ({"content": [0] * 110}, False),
    ({"content": [{"type": "text", "text": ",[{" * 5_000}]}, True),
]


@pytest.mark.faults("T6")
@pytest.mark.parametrize(("raw", "within"), SIZES)
def test_a_result_of_too_many_values_is_refused_with_an_error_that_says_the_tool_ran(
    raw: dict[str, Any], within: bool
) -> None:
    limits = Limits(wire_values=1_000)
    if within:
        check_size(raw, limits, REF)
        return
    with pytest.raises(ResultError, match=r"the tool ran, but .* 1,000 values .*\(Limits\.wire_values\)"):
        check_size(raw, limits, REF)


@pytest.mark.faults("T6")
@given(ANY_JSON, integers(0, 12))
def test_the_values_of_a_json_text_are_counted_without_reading_it(value: Any, most: int) -> None:
    for separators in ((",", ":"), (", ", ": ")):
        text = json.dumps(value, separators=separators).encode()
        assert has_more_values(text, most) == is_large(value, most)
