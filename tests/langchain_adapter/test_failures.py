"""Failed calls in LangChain: told or raised, each kind by itself."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import ToolException
from toolgraft import Errors, Http
from toolgraft.errors import ArgumentsError, DeadlineError, ToolError, ToolOutcomeUnknownError
from toolgraft_langchain import MCPTool, failure_text, graft, may_retry

pytestmark = pytest.mark.anyio


def call(tool: str, /, **args: Any) -> dict[str, Any]:
    return {"type": "tool_call", "name": tool, "args": args, "id": "call_7"}


def tool_of(tools: list[MCPTool], name: str) -> MCPTool:
    return next(tool for tool in tools if tool.name == name)


@pytest.mark.faults("T23", "T41")
async def test_a_tools_own_error_is_raised_as_a_tool_exception_with_its_result(demo_http: Http) -> None:
    async with graft(replace(demo_http, errors="raise")) as tools:
        with pytest.raises(ToolException, match="no luck") as raised:
            await tool_of(tools, "fail").ainvoke(call("fail", reason="no luck"))
    assert isinstance(raised.value, ToolError)
    assert raised.value.result.structured["code"] == "DEMO"
    again = pickle.loads(pickle.dumps(raised.value))
    assert isinstance(again, ToolError)
    assert isinstance(again, ToolException)
    assert str(again) == str(raised.value)


@pytest.mark.faults("T23")
async def test_an_error_is_marked_where_the_tool_is_given_plain_arguments(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        failed: Any = await tool_of(tools, "fail").ainvoke({"reason": "no luck"})
        assert await tool_of(tools, "greet").ainvoke({"name": "Ada"}) == "Hello, Ada!"
    assert isinstance(failed, ToolMessage)
    assert failed.status == "error"


@pytest.mark.faults("T41")
async def test_each_kind_of_failure_is_told_or_raised_by_itself(demo_http: Http) -> None:
    hasty = replace(demo_http, tool_timeouts={"slow": 0.3})
    asked = {"tool": call("fail", reason="x"), "arguments": call("add", a="x"), "connection": call("slow", seconds=50)}
    kinds = {"tool": ToolError, "arguments": ArgumentsError, "connection": DeadlineError}
    for raised in kinds:
        chosen: Any = {raised: "raise"}
        async with graft(replace(hasty, errors=Errors(**chosen))) as tools:
            for kind, each in asked.items():
                tool = tool_of(tools, each["name"])
                if kind == raised:
                    with pytest.raises(kinds[kind]) as error:
                        await tool.ainvoke(each)
                    assert isinstance(error.value, ToolException)
                else:
                    assert (await tool.ainvoke(each)).status == "error"


@pytest.mark.faults("T38")
def test_what_may_have_run_is_not_retried_and_keeps_its_own_words() -> None:
    lost = ToolOutcomeUnknownError(None, "it may have run: look whether it happened before you repeat it")
    late = DeadlineError(None, limit=1, source="here", may_have_run=True)
    assert not may_retry(lost)
    assert not may_retry(late)
    assert may_retry(DeadlineError(None, limit=1, source="here"))
    assert failure_text(lost) == str(lost)


@pytest.mark.faults("T33", "T44")
async def test_a_tool_tells_its_own_schema_and_what_its_server_said(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        add: Any = tool_of(tools, "add")
        assert set(add.get_input_jsonschema()["properties"]) == {"a", "b"}
        mcp = add.metadata["mcp"]
        assert mcp["server_info"]["name"]
        assert mcp["server_info"]["version"]
        assert mcp["hints"].keys() == {"read_only", "destructive", "idempotent", "open_world"}
        assert isinstance(mcp["meta"], dict)
