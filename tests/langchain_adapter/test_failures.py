"""Failed calls in LangChain: told or raised, each kind by itself."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import langchain.agents as framework
import pytest
from langchain.agents.middleware import ToolRetryMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolCall, ToolMessage
from langchain_core.tools import ToolException
from toolgraft import Errors, Http, Stdio
from toolgraft.calls import RAN
from toolgraft.errors import (
    ArgumentsError,
    CallError,
    ClosedError,
    DeadlineError,
    ResultError,
    ToolError,
    ToolOutcomeUnknownError,
    TransportError,
)
from toolgraft_langchain import MCPTool, failure_text, graft, may_retry

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parent.parent.parent


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


@pytest.mark.faults("T16", "T38")
def test_a_gateways_error_and_a_refused_result_are_not_retried_where_the_tool_may_have_run() -> None:
    assert not may_retry(TransportError(None, "bad gateway", http_status=502, may_have_run=True))
    assert may_retry(TransportError(None, "too many requests", http_status=429))
    assert not may_retry(ResultError(None, "the result is too large"))
    assert not may_retry(ClosedError("closed"))
    late = CallError(None, "raised by middleware")
    late.add_note(RAN)
    assert not may_retry(late)
    assert failure_text(late).endswith(RAN)


class Script(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self


def agent_of(tools: list[MCPTool], calls: list[dict[str, Any]], **options: Any) -> Any:
    asked = [AIMessage("", tool_calls=[cast("ToolCall", one)]) for one in calls]
    create_agent = cast("Callable[..., Any]", framework.create_agent)  # pyright: ignore[reportUnknownMemberType]
    return create_agent(Script(messages=iter([*asked, AIMessage("done")])), tools, **options)


@pytest.mark.faults("T38", "L9")
async def test_retry_middleware_that_repeats_everything_runs_no_side_effect_twice(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    server = Stdio(sys.executable, "-m", "tests.servers.mortal", str(ledger), "--runs", "0", era="legacy", cwd=ROOT)
    retry = ToolRetryMiddleware(max_retries=2, initial_delay=0.0, jitter=False)
    async with graft(replace(server, name="mortal", errors="raise")) as tools:
        tool = tools[0].name
        agent = agent_of(tools, [call(tool), call(tool)], middleware=[retry])
        end = await agent.ainvoke({"messages": [("user", "go")]})
        failed = [message for message in end["messages"] if isinstance(message, ToolMessage)]
        assert all("it was not sent again" in message.text for message in failed)
        # Once for each call of the model's, though both have the same id: a step of the run each.
        assert ledger.read_text().count("act ") == 2
        # By hand, ids are nobody's: each call is sent.
        for _ in range(2):
            with pytest.raises(ToolOutcomeUnknownError):
                await tools[0].ainvoke(call(tool))
        assert ledger.read_text().count("act ") == 4


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
