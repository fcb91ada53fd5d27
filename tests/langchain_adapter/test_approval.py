"""A person's yes in LangGraph: in both kinds of graph the run pauses inside the tool, and each waits for its own."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any, cast

import langchain.agents as framework
import mcp_types as types
import pytest
from langchain.agents.middleware import ToolRetryMiddleware
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from mcp.server.lowlevel import Server
from toolgraft import InProcess
from toolgraft.config.approval import Approval
from toolgraft.errors import NoApproverError
from toolgraft_langchain import MCPTool, approve, graft, reject

from tests.approval.by_hand import by_hand

pytestmark = pytest.mark.anyio

create_agent = cast("Callable[..., Any]", framework.create_agent)  # pyright: ignore[reportUnknownMemberType]

NUMBER = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


class Pay:
    """A server that notes what it is paid."""

    def __init__(self, schema: dict[str, Any] = NUMBER, delays: Sequence[float] = ()) -> None:
        self.paid: list[int] = []
        self.schema = schema
        self.fails = 0
        self.mcp = Server("pay", on_list_tools=self._list, on_call_tool=self._call)

    def declared(self, **fields: Any) -> InProcess:
        return InProcess(self.mcp, name="pay", **fields)

    async def _list(self, context: Any, params: Any) -> types.ListToolsResult:
        tools = [types.Tool(name=name, input_schema=self.schema) for name in ("pay", "look")]
        return types.ListToolsResult(tools=tools)

    async def _call(self, context: Any, params: Any) -> types.CallToolResult:
        if params.name == "pay":
            self.paid.append(params.arguments["a"])
        text = f"{params.name} {params.arguments['a']}"
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


class Script(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self


def asking(*calls: tuple[str, int]) -> AIMessage:
    made = [{"id": f"c{at}", "name": name, "args": {"a": a}, "type": "tool_call"} for at, (name, a) in enumerate(calls)]
    return AIMessage("", tool_calls=made)


def agent(tools: Any, asked: AIMessage, saver: Any = None, **options: Any) -> Any:
    model = Script(messages=iter([asked, *[AIMessage("done")] * 20]))
    return create_agent(model, tools, checkpointer=saver or InMemorySaver(), **options)


def graph_by_hand(tools: Any, asked: AIMessage, saver: Any = None) -> Any:
    return by_hand(tools, asked, saver or InMemorySaver())


GRAPHS: dict[str, Callable[..., Any]] = {"create_agent": agent, "a graph by hand": graph_by_hand}
GO: dict[str, Any] = {"messages": [HumanMessage("go")]}


def thread(name: str = "1") -> dict[str, Any]:
    return {"configurable": {"thread_id": name}}


def told(state: Any) -> list[ToolMessage]:
    return [message for message in state["messages"] if isinstance(message, ToolMessage)]


@pytest.mark.faults("P4")
@pytest.mark.parametrize("kind", GRAPHS)
async def test_a_run_pauses_until_a_person_has_said_yes(kind: str) -> None:
    pay = Pay()
    async with graft(pay.declared(approve=["pay"])) as tools:
        graph = GRAPHS[kind](tools, asking(("pay", 7)))
        paused = await graph.ainvoke(GO, thread())
        (asked,) = paused["__interrupt__"]
        assert pay.paid == []
        assert (asked.value["tool"], asked.value["arguments"], asked.value["tool_call_id"]) == ("pay", {"a": 7}, "c0")
        end = await graph.ainvoke(Command(resume={asked.id: approve(asked.value)}), thread())
    assert pay.paid == [7]
    assert [message.content for message in told(end)] == ["pay 7"]


@pytest.mark.faults("P3")
@pytest.mark.parametrize("kind", GRAPHS)
async def test_a_no_is_told_to_the_model_and_the_siblings_go_on(kind: str) -> None:
    pay = Pay()
    async with graft(pay.declared(approve=["pay"])) as tools:
        graph = GRAPHS[kind](tools, asking(("pay", 1), ("look", 2), ("pay", 3)))
        state = await graph.ainvoke(GO, thread())
        while state.get("__interrupt__"):
            answers = {
                each.id: reject(each.value, "too much") if each.value["arguments"] == {"a": 1} else approve(each.value)
                for each in state["__interrupt__"]
            }
            state = await graph.ainvoke(Command(resume=answers), thread())
    assert pay.paid == [3]
    by_id = {message.tool_call_id: message for message in told(state)}
    assert by_id["c0"].status == "error"
    assert "a person said no: too much" in by_id["c0"].content
    assert (by_id["c1"].content, by_id["c2"].content) == ("look 2", "pay 3")


@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize("seed", range(12))
async def test_each_call_is_asked_about_once_and_runs_once_by_its_own_yes(kind: str, seed: int) -> None:
    rng = random.Random(seed)
    pay = Pay()

    async def in_any_order(call: Any, proceed: Any) -> Any:
        for _ in range(rng.randrange(30)):
            await asyncio.sleep(0)
        return await proceed(call)

    wanted = [("pay", a) for a in (1, 2, 2, 3, 4)]
    refused = set(rng.sample(range(len(wanted)), rng.randrange(len(wanted))))
    prompts: list[str] = []
    async with graft(pay.declared(approve="always"), middleware=[in_any_order]) as tools:
        graph = GRAPHS[kind](tools, asking(*wanted))
        state = await graph.ainvoke(GO, thread())
        for _ in range(100):
            if not state.get("__interrupt__"):
                break
            answers: dict[str, Any] = {}
            for each in state["__interrupt__"]:
                call_id = each.value["tool_call_id"]
                if rng.random() < 0.7 or not answers:
                    decide = reject if int(call_id[1:]) in refused else approve
                    answers[each.id] = decide(each.value)
                    prompts.append(call_id)
            state = await graph.ainvoke(Command(resume=answers), thread())
    assert sorted(prompts) == [f"c{at}" for at in range(len(wanted))], "each call is asked about once"
    assert sorted(pay.paid) == sorted(a for at, (_, a) in enumerate(wanted) if at not in refused)


@pytest.mark.faults("P5")
@pytest.mark.parametrize("kind", GRAPHS)
async def test_an_answer_that_names_no_call_or_another_one_lets_nothing_by(kind: str) -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        graph = GRAPHS[kind](tools, asking(("pay", 7)))
        state = await graph.ainvoke(GO, thread())
        for answer in (True, {"approved": True}, {"0" * 64: {"approved": True}}):
            (asked,) = state["__interrupt__"]
            state = await graph.ainvoke(Command(resume={asked.id: answer}), thread())
            assert pay.paid == []
        (asked,) = state["__interrupt__"]
        await graph.ainvoke(Command(resume={asked.id: approve(asked.value)}), thread())
    assert pay.paid == [7]


@pytest.mark.faults("P5")
@pytest.mark.parametrize("kind", GRAPHS)
async def test_after_a_restart_a_yes_holds_for_the_same_definition_only(kind: str) -> None:
    pay, saver = Pay(), InMemorySaver()
    server: Any = {"approve": "always"}
    async with graft(pay.declared(**server)) as tools:
        paused = await GRAPHS[kind](tools, asking(("pay", 7)), saver).ainvoke(GO, thread())
    (asked,) = paused["__interrupt__"]
    answer = Command(resume={asked.id: approve(asked.value)})
    pay.schema = {**NUMBER, "properties": {"a": {"type": "integer"}, "all": {"type": "boolean"}}}
    async with graft(pay.declared(**server)) as tools:
        graph = GRAPHS[kind](tools, AIMessage("done"), saver)
        again = await graph.ainvoke(answer, thread())
        assert pay.paid == []
        (anew,) = again["__interrupt__"]
        assert anew.value["digest"] != asked.value["digest"]
        await graph.ainvoke(Command(resume={anew.id: approve(anew.value)}), thread())
    assert pay.paid == [7]


@pytest.mark.parametrize("kind", GRAPHS)
async def test_after_a_restart_the_answer_to_a_question_of_before_is_taken(kind: str) -> None:
    pay, saver = Pay(), InMemorySaver()
    async with graft(pay.declared(approve="always")) as tools:
        paused = await GRAPHS[kind](tools, asking(("pay", 7)), saver).ainvoke(GO, thread())
    (asked,) = paused["__interrupt__"]
    async with graft(pay.declared(approve="always")) as tools:
        graph = GRAPHS[kind](tools, AIMessage("done"), saver)
        end = await graph.ainvoke(Command(resume={asked.id: approve(asked.value)}), thread())
    assert pay.paid == [7]
    assert not end.get("__interrupt__")


async def test_a_sync_run_pauses_as_well() -> None:
    import anyio.to_thread

    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        graph = agent(tools, asking(("pay", 7)))
        paused = await anyio.to_thread.run_sync(lambda: graph.invoke(GO, thread()))
        (asked,) = paused["__interrupt__"]
        answer = Command(resume={asked.id: approve(asked.value)})
        await anyio.to_thread.run_sync(lambda: graph.invoke(answer, thread()))
    assert pay.paid == [7]


async def test_as_many_as_are_required_say_yes_one_after_the_other() -> None:
    pay = Pay()
    approval = Approval("always", required=2, approvers=["ann", "bob"])
    async with graft(pay.declared(approve=approval)) as tools:
        graph = agent(tools, asking(("pay", 7)))
        state = await graph.ainvoke(GO, thread())
        for by, before in (("ann", []), ("bob", ["ann"])):
            (asked,) = state["__interrupt__"]
            assert (asked.value["required"], asked.value["approved_by"]) == (2, before)
            assert pay.paid == []
            state = await graph.ainvoke(Command(resume={asked.id: approve(asked.value, by=by)}), thread())
    assert pay.paid == [7]


async def test_a_call_that_a_host_repeats_is_not_paid_twice() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        graph = agent(tools, asking(("pay", 7)), middleware=[ToolRetryMiddleware(max_retries=2, initial_delay=0.0)])
        (asked,) = (await graph.ainvoke(GO, thread()))["__interrupt__"]
        await graph.ainvoke(Command(resume={asked.id: approve(asked.value)}), thread())
    assert pay.paid == [7]


async def test_without_a_checkpointer_or_a_graph_a_call_is_refused_and_says_what_to_add() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        model = Script(messages=iter([asking(("pay", 7)), AIMessage("done")]))
        end = await create_agent(model, tools).ainvoke(GO)
        assert "the graph has no checkpointer to pause with" in told(end)[0].content
        call: Any = {"name": "pay", "args": {"a": 7}, "id": "1", "type": "tool_call"}
        pay_tool: MCPTool = next(tool for tool in tools if tool.name == "pay")
        assert "not called by a LangGraph graph" in (await pay_tool.ainvoke(call)).content
        with pytest.raises(NoApproverError):
            await pay_tool.bound.call({"a": 7})
    assert pay.paid == []


async def test_an_approver_of_ones_own_is_asked_in_place_of_an_interrupt() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always"), approver=lambda request: request.arguments["a"] < 5) as tools:
        end = await agent(tools, asking(("pay", 1), ("pay", 9))).ainvoke(GO, thread())
    assert pay.paid == [1]
    assert [message.status for message in told(end)] == ["success", "error"]
