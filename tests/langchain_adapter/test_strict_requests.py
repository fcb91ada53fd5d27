"""Requests in which LangChain makes every tool strict, whatever the tool can bear."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any, cast

import langchain.agents as framework
import mcp_types as types
import pytest
from langchain_core.utils.function_calling import convert_to_openai_function, convert_to_openai_tool
from langchain_openai import ChatOpenAI
from mcp.server.lowlevel import Server
from pydantic import BaseModel
from toolgraft import InProcess
from toolgraft.schema import lint
from toolgraft_langchain import MCPTool, as_strict, graft
from toolgraft_langchain.forms import MARK

pytestmark = pytest.mark.anyio

TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}
NODE = {
    "type": "object",
    "properties": {"v": {"type": "string"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/N"}}},
    "required": ["v"],
    "additionalProperties": False,
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "a_map": {"type": "object", "properties": {"labels": TEXTS, "n": {"type": "integer"}}, "required": ["labels"]},
    "anything": {"type": "object", "properties": {"data": {}}},
    "open_root": {"type": "object"},
    "map_root": {"type": "object", "additionalProperties": {"type": "integer"}},
    "tuple": {"type": "object", "properties": {"p": {"prefixItems": [{"type": "integer"}, {"type": "string"}]}}},
    "recursive": {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}, "$defs": {"N": NODE}},
    "natural": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"]},
}


def bomb(wide: int, deep: int) -> dict[str, Any]:
    """A schema of a few kilobytes that is gigabytes where each reference is replaced."""
    defs: dict[str, Any] = {f"D{deep}": {"type": "string"}}
    for level in range(deep):
        members = {f"p{each}": {"$ref": f"#/$defs/D{level + 1}"} for each in range(wide)}
        defs[f"D{level}"] = {"type": "object", "properties": members, "additionalProperties": False}
    return {"type": "object", "properties": {"r": {"$ref": "#/$defs/D0"}}, "$defs": defs}


class Echo:
    """A server that notes what it is given."""

    def __init__(self, schemas: dict[str, dict[str, Any]]) -> None:
        self.given: list[Any] = []
        self._tools = [types.Tool(name=name, description="d", input_schema=one) for name, one in schemas.items()]
        self.server = InProcess(Server("echo", on_list_tools=self._list, on_call_tool=self._call), name="echo")

    async def _list(self, context: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self._tools)

    async def _call(self, context: Any, params: Any) -> types.CallToolResult:
        self.given.append(params.arguments)
        return types.CallToolResult(content=[types.TextContent(type="text", text="ok")])


class Verdict(BaseModel):
    good: bool


def model(**options: Any) -> Any:
    return ChatOpenAI(model="gpt-5", api_key="x", use_responses_api=False, **options)  # pyright: ignore[reportArgumentType]


def sent_by(bound: Any) -> dict[str, dict[str, Any]]:
    payload = bound.bound._get_request_payload("go", **bound.kwargs)
    return {tool["function"]["name"]: tool["function"] for tool in payload["tools"]}


REQUESTS: dict[str, Callable[[list[MCPTool]], Any]] = {
    "bind strict": lambda tools: model().bind_tools(tools, strict=True),
    "response format": lambda tools: model().bind_tools(tools, response_format=Verdict),
    "structured output": lambda tools: (
        model().with_structured_output(Verdict, tools=tools, strict=True, include_raw=True).first.steps__["raw"]
    ),
}


@pytest.mark.faults("T17")
@pytest.mark.parametrize("request_of", REQUESTS)
async def test_every_tool_is_sound_in_a_strict_request_without_the_users_doing(request_of: str) -> None:
    async with graft(Echo(SCHEMAS).server) as tools:
        sent = sent_by(REQUESTS[request_of](tools))
        assert sent.keys() == SCHEMAS.keys()
        for name, function in sent.items():
            assert function["strict"], name
            assert not lint(function["parameters"]), name
        assert MARK not in sent["natural"]["parameters"]["properties"]


@pytest.mark.faults("T17")
@pytest.mark.parametrize("strict", [None, False])
async def test_other_requests_are_given_each_tool_as_before(strict: bool | None) -> None:
    async with graft(Echo(SCHEMAS).server) as tools:
        for tool in tools:
            parameters = convert_to_openai_tool(tool, strict=strict)["function"]["parameters"]
            shown = tool.bound.schema.strict or tool.bound.schema.plain
            assert parameters["properties"].keys() == shown["properties"].keys()
            assert MARK not in parameters["properties"]


@pytest.mark.faults("T17")
async def test_an_agent_with_a_response_format_calls_a_tool_that_cannot_be_strict() -> None:
    import httpx

    bodies: list[Any] = []

    def answer(request: httpx.Request) -> httpx.Response:
        bodies.append(json.loads(request.content))
        arguments = json.dumps({MARK: "redrawn", "labels": [{"key": "a", "value": "b"}], "n": None})
        function = {"name": "a_map", "arguments": arguments}
        call = {"id": "1", "type": "function", "function": function}
        asked = {"role": "assistant", "content": None, "tool_calls": [call]}
        said = {"role": "assistant", "content": '{"good": true}'}
        choice = {"index": 0, "finish_reason": "stop", "message": asked if len(bodies) == 1 else said}
        body = {"id": "x", "object": "chat.completion", "created": 1, "model": "gpt-5", "choices": [choice]}
        return httpx.Response(200, json=body)

    echo = Echo(SCHEMAS)
    create_agent = cast("Callable[..., Any]", framework.create_agent)  # pyright: ignore[reportUnknownMemberType]
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client, graft(echo.server) as tools:
        agent = create_agent(model(http_async_client=client), tools, response_format=Verdict)
        end = await agent.ainvoke({"messages": [("user", "go")]})
    assert end["structured_response"] == Verdict(good=True)
    assert echo.given == [{"labels": {"a": "b"}}]
    assert all(tool["function"]["strict"] and not lint(tool["function"]["parameters"]) for tool in bodies[0]["tools"])


@pytest.mark.faults("T17")
async def test_a_call_is_understood_in_whichever_form_it_is_also_elsewhere() -> None:
    echo = Echo(SCHEMAS)
    node = {"v": "a", "kids": [{"v": "b"}]}
    async with graft(echo.server) as tools:
        by_name = {tool.name: tool for tool in tools}
        for args, right in (
            ({"data": "5"}, {"data": "5"}),
            ({MARK: "redrawn", "data": "5"}, {"data": 5}),
        ):
            await by_name["anything"].ainvoke({"type": "tool_call", "name": "anything", "args": args, "id": "1"})
            assert echo.given.pop() == right
        text = {MARK: "text", "arguments": json.dumps({"n": node})}
        for args in ({"n": node}, text):
            await by_name["recursive"].ainvoke({"type": "tool_call", "name": "recursive", "args": args, "id": "1"})
            assert echo.given.pop() == {"n": node}
        wrong = {MARK: "text", "arguments": "no JSON"}
        failed = await by_name["recursive"].ainvoke(
            {"type": "tool_call", "name": "recursive", "args": wrong, "id": "1"}
        )
        assert failed.status == "error"
        assert "JSON" in failed.text
        assert not echo.given


@pytest.mark.faults("T17")
async def test_copies_show_the_same_forms() -> None:
    async with graft(Echo(SCHEMAS).server) as tools:
        tool = next(tool for tool in tools if tool.name == "a_map")
        before = convert_to_openai_function(tool, strict=True)
        for copied in (deepcopy(tool), tool.model_copy()):
            assert convert_to_openai_function(copied, strict=True) == before
        strict = next(tool for tool in as_strict(tools) if tool.name == "a_map")
        for one in (strict, deepcopy(strict)):
            assert MARK not in convert_to_openai_function(one, strict=True)["parameters"]["properties"]
            assert not lint(convert_to_openai_function(one, strict=True)["parameters"])


@pytest.mark.faults("T6")
@pytest.mark.parametrize("schema", [bomb(9, 9), bomb(3, 12)])
@pytest.mark.parametrize("strict", [None, True])
async def test_a_schema_that_explodes_in_the_converter_is_given_as_text(schema: Any, strict: Any) -> None:
    echo = Echo({"bomb": schema})
    async with graft(echo.server) as tools:
        sent = convert_to_openai_function(tools[0], strict=strict)
        assert len(json.dumps(sent)) < 40_000
        assert not lint(sent["parameters"])
        args = {MARK: "text", "arguments": '{"r": {}}'}
        message = await tools[0].ainvoke({"type": "tool_call", "name": "bomb", "args": args, "id": "1"})
        assert message.status == "success"
        assert echo.given == [{"r": {}}]
