"""Results in LangChain, up to the payloads that its model classes would send."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from langchain_core.messages import ToolMessage
from langchain_core.tools.base import TOOL_MESSAGE_BLOCK_TYPES
from toolgraft.content import to_result
from toolgraft.shown import for_model
from toolgraft_langchain.output import WHOLE_AT, to_artifact, to_content

from tests.content.json_values import RESULTS
from tests.langchain_output.payloads import CALL_ID, anthropic, chat_completions, conversation, responses
from tests.servers.every_result import ALL, IMAGE, PDF, PNG, TEXT, content
from tests.snapshots import matches

HERE = Path(__file__).parent


def message(raw: dict[str, Any], **options: Any) -> ToolMessage:
    result = to_result(raw)
    shown = for_model(result, whole_at=WHOLE_AT, **options)
    status = "error" if result.is_error else "success"
    return ToolMessage(to_content(shown), tool_call_id=CALL_ID, name="t", artifact=to_artifact(result), status=status)


@pytest.mark.faults("R1", "R2", "R3", "R5", "R6", "R7", "R9", "R11", "R16", "R17", "R18", "R19", "R25")
@pytest.mark.parametrize("name", ALL)
def test_every_shape_is_as_it_was(name: str) -> None:
    told = message(ALL[name])
    matches(
        HERE / "shapes.json",
        name,
        {
            "content": told.content,
            "as_blocks": to_content(for_model(to_result(ALL[name]), whole_at=WHOLE_AT), "blocks"),
            "status": told.status,
            "artifact": told.artifact,
        },
    )


@pytest.mark.faults("R9", "R10", "R13", "R19")
@pytest.mark.parametrize("name", ALL)
def test_every_shape_is_carried_by_real_payloads(name: str) -> None:
    messages = conversation(message(ALL[name]))
    carried = {"chat_completions": chat_completions(messages), "responses": responses(messages)}
    matches(HERE / "payloads.json", name, {**carried, "anthropic": anthropic(messages)})


def test_a_file_is_carried_by_the_payloads_that_take_files() -> None:
    pdf = content({"type": "resource", "resource": {"uri": "file:///a.pdf", "blob": PDF}})
    messages = conversation(message(pdf, files=frozenset({"application/pdf"})))
    url = f"data:application/pdf;base64,{PDF}"
    assert responses(messages)[0]["output"] == [{"type": "input_file", "filename": "a.pdf", "file_data": url}]
    document = anthropic(messages)[0]["content"][0]["content"][0]
    assert document["type"] == "document"
    assert document["source"] == {"type": "base64", "media_type": "application/pdf", "data": PDF}


@pytest.mark.parametrize("raw", [content(IMAGE, isError=True), content(TEXT, IMAGE, isError=True)])
def test_an_error_is_text_only_since_anthropic_refuses_anything_else_from_then_on(raw: dict[str, Any]) -> None:
    told = message(raw)
    (tool_result,) = anthropic(conversation(told))[0]["content"]
    assert tool_result["is_error"]
    assert isinstance(tool_result["content"], str)
    assert PNG not in tool_result["content"]
    assert told.artifact["parts"][-1]["data"] == PNG


@pytest.mark.faults("R20")
def test_one_text_is_a_string_or_one_block_by_setting() -> None:
    shown = for_model(to_result(content(TEXT)))
    assert to_content(shown) == "a text"
    assert to_content(shown, "blocks") == [{"type": "text", "text": "a text"}]


@pytest.mark.faults("R10")
@given(RESULTS)
def test_no_result_is_turned_into_a_string_by_langchain(raw: dict[str, Any]) -> None:
    told = message(raw)
    blocks = told.content if isinstance(told.content, list) else []
    assert all(isinstance(block, dict) and block["type"] in TOOL_MESSAGE_BLOCK_TYPES for block in blocks)
    assert all("id" not in block for block in blocks)
    assert told.content


@pytest.mark.faults("R1", "R26")
def test_the_artifact_is_plain_json_with_all_that_was_sent() -> None:
    raw = content(TEXT, {**IMAGE, "annotations": {"audience": ["user"]}}, structuredContent={"a": [1]}, _meta={"m": 1})
    artifact = message(raw).artifact
    assert json.loads(json.dumps(artifact)) == artifact
    assert artifact == {
        "parts": [
            {"type": "text", "text": "a text", "origin": "text"},
            {"type": "image", "data": PNG, "mime_type": "image/png", "origin": "image", "audience": ["user"]},
        ],
        "structured_content": {"a": [1]},
        "is_error": False,
        "meta": {"m": 1},
        "warnings": [],
    }


def test_the_artifact_tells_no_structured_value_from_null() -> None:
    assert "structured_content" not in message(content(TEXT)).artifact
    assert message(content(TEXT, structuredContent=None)).artifact["structured_content"] is None
