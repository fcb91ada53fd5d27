"""Output schemas, for programs that the model writes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agents import FunctionTool
from agents.items import ItemHelpers
from hypothesis import given
from toolgraft.content import to_result
from toolgraft.shown import for_model
from toolgraft_openai_agents.programs import output_json_schema, to_program_output

from tests.content.json_values import ANY_JSON, RESULTS
from tests.openai_output.payloads import call
from tests.servers.every_result import IMAGE, OUTPUT, TEXT, content


def schema_of(schema: Any) -> dict[str, Any] | None:
    return output_json_schema(schema)


def told(raw: dict[str, Any]) -> str:
    result = to_result(raw)
    return to_program_output(result, for_model(result))


def test_a_schema_that_requires_all_its_members_is_given() -> None:
    assert schema_of(OUTPUT) == {**OUTPUT, "additionalProperties": False}


@pytest.mark.parametrize(
    "schema",
    [
        None,
        {},
        {"type": "object"},
        {"type": "array", "items": {}},
        {**OUTPUT, "required": []},
        {"type": "object", "properties": {"n": {"type": "integer", "default": 1}}},
        {**OUTPUT, "additionalProperties": True},
        {**OUTPUT, "additionalProperties": {"type": "string"}},
        {**OUTPUT, "properties": {"n": {"type": "object", "properties": {"deep": {}}, "required": []}}},
        {**OUTPUT, "properties": {"n": {"type": "object", "additionalProperties": {"type": "string"}}}},
    ],
)
def test_a_schema_that_would_promise_more_than_the_server_does_is_not(schema: Any) -> None:
    assert schema_of(schema) is None


@given(ANY_JSON)
def test_what_is_given_is_always_taken_by_the_sdk(schema: Any) -> None:
    given = schema_of({**OUTPUT, "x": schema, "properties": {"n": schema}})
    if given is not None:

        async def invoke(*_: Any) -> str:
            return "{}"

        FunctionTool("t", "", {"type": "object"}, invoke, strict_json_schema=False, output_json_schema=given)


@given(RESULTS)
def test_every_answer_is_the_json_object_that_the_sdk_insists_on(raw: dict[str, Any]) -> None:
    ItemHelpers.tool_call_output_item(call(), told(raw), output_json_schema=OUTPUT)


def test_an_answer_is_the_structured_object_or_says_what_went_wrong() -> None:
    assert told(content(TEXT, structuredContent={"n": 1})) == '{"n":1}'
    assert told(content(TEXT, structuredContent={"n": 1}, isError=True)).startswith('{"error":"a text')
    assert "a text" in json.loads(told(content(TEXT)))["error"]
    assert json.loads(told(content(IMAGE, isError=True))) == {"error": "The tool failed."}
