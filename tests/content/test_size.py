"""The hard limit on what is taken from a server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from toolgraft.content import check_size
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
        check_size(raw, 1_000, REF)


@given(ANY_JSON)
def test_a_result_as_large_as_it_is_on_the_wire_passes_a_limit_ten_times_that(value: Any) -> None:
    size = len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    check_size({"structuredContent": value}, 10 * size + 100, REF)
