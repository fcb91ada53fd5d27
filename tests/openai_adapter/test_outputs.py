"""What a function tool gives besides its text: how it reads as text, custom data, spans."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any, cast

import pytest
from agents import FunctionTool, Tool, UserError, custom_span, function_span, trace
from agents.tool_context import ToolContext
from toolgraft import Errors, Http
from toolgraft.content import to_result
from toolgraft.errors import ToolError
from toolgraft.shown import for_model
from toolgraft_openai_agents import MCPFunctionTool, graft
from toolgraft_openai_agents.output import to_output
from toolgraft_openai_agents.scripted import run_scripted

from tests.servers.every_result import IMAGE, PNG, TEXT, content

pytestmark = pytest.mark.anyio


def output(raw: dict[str, Any]) -> Any:
    return to_output(for_model(to_result(raw)))


@pytest.mark.faults("T24")
def test_as_text_an_output_shows_no_base64() -> None:
    mixed = output(content(TEXT, IMAGE))
    for said in (str(mixed), repr(mixed), f"{mixed}", *map(str, mixed), *map(repr, mixed)):
        assert PNG[:40] not in said
    assert "a text" in str(mixed)
    assert "image/png" in str(mixed)
    assert output(content(TEXT, TEXT)) == "a text\n\na text"


@pytest.mark.faults("T28")
@pytest.mark.parametrize(
    "said", ["no luck", "Error: no luck", "error:no luck", "Error: Error: no luck", " ERROR : no luck"]
)
def test_error_is_said_once(said: str) -> None:
    assert output(content({"type": "text", "text": said}, isError=True)) == "Error: no luck"


async def invoked(tools: list[Tool], name: str, arguments: str) -> Any:
    tool = cast("FunctionTool", next(each for each in tools if each.name == name))
    context = ToolContext(context=None, tool_name=name, tool_call_id="call_1", tool_arguments=arguments)
    return await tool.on_invoke_tool(context, arguments)


@pytest.mark.faults("T34")
async def test_a_failed_call_marks_its_span_and_every_call_names_its_server(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        with trace("test"):
            with function_span("fail") as failed:
                await invoked(tools, "fail", '{"reason": "no luck"}')
            with function_span("add") as fine:
                await invoked(tools, "add", '{"a": 1, "b": 2}')
            with custom_span("elsewhere"):
                await invoked(tools, "add", '{"a": 1, "b": 2}')
    assert failed.error is not None
    assert "no luck" in str(failed.error)
    assert fine.error is None
    assert failed.span_data.mcp_data == fine.span_data.mcp_data == {"server": "demo-http"}


@pytest.mark.faults("T44")
async def test_a_function_tool_tells_what_its_server_said(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        delete = next(tool for tool in tools if tool.name == "notes_delete")
    assert isinstance(delete, MCPFunctionTool)
    assert delete.mcp is not None
    assert (delete.mcp.server, delete.mcp.tool, delete.mcp.title) == ("demo-http", "notes.delete", "Delete a note")
    assert delete.mcp.hints.idempotent is True
    assert delete.mcp.server_info["name"]


@pytest.mark.faults("T23", "T38")
async def test_a_tools_own_error_ends_the_run_as_what_it_is(demo_http: Http) -> None:
    async with graft(replace(demo_http, errors=Errors(tool="raise"))) as tools:
        with pytest.raises(ToolError, match="no luck") as raised:
            await run_scripted(tools, [("fail", {"reason": "no luck"})])
    assert isinstance(raised.value, UserError)
    assert raised.value.result.structured["code"] == "DEMO"
    assert isinstance(pickle.loads(pickle.dumps(raised.value)), ToolError)
