"""What a model is shown of a failed call."""

from __future__ import annotations

from typing import Any

import pytest
from toolgraft import Limits, ToolRef
from toolgraft.content import to_result
from toolgraft.errors import ArgumentsError, ProtocolError
from toolgraft.shown import for_model


@pytest.mark.faults("T9")
def test_a_large_error_is_cut_and_says_so() -> None:
    raw: Any = {
        "content": [{"type": "text", "text": "why it failed " + "x" * 20_000_000 + " the end"}],
        "isError": True,
    }
    shown = for_model(to_result(raw))
    assert len(shown.text) < 51_000
    assert shown.text.startswith("why it failed")
    assert shown.text.endswith("the end")
    assert "left out here; the whole error is in" in shown.text


@pytest.mark.faults("T9")
def test_the_structured_body_of_an_error_is_cut_as_well() -> None:
    raw: Any = {"content": [], "structuredContent": {"trace": ["line"] * 1_000_000}, "isError": True}
    assert len(for_model(to_result(raw), Limits(error_text=1_000)).text) < 1_200


@pytest.mark.faults("T9")
def test_the_message_of_a_refused_call_is_bearable() -> None:
    error = ProtocolError(ToolRef("s", "t"), "y" * 20_000_000, code=-32000)
    assert len(str(error)) < 51_000
    assert str(error).endswith("(error -32000)")
    wrong = ArgumentsError(None, [f"/{index}: wrong" for index in range(5_000)])
    assert "and 4,980 more" in str(wrong)
    assert len(wrong.problems) == 5_000


@pytest.mark.faults("T35")
def test_an_empty_structured_value_beside_a_text_is_not_shown() -> None:
    raw: Any = {"content": [{"type": "text", "text": "done"}], "structuredContent": {}}
    assert for_model(to_result(raw)).text == "done"
    assert for_model(to_result({"content": [], "structuredContent": {}})).text == "{}"


@pytest.mark.faults("T45")
def test_structured_content_and_the_line_of_its_source_are_settings() -> None:
    text = {"type": "text", "text": "a summary"}
    raw: Any = {"content": [text], "structuredContent": {"rows": [1]}}
    assert "rows" in for_model(to_result(raw)).text
    assert for_model(to_result(raw), Limits(structured="no_text")).text == "a summary"
    assert "rows" in for_model(to_result({**raw, "content": []}), Limits(structured="no_text")).text
    assert for_model(to_result(raw), Limits(structured="never")).text == "a summary"
    embedded = {"type": "resource", "resource": {"uri": "a://b", "text": '{"a": 1}', "mimeType": "application/json"}}
    assert for_model(to_result({"content": [embedded]})).text.startswith("[a://b")
    assert for_model(to_result({"content": [embedded]}), Limits(source_line=False)).text == '{"a": 1}'
