"""Lists that follow their servers, in both eras and both frameworks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from toolgraft import Stdio
from toolgraft.config import Era
from toolgraft.connection import Event, ListChanged

from tests.toolbox.conftest import Scripted

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parent.parent.parent


class Heard:
    """Events of a graft, to wait for one of a kind."""

    def __init__(self) -> None:
        self.changed = anyio.Event()

    def __call__(self, event: Event) -> None:
        if isinstance(event, ListChanged):
            self.changed.set()


def server(era: Era) -> Stdio:
    return Stdio(sys.executable, "-m", "tests.servers.sdk", "stdio", name="sdk", era=era, cwd=ROOT)


async def until(condition: Callable[[], bool]) -> None:
    with anyio.fail_after(30):
        while not condition():
            await anyio.lowlevel.checkpoint()


@pytest.mark.faults("D3")
@pytest.mark.parametrize("era", ["2026-07-28", "legacy"])
async def test_the_yielded_langchain_list_follows_its_server_in_place(era: Era) -> None:
    langchain = pytest.importorskip("toolgraft_langchain")
    heard = Heard()
    async with langchain.graft(server(era), live=True, on_event=heard) as tools:
        echo = next(tool for tool in tools if tool.name == "echo")
        assert "grown" not in [tool.name for tool in tools]
        await next(tool for tool in tools if tool.name == "grow").ainvoke({})
        with anyio.fail_after(30):
            await heard.changed.wait()
        await until(lambda: "grown" in [tool.name for tool in tools])
        assert next(tool for tool in tools if tool.name == "echo") is echo


async def test_without_live_the_yielded_list_stays_as_it_was(demo_stdio: Stdio) -> None:
    langchain = pytest.importorskip("toolgraft_langchain")
    heard = Heard()
    async with langchain.graft(server("legacy"), on_event=heard) as tools:
        before = list(tools)
        await next(tool for tool in tools if tool.name == "grow").ainvoke({})
        with anyio.fail_after(30):
            await heard.changed.wait()
        await until(lambda: len(tools.toolbox.tools) > len(before))
        assert list(tools) == before


@pytest.mark.faults("T31")
async def test_a_live_list_that_no_agent_follows_is_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    langchain = pytest.importorskip("toolgraft_langchain")
    async with langchain.graft(server("legacy"), live=True) as tools:
        await next(tool for tool in tools if tool.name == "grow").ainvoke({})
        await until(lambda: "grown" in [tool.name for tool in tools])
    assert caplog.text.count("give it middleware=[live_tools(tools)], since create_agent copies the list") == 1


@pytest.mark.faults("D3", "D8")
async def test_an_openai_agent_has_the_new_tool_in_its_next_turn() -> None:
    openai = pytest.importorskip("toolgraft_openai_agents")
    from agents import Agent, RunConfig, Runner
    from agents.testing import ModelCall, ModelStep, ScriptedModel, assistant_message, function_call

    heard = Heard()

    async def second_turn(call: ModelCall) -> Any:
        with anyio.fail_after(30):
            await heard.changed.wait()
        return [function_call("echo", '{"text": "x"}', call_id="b")]

    grow = [function_call("grow", "{}", call_id="a")]
    model = ScriptedModel([grow, ModelStep.respond(second_turn), [assistant_message("done")]])
    async with openai.graft(server("2026-07-28"), live=True, on_event=heard) as tools:
        agent: Agent[Any] = Agent(name="a", model=model, tools=tools)
        await Runner.run(agent, "go", run_config=RunConfig(tracing_disabled=True))
        offered = [[tool.name for tool in call.tools] for call in model.calls]
        assert "grown" not in offered[0]
        assert "grown" in offered[2]


@pytest.mark.faults("D3")
async def test_create_agent_follows_its_servers_with_live_tools() -> None:
    pytest.importorskip("langchain")
    from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage, ToolMessage
    from toolgraft_langchain import graft, live_tools

    heard = Heard()
    offered: list[list[str]] = []

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            offered.append([tool.name for tool in tools])
            return self

    def call(name: str, args: dict[str, Any], call_id: str) -> AIMessage:
        return AIMessage("", tool_calls=[{"name": name, "args": args, "id": call_id, "type": "tool_call"}])

    script = iter([call("grow", {}, "a"), AIMessage("grown"), call("grown", {"a": 4}, "b"), AIMessage("done")])
    async with graft(server("2026-07-28"), live=True, on_event=heard) as tools:
        agent: Any = create_agent(Model(messages=script), tools, middleware=[live_tools(tools)])
        await agent.ainvoke({"messages": [("user", "grow")]})
        with anyio.fail_after(30):
            await heard.changed.wait()
        await until(lambda: "grown" in [tool.name for tool in tools])
        state = await agent.ainvoke({"messages": [("user", "use it")]})
    assert "grown" not in offered[0]
    assert "grown" in offered[-1]
    assert next(m for m in state["messages"] if isinstance(m, ToolMessage)).text == "4"


def _agent(tools: Any, script: Any, *more: Any) -> Any:
    from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from toolgraft_langchain import live_tools

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            return self

    return create_agent(Model(messages=script), [*tools, *more], middleware=[live_tools(tools)])


@pytest.mark.faults("D3", "D7")
async def test_a_call_reaches_the_tool_that_the_model_saw_though_another_has_its_name_by_then(
    scripted: Callable[..., Scripted],
) -> None:
    pytest.importorskip("langchain")
    from langchain_core.messages import AIMessage
    from langgraph.checkpoint.memory import InMemorySaver
    from toolgraft_langchain import graft

    one, two = scripted("one", "search", "keep"), scripted("two", "keep_two")
    call: dict[str, Any] = {"name": "search", "args": {}, "id": "a", "type": "tool_call"}
    async with graft(one.declared(), two.declared(), live=True) as tools:
        script = iter([AIMessage("", tool_calls=[call]), AIMessage("done")])
        agent = _agent(tools, script).with_config({"configurable": {"thread_id": "1"}})
        agent.checkpointer = InMemorySaver()
        await agent.ainvoke({"messages": [("user", "go")]}, interrupt_before=["tools"])
        one.says(["keep"])
        two.says(["keep_two", "search"])
        await tools.toolbox.refresh()
        assert next(tool for tool in tools if tool.name == "search").bound.spec.ref.server == "two"
        state = await agent.ainvoke(None)
    answer = state["messages"][2]
    assert answer.status == "error"
    assert "no longer served" in answer.content


@pytest.mark.faults("D7")
async def test_another_grafts_tools_of_a_server_of_the_same_name_stay(scripted: Callable[..., Scripted]) -> None:
    pytest.importorskip("langchain")
    from langchain_core.messages import AIMessage
    from toolgraft_langchain import graft

    mine, other = scripted("mine", "a"), scripted("other", "b")
    call: dict[str, Any] = {"name": "b", "args": {}, "id": "a", "type": "tool_call"}
    async with (
        graft(mine.declared(name="same"), live=True) as tools,
        graft(other.declared(name="same")) as others,
    ):
        script = iter([AIMessage("", tool_calls=[call]), AIMessage("done")])
        state = await _agent(tools, script, *others).ainvoke({"messages": [("user", "go")]})
    assert state["messages"][2].status == "success"


def _pay() -> Any:
    from langchain_core.tools import tool

    @tool
    def pay(card: str) -> str:
        """The agent's own."""
        return f"own {card}"

    return pay


@pytest.mark.faults("T37")
@pytest.mark.parametrize("in_front", [True, False])
async def test_a_tool_that_comes_later_never_takes_the_name_of_the_agents_own(
    scripted: Callable[..., Scripted], caplog: pytest.LogCaptureFixture, in_front: bool
) -> None:
    pytest.importorskip("langchain")
    from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage
    from langgraph.checkpoint.memory import InMemorySaver
    from toolgraft_langchain import graft, live_tools

    offered: list[list[Any]] = []

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            offered.append(list(tools))
            return self

    shop = scripted("shop", "other")
    call: dict[str, Any] = {"name": "pay", "args": {"card": "4111"}, "type": "tool_call"}
    asked = [AIMessage("", tool_calls=[{**call, "id": each}]) for each in "ab"]
    script = iter([*asked, AIMessage("done")])
    own = _pay()
    async with graft(shop.declared(), live=True) as tools:
        listed = [own, *tools] if in_front else [*tools, own]
        live, saver = [live_tools(tools)], InMemorySaver()
        agent: Any = create_agent(Model(messages=script), listed, middleware=live, checkpointer=saver)
        shop.says(["other", "pay"])
        await tools.toolbox.refresh()
        config = {"configurable": {"thread_id": "1"}}
        await agent.ainvoke({"messages": [("user", "go")]}, config, interrupt_before=["tools"])
        state = await agent.ainvoke(None, config)
        assert caplog.text.count("shop.pay is not offered: the agent has a tool 'pay' of its own") == 1
        # A call whose model turn another process made.
        done = Model(messages=iter([AIMessage("done")]))
        again: Any = create_agent(done, listed, middleware=[live_tools(tools)], checkpointer=saver)
        elsewhere = {"configurable": {"thread_id": "2"}}
        turn = [("user", "go"), AIMessage("", tool_calls=[{**call, "id": "c"}])]
        await again.aupdate_state(elsewhere, {"messages": turn}, as_node="model")
        other = await again.ainvoke(None, elsewhere)
    texts = [message.text for message in [*state["messages"], *other["messages"]] if message.type == "tool"]
    assert texts == ["own 4111"] * 3
    assert [[tool.name for tool in tools].count("pay") for tools in offered] == [1] * len(offered)


@pytest.mark.faults("T37")
async def test_a_tool_that_comes_later_does_not_take_the_name_of_the_structured_answer(
    scripted: Callable[..., Scripted],
) -> None:
    pytest.importorskip("langchain")
    from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage
    from pydantic import BaseModel
    from toolgraft_langchain import graft, live_tools

    class Verdict(BaseModel):
        good: bool

    offered: list[str] = []

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            offered.extend(tool.name for tool in tools)
            return self

    court = scripted("court", "other")
    call: dict[str, Any] = {"name": "Verdict", "args": {"good": True}, "id": "a", "type": "tool_call"}
    async with graft(court.declared(), live=True) as tools:
        model = Model(messages=iter([AIMessage("", tool_calls=[call])]))
        agent: Any = create_agent(model, tools, middleware=[live_tools(tools)], response_format=Verdict)
        court.says(["other", "Verdict"])
        await tools.toolbox.refresh()
        state = await agent.ainvoke({"messages": [("user", "go")]})
    assert state["structured_response"] == Verdict(good=True)
    assert offered.count("Verdict") == 1


@pytest.mark.faults("T37")
async def test_what_was_put_into_a_live_list_stays_and_keeps_its_name(
    scripted: Callable[..., Scripted], caplog: pytest.LogCaptureFixture
) -> None:
    openai = pytest.importorskip("toolgraft_openai_agents")
    from agents import function_tool

    @function_tool
    def pay(card: str) -> str:
        """The agent's own."""
        return card

    shop = scripted("shop", "other")
    async with openai.graft(shop.declared(), live=True) as tools:
        tools.append(pay)
        for _ in range(2):
            shop.says(["other", "pay", "more"])
            await tools.toolbox.refresh()
        assert [tool.name for tool in tools] == ["other", "more", "pay"]
        assert tools[2] is pay
    assert caplog.text.count("a new tool 'pay' is left out of the live list") == 1
