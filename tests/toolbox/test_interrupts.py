"""LangGraph's `interrupt()` in an `elicit` function pauses the run, in both eras; the answer comes with the resume."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
import toolgraft_langchain
import toolgraft_openai_agents
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt
from toolgraft import Stdio, connect
from toolgraft.config import Answer, CallContext, Elicitation, Http, InProcess, Sse
from toolgraft.errors import CallbackError
from toolgraft_langchain import graft

from tests.connection.test_asking import asking
from tests.servers.sdk import make, serving
from tests.toolbox.test_callers import Script, by_agents, by_langchain

pytestmark = pytest.mark.anyio
SDK = Path(__file__).parent.parent / "servers" / "sdk.py"


async def elicit_async(asked: Elicitation) -> Answer:
    return Answer("accept", {"name": interrupt(asked.message)})


def elicit_sync(asked: Elicitation) -> Answer:
    return Answer("accept", {"name": interrupt(asked.message)})


ELICIT: list[Callable[..., Any]] = [elicit_async, elicit_sync]


def _agent(tools: Any, *names: str) -> Any:
    calls: list[Any] = [
        {"id": str(number), "name": name, "args": {}, "type": "tool_call"} for number, name in enumerate(names)
    ]
    model = Script(messages=iter([AIMessage("", tool_calls=calls), AIMessage("done")]))
    return cast("Any", create_agent(model, tools, checkpointer=InMemorySaver()))


def _said(end: Any) -> list[str]:
    return [message.text for message in end["messages"] if isinstance(message, ToolMessage)]


THREAD: Any = {"configurable": {"thread_id": "1"}}
GO: Any = {"messages": [("user", "go")]}


async def _paused_and_resumed(config: Any, tool: str) -> str:
    async with graft(config) as tools:
        agent = _agent(tools, tool)
        paused = await agent.ainvoke(GO, THREAD)
        assert [each.value for each in paused["__interrupt__"]] == ["your name?"]
        end = await agent.ainvoke(Command(resume="Ada"), THREAD)
        (said,) = _said(end)
        return said


@pytest.mark.faults("T39")
@pytest.mark.parametrize("elicit", ELICIT)
async def test_an_interrupt_in_elicit_pauses_the_run_over_every_transport_and_era(elicit: Any) -> None:
    common: Any = {"name": "sdk", "elicit": elicit}
    with serving("http") as url, serving("sse") as sse:
        for config in (
            Stdio(sys.executable, str(SDK), era="legacy", **common),
            Http(url, era="legacy", **common),
            Sse(sse, era="legacy", **common),
            InProcess(make(), era="legacy", **common),
        ):
            assert await _paused_and_resumed(config, "greet_old") == "accept Ada"
        for modern in (Http(url, **common), InProcess(make(), **common)):
            assert await _paused_and_resumed(modern, "greet") == "hi Ada"


@pytest.mark.faults("T39")
@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("elicit", ELICIT)
def test_it_pauses_a_run_that_is_not_async_too(era: str, elicit: Any) -> None:
    with graft(asking(era, elicit=elicit)) as tools:
        agent = _agent(tools, "ask")
        paused = agent.invoke(GO, THREAD)
        assert [each.value for each in paused["__interrupt__"]] == ["who?"]
        (said,) = _said(agent.invoke(Command(resume="Ada"), THREAD))
        assert "Ada" in said


WHATS = ["a", "b", "c"]


def _confirming(tools: Any, **arguments: Any) -> Any:
    calls: list[Any] = [
        {"id": what, "name": "confirm", "args": {"what": what, **arguments}, "type": "tool_call"} for what in WHATS
    ]
    model = Script(messages=iter([AIMessage("", tool_calls=calls), AIMessage("done")]))
    return cast("Any", create_agent(model, tools, checkpointer=InMemorySaver()))


def _answers(paused: Any) -> Any:
    questions = {each.id: each.value for each in paused["__interrupt__"]}
    assert sorted(questions.values()) == [f"really {what}?" for what in WHATS]
    return Command(resume={key: f"yes to {question}" for key, question in questions.items()})


CONFIRMED = [f"{what}: yes to really {what}?" for what in WHATS]


@pytest.mark.faults("T39")
@pytest.mark.parametrize("elicit", ELICIT)
async def test_tools_that_ask_at_once_are_interrupted_each_with_its_own_question(elicit: Any) -> None:
    common: Any = {"name": "sdk", "era": "legacy", "elicit": elicit}
    with serving("http") as url, serving("sse") as sse:
        for config, arguments in (
            (Stdio(sys.executable, str(SDK), **common), {}),
            (Sse(sse, **common), {}),
            (Http(url, **common), {}),
            (Http(url, **common), {"apart": True}),
            (InProcess(make(), **common), {}),
        ):
            async with graft(config) as tools:
                agent = _confirming(tools, **arguments)
                end = await agent.ainvoke(_answers(await agent.ainvoke(GO, THREAD)), THREAD)
                assert _said(end) == CONFIRMED


@pytest.mark.faults("T39")
@pytest.mark.parametrize("elicit", ELICIT)
def test_so_they_are_in_a_run_that_is_not_async(elicit: Any) -> None:
    with serving("sse") as sse:
        common: Any = {"name": "sdk", "era": "legacy", "elicit": elicit}
        for config in (Stdio(sys.executable, str(SDK), **common), Sse(sse, **common)):
            with graft(config) as tools:
                agent = _confirming(tools)
                assert _said(agent.invoke(_answers(agent.invoke(GO, THREAD)), THREAD)) == CONFIRMED


def _signing_in(context: CallContext) -> str:
    return interrupt("who are you?") if context.tool is not None else "nobody"


def _headers(context: CallContext) -> dict[str, str]:
    return {"X-User": _signing_in(context)}


async def _headers_async(context: CallContext) -> dict[str, str]:
    return {"X-User": _signing_in(context)}


class _SigningIn(httpx2.Auth):
    """What logs in when a call is made."""

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response]:
        if b"tools/call" in request.content:
            request.headers["X-User"] = interrupt("who are you?")
        yield request


@pytest.mark.faults("T39", "T25")
@pytest.mark.parametrize("kind", ["http", "sse"])
@pytest.mark.parametrize("era", ["legacy", "auto"])
@pytest.mark.parametrize(
    "function",
    [{"headers": _headers}, {"headers": _headers_async}, {"identity": _signing_in}, {"auth": _SigningIn()}],
)
async def test_an_interrupt_in_another_function_of_a_declaration_pauses_the_run_too(
    function: Any, era: Any, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(kind) as url:
        config: Any = Sse(url, name="sdk", **function) if kind == "sse" else Http(url, name="sdk", era=era, **function)
        async with graft(config) as tools:
            agent = _agent(tools, "pid")
            paused = await agent.ainvoke(GO, THREAD)
            assert [each.value for each in paused["__interrupt__"]] == ["who are you?"]
            (said,) = _said(await agent.ainvoke(Command(resume="Ada"), THREAD))
            assert said.isdecimal()
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


@pytest.mark.faults("T25")
@pytest.mark.parametrize("adapter", [toolgraft_langchain, toolgraft_openai_agents])
async def test_where_errors_are_raised_a_bug_in_elicit_is_the_cause_of_what_is_raised(adapter: Any) -> None:
    bug = RuntimeError("a secret detail")

    async def elicit(asked: Elicitation) -> Answer:
        raise bug

    async with adapter.graft(asking("legacy", elicit=elicit, errors="raise")) as tools:
        with pytest.raises(CallbackError) as raised:
            await tools.toolbox.call("ask", {})
        assert raised.value.__cause__ is bug
        run = by_langchain if adapter is toolgraft_langchain else by_agents
        with pytest.raises(Exception, match="RuntimeError") as raised_in_run:
            await run(tools, "ask", {}, "ada")
        assert "secret" not in str(raised_in_run.value)


async def test_control_flow_of_another_host_is_told_by_an_option() -> None:
    class Stop(Exception):
        pass

    async def elicit(asked: Elicitation) -> Answer:
        raise Stop

    async with connect(asking("modern", elicit=elicit), control_flow=lambda error: isinstance(error, Stop)) as toolbox:
        with pytest.raises(Stop):
            await toolbox.call("ask", {})


@pytest.mark.faults("T39", "T25")
@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_a_bug_in_elicit_is_told_to_the_model_without_its_details(era: str) -> None:
    async def elicit(asked: Elicitation) -> Answer:
        raise RuntimeError("a secret detail")

    async with graft(asking(era, elicit=elicit)) as tools:
        (said,) = _said(await _agent(tools, "ask").ainvoke(GO, THREAD))
    assert "RuntimeError" in said
    assert "secret" not in said
