"""Results in the OpenAI Agents SDK, up to the payloads that it would send."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from agents.models.chatcmpl_converter import Converter
from hypothesis import given
from toolgraft.content import to_result
from toolgraft.shown import for_model
from toolgraft_openai_agents.output import FILES, WHOLE_AT, Output, custom_data, to_output

from tests.content.json_values import RESULTS
from tests.openai_output.payloads import CALL_ID, call, chat_completions, responses
from tests.servers.every_result import ALL, IMAGE, PDF, PNG, TEXT, content
from tests.snapshots import matches

HERE = Path(__file__).parent


def output(raw: dict[str, Any], **options: Any) -> Output:
    return to_output(for_model(to_result(raw), files=FILES, whole_at=WHOLE_AT), **options)


@pytest.mark.faults("R1", "R2", "R3", "R5", "R6", "R7", "R8", "R9", "R11", "R15", "R16", "R18", "R19", "R21", "R25")
@pytest.mark.parametrize("name", ALL)
def test_every_shape_is_as_it_was(name: str) -> None:
    item = responses(output(ALL[name]))
    messages = chat_completions([call().model_dump(exclude_none=True), item])
    matches(
        HERE / "shapes.json",
        name,
        {
            "responses": item["output"],
            "as_blocks": responses(output(ALL[name], single="blocks"))["output"],
            "chat_completions": messages[-1]["content"],
            "custom_data": custom_data(to_result(ALL[name])),
        },
    )


@pytest.mark.faults("R14", "R19")
@given(RESULTS)
def test_there_is_always_text_so_that_chat_completions_has_something_to_send(raw: dict[str, Any]) -> None:
    items: Any = [call().model_dump(exclude_none=True), responses(output(raw))]
    said = Converter.items_to_messages(items, strict_feature_validation=True)
    assert said[-1]["role"] == "tool"
    assert said[-1]["content"]


@pytest.mark.faults("R15")
@given(RESULTS)
def test_no_result_is_turned_into_a_python_repr(raw: dict[str, Any]) -> None:
    told = output(raw)
    item = responses(told)["output"]
    if isinstance(told, str):
        assert item == told
    else:
        assert len(item) == len(told)


@pytest.mark.faults("E3", "R8")
@pytest.mark.parametrize("name", [name for name, raw in ALL.items() if raw.get("isError") is True])
def test_an_error_begins_with_the_word_and_is_in_the_custom_data(name: str) -> None:
    told = output(ALL[name])
    first = told if isinstance(told, str) else next(one.text for one in told if one.type == "text")
    assert first.startswith("Error: ")
    assert custom_data(to_result(ALL[name]))["mcp"]["is_error"] is True


@pytest.mark.faults("R9", "R13")
def test_a_picture_is_a_data_url_beside_a_line_of_text() -> None:
    assert responses(output(content(IMAGE)))["output"] == [
        {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"},
        {"type": "input_text", "text": "[The tool returned: image/png]"},
    ]


def test_a_pdf_is_a_file_with_a_name() -> None:
    pdf = content({"type": "resource", "resource": {"uri": "file:///q/a.pdf", "blob": PDF}})
    assert responses(output(pdf))["output"][0] == {
        "type": "input_file",
        "file_data": f"data:application/pdf;base64,{PDF}",
        "filename": "a.pdf",
    }


@pytest.mark.faults("R20")
def test_one_text_is_a_string_or_one_block_by_setting() -> None:
    assert output(content(TEXT)) == "a text"
    assert responses(output(content(TEXT), single="blocks"))["output"] == [{"type": "input_text", "text": "a text"}]


@pytest.mark.faults("R26")
@given(RESULTS)
def test_custom_data_is_json_that_the_sdk_takes(raw: dict[str, Any]) -> None:
    data = custom_data(to_result(raw))
    assert json.loads(json.dumps(data, allow_nan=False))["mcp"].keys() >= {"parts", "is_error", "meta", "warnings"}


def test_the_call_id_is_kept() -> None:
    assert responses(output(content(TEXT)))["call_id"] == CALL_ID
