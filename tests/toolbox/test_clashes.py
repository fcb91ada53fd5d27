"""Two tools of one name in one agent: what the framework lets us see is warned of, and `taken` keeps them apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
import toolgraft_langchain
import toolgraft_openai_agents
from agents import Agent, RunConfig, Runner, function_tool, handoff
from agents.realtime import RealtimeAgent
from agents.testing import ScriptedModel, assistant_message, function_call
from agents.tool_context import ToolContext
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool

from tests.toolbox.conftest import Scripted

pytestmark = pytest.mark.anyio

WARNING = "has more than one tool named 'pay'"


def pay(card: str) -> str:
    """The agent's own."""
    return f"own {card}"


async def run(agent: Agent[Any], *called: str) -> None:
    calls = [[function_call(name, {}, call_id=f"c{at}")] for at, name in enumerate(called)]
    model = ScriptedModel([*calls, [assistant_message("done")]])
    await Runner.run(agent.clone(model=model), "go", run_config=RunConfig(tracing_disabled=True))


@pytest.mark.faults("T37")
@pytest.mark.parametrize("called", ["pay", "other"])
async def test_the_agents_sdk_having_two_tools_of_one_name_is_warned_of_once(
    scripted: Callable[..., Scripted], caplog: pytest.LogCaptureFixture, called: str
) -> None:
    async with toolgraft_openai_agents.graft(scripted("shop", "pay", "other").declared()) as tools:
        agent: Agent[Any] = Agent(name="a", tools=[function_tool(pay), *tools])
        await run(agent, called, called)
        await run(agent, called)
    assert caplog.text.count(f"agent 'a' {WARNING}, and calls the last of them") == 1
    assert "graft(..., taken=['pay'])" in caplog.text


@pytest.mark.faults("T37")
async def test_the_agents_own_tool_that_is_the_one_called_is_warned_of_by_any_call_of_a_grafted_one(
    scripted: Callable[..., Scripted], caplog: pytest.LogCaptureFixture
) -> None:
    async with toolgraft_openai_agents.graft(scripted("shop", "pay", "other").declared()) as tools:
        await run(Agent(name="a", tools=[*tools, function_tool(pay)]), "other")
    assert WARNING in caplog.text


@pytest.mark.faults("T37")
@pytest.mark.parametrize("by_itself", [True, False], ids=["agent", "handoff"])
async def test_a_handoff_of_that_name_is_warned_of(
    scripted: Callable[..., Scripted], caplog: pytest.LogCaptureFixture, by_itself: bool
) -> None:
    shop = scripted("shop", "transfer_to_cashier", "other")
    async with toolgraft_openai_agents.graft(shop.declared()) as tools:
        cashier: Agent[Any] = Agent(name="cashier")
        await run(Agent(name="a", tools=[*tools], handoffs=[cashier if by_itself else handoff(cashier)]), "other")
    assert "has more than one tool named 'transfer_to_cashier', and calls the handoff" in caplog.text


@pytest.mark.faults("T37")
async def test_names_that_are_kept_apart_are_not_warned_of(
    scripted: Callable[..., Scripted], caplog: pytest.LogCaptureFixture
) -> None:
    own, off = function_tool(pay), function_tool(pay, is_enabled=False)
    shop = scripted("shop", "pay", "other").declared()
    async with toolgraft_openai_agents.graft(shop, taken=[own]) as tools:
        await run(Agent(name="a", tools=[own, *tools]), "other", "shop_pay")
    async with toolgraft_openai_agents.graft(shop) as tools:
        await run(Agent(name="a", tools=[off, *tools]), "other", "pay")
        for spoken in (None, RealtimeAgent[Any](name="spoken", tools=[*tools])):
            context = ToolContext(None, tool_name="pay", tool_call_id="1", tool_arguments="{}", agent=spoken)
            await tools[0].on_invoke_tool(context, "{}")
    assert "more than one" not in caplog.text


@pytest.mark.faults("T37")
async def test_a_live_langchain_agent_that_is_given_its_own_tools_alone_keeps_them_and_warns(
    scripted: Callable[..., Scripted], caplog: pytest.LogCaptureFixture
) -> None:
    offered: list[list[str]] = []

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            offered.append([tool.name for tool in tools])
            return self

    call: dict[str, Any] = {"name": "pay", "args": {"card": "4"}, "id": "a", "type": "tool_call"}
    script = iter([AIMessage("", tool_calls=[call]), AIMessage("done")])
    own = StructuredTool.from_function(pay)
    async with toolgraft_langchain.graft(scripted("shop", "pay", "other").declared(), live=True) as tools:
        middleware = [toolgraft_langchain.live_tools(tools)]
        agent: Any = create_agent(Model(messages=script), [own], middleware=middleware)
        state = await agent.ainvoke({"messages": [("user", "go")]})
    assert offered == [["pay", "other"]] * 2
    assert state["messages"][2].text == "own 4"
    assert caplog.text.count("shop.pay is not offered: the agent has a tool 'pay' of its own") == 1


async def test_langchain_keeps_the_last_of_two_tools_of_one_name_and_shows_no_trace_of_the_other(
    scripted: Callable[..., Scripted],
) -> None:
    """A canary: once `create_agent` says so, or keeps both, `taken` need not be told of as it is."""
    seen: list[Any] = []

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            seen.extend(tools)
            return self

    own = StructuredTool.from_function(pay)
    async with toolgraft_langchain.graft(scripted("shop", "pay").declared()) as tools:
        for listed in ([own, *tools], [*tools, own]):
            agent = cast("Any", create_agent(Model(messages=iter([AIMessage("done")])), listed))
            await agent.ainvoke({"messages": [("user", "go")]})
        assert seen == [tools[0], own]
