"""MCP tools as OpenAI Agents function tools, over real servers."""

from __future__ import annotations

import asyncio
import copy
import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("agents")

from agents import Agent, FunctionTool, RunConfig, Runner, Tool
from agents.testing import ScriptedModel, assistant_message, function_call
from agents.tool_context import ToolContext
from toolgraft import Http, Stdio
from toolgraft.errors import ArgumentsError, ClosedError
from toolgraft.hookspecs import hookimpl
from toolgraft_openai_agents import graft

pytestmark = pytest.mark.anyio


def tool_of(tools: Sequence[Tool], name: str) -> FunctionTool:
    return next(tool for tool in tools if isinstance(tool, FunctionTool) and tool.name == name)


async def invoke(tool: FunctionTool, arguments: str) -> Any:
    context = ToolContext(context=None, tool_name=tool.name, tool_call_id="call_1", tool_arguments=arguments)
    return await tool.on_invoke_tool(context, arguments)


@pytest.mark.faults("S6", "A1", "A2")
async def test_a_tool_says_strict_exactly_where_it_is(demo_stdio: Stdio) -> None:
    async with graft(demo_stdio) as tools:
        greet = tool_of(tools, "greet")
        assert greet.strict_json_schema
        assert greet.params_json_schema["required"] == ["name", "greeting"]
        assert "Hello, Ada!" in str(await invoke(greet, '{"name": "Ada", "greeting": null}'))
        echo = tool_of(tools, "echo")  # it takes any further member, which strict mode cannot say
        assert echo.strict_json_schema is (echo.params_json_schema.get("additionalProperties") is False)
    async with graft(demo_stdio, strict=False) as tools:
        assert not any(tool_of(tools, tool.name).strict_json_schema for tool in tools)


@pytest.mark.faults("A9")
@pytest.mark.parametrize("text", ["[1]", "42", "null", "{broken"])
async def test_arguments_that_are_no_object_are_told_to_the_model(demo_http: Http, text: str) -> None:
    async with graft(demo_http) as tools:
        assert "wanted a JSON object" in str(await invoke(tool_of(tools, "report"), text))


@pytest.mark.faults("A8")
@pytest.mark.parametrize("text", ["", "  ", "{}"])
async def test_blank_arguments_are_none(demo_http: Http, text: str) -> None:
    async with graft(demo_http) as tools:
        assert "Here is the report." in str(await invoke(tool_of(tools, "report"), text))


@pytest.mark.faults("E1", "E3", "R2", "R8")
async def test_a_failed_tool_does_not_end_the_run_and_is_marked_as_failed(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        asked = [
            function_call("fail", '{"reason": "no luck"}', call_id="a"),
            function_call("report", "{}", call_id="b"),
        ]
        model = ScriptedModel([asked, [assistant_message("done")]])
        agent = Agent(name="a", model=model, tools=[*tools])
        run = await Runner.run(agent, "go", run_config=RunConfig(tracing_disabled=True))
        failed = next(item for item in run.new_items if item.type == "tool_call_output_item")
        assert "no luck" in str(failed.output)
        assert failed.custom_data is not None
        assert failed.custom_data["mcp"]["is_error"] is True
        assert failed.custom_data["mcp"]["structured_content"]["code"] == "DEMO"
        assert run.final_output == "done"


async def test_errors_are_raised_where_the_server_says_so(demo_http: Http) -> None:
    async with graft(replace(demo_http, errors="raise")) as tools:
        with pytest.raises(ArgumentsError):
            await invoke(tool_of(tools, "greet"), "{}")


@pytest.mark.faults("L14")
async def test_a_tool_used_after_the_end_says_that_it_is_closed(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        add = tool_of(tools, "add")
    with pytest.raises(ClosedError):
        await invoke(add, '{"a": 1, "b": 2}')


@pytest.mark.faults("L6")
async def test_a_deep_copied_tool_works(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        assert "3" in str(await invoke(copy.deepcopy(tool_of(tools, "add")), '{"a": 1, "b": 2}'))


@pytest.mark.faults("L6")
def test_a_pickled_tool_connects_anew_in_another_process(demo_http: Http) -> None:
    async def pickled() -> bytes:
        async with graft(demo_http) as tools:
            return pickle.dumps(tool_of(tools, "add"))

    code = (
        "import asyncio, pickle, sys\n"
        "from agents.tool_context import ToolContext\n"
        "tool = pickle.load(sys.stdin.buffer)\n"
        "context = ToolContext(context=None, tool_name='add', tool_call_id='1', tool_arguments='{}')\n"
        'print(asyncio.run(tool.on_invoke_tool(context, \'{"a": 1, "b": 2}\')))\n'
    )
    run = subprocess.run([sys.executable, "-c", code], input=asyncio.run(pickled()), capture_output=True, timeout=60)
    assert "3" in run.stdout.decode(), run.stderr.decode()


async def test_a_fault_of_middleware_is_told_to_the_model_by_its_kind_alone(demo_http: Http) -> None:
    class Broken:
        @hookimpl
        def toolgraft_middleware(self, server: object) -> list[object]:
            async def layer(call: object, proceed: object) -> None:
                raise KeyError("a secret of the application")

            return [layer]

    async with graft(demo_http, plugins=[Broken()]) as tools:
        told = str(await invoke(tool_of(tools, "add"), '{"a": 1, "b": 2}'))
    assert "it failed inside the agent: KeyError" in told
    assert "secret" not in told
