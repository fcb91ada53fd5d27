"""What blocks the loop of the tools and waits for them is told so; what merely keeps it busy is waited for."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest

pytest.importorskip("langchain_core")

import toolgraft_openai_agents
from agents import Agent, RunConfig, Runner
from agents.testing import ScriptedModel, assistant_message, function_call
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.messages import AIMessage
from mcp.server import MCPServer
from toolgraft import InProcess
from toolgraft.connection.loops import home_loop
from toolgraft.errors import ClosedError
from toolgraft_langchain import graft

from tests.connection.conftest import Ledger, raw_stdio, until
from tests.toolbox.conftest import ledger  # noqa: F401  # pyright: ignore[reportUnusedImport]
from tests.toolbox.test_callers import Script

pytestmark = [pytest.mark.anyio, pytest.mark.faults("T5")]

GO: Any = {"messages": [("user", "go")]}


def _agent(tools: Any, calls: int = 1) -> Any:
    asked: list[Any] = [
        {"id": str(number), "name": "echo", "args": {"text": f"said {number}"}, "type": "tool_call"}
        for number in range(calls)
    ]
    model = Script(messages=iter([AIMessage("", tool_calls=asked), AIMessage("done")]))
    return cast("Any", create_agent(model, tools))


def _said(end: Any) -> list[str]:
    return [message.text for message in end["messages"] if message.type == "tool"]


def _in_a_pool(work: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor() as pool:
        return pool.submit(work).result()


def _in_a_pool_of_a_pool(work: Callable[[], Any]) -> Any:
    return _in_a_pool(lambda: _in_a_pool(work))


def _waited_for(work: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor() as pool:
        (done, _) = concurrent.futures.wait([pool.submit(work)])
        return done.pop().result()


def _in_a_thread(work: Callable[[], Any]) -> Any:
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]


@pytest.mark.parametrize("calls", [1, 3])
async def test_invoke_in_async_code_says_what_to_write_instead(calls: int, ledger: Ledger) -> None:  # noqa: F811
    async with graft(raw_stdio("--ledger", str(ledger.path))) as tools:
        with pytest.raises(ClosedError, match=r"await agent\.ainvoke.*not sent"):
            _agent(tools, calls).invoke(GO)
        assert _said(await _agent(tools, calls).ainvoke(GO)) == [f"said {number}" for number in range(calls)]
        assert ledger.count("echo") == calls  # what was given up did not run later


@pytest.mark.parametrize("way", [_in_a_pool, _in_a_pool_of_a_pool, _waited_for, _in_a_thread])
async def test_every_way_to_block_the_loop_for_its_own_call_is_seen(way: Callable[..., Any]) -> None:
    async with graft(raw_stdio()) as tools:
        echo = next(tool for tool in tools if tool.name == "echo")
        for work in (
            lambda: echo.invoke({"text": "x"}),
            lambda: asyncio.run(echo.ainvoke({"text": "x"})),
            lambda: asyncio.run(tools.toolbox.refresh()),
        ):
            with pytest.raises(ClosedError, match="blocked until this call is done"):
                way(work)
        assert await echo.ainvoke({"text": "goes on"}) == "goes on"


async def test_run_sync_of_the_agents_sdk_is_told_so_too() -> None:
    async with toolgraft_openai_agents.graft(raw_stdio()) as tools:
        turns = [[function_call("echo", '{"text": "x"}', call_id="1")], [assistant_message("done")]]

        def run() -> Any:
            agent: Any = Agent(name="a", model=ScriptedModel(turns), tools=[*tools])
            loop = asyncio.new_event_loop()
            asyncio.set_event_loop(loop)
            try:
                return Runner.run_sync(agent, "go", run_config=RunConfig(tracing_disabled=True))
            finally:
                asyncio.set_event_loop(None)
                loop.close()

        with pytest.raises(ClosedError, match="blocked until this call is done"):
            _in_a_pool(run)
        end = await asyncio.to_thread(run)
        assert "x" in [item.output for item in end.new_items if item.type == "tool_call_output_item"]


async def test_invoke_in_a_thread_works() -> None:
    async with graft(raw_stdio()) as tools:
        end = await asyncio.to_thread(_agent(tools, 2).invoke, GO)
        assert _said(end) == ["said 0", "said 1"]


async def test_a_loop_that_is_busy_is_waited_for() -> None:
    async with graft(raw_stdio()) as tools:
        call = asyncio.create_task(asyncio.to_thread(_agent(tools).invoke, GO))
        await asyncio.sleep(0)
        time.sleep(1.5)  # noqa: ASYNC251
        assert _said(await call) == ["said 0"]


async def test_a_loop_that_polls_for_the_call_is_waited_for() -> None:
    async with graft(raw_stdio()) as tools:
        with ThreadPoolExecutor() as pool:
            call = pool.submit(_agent(tools).invoke, GO)
            while True:
                try:
                    end = call.result(0.7)
                    break
                except TimeoutError:
                    await asyncio.sleep(0.001)
        assert _said(end) == ["said 0"]


async def test_a_loop_that_gives_no_sign_is_given_up_and_the_call_does_not_run_later(
    monkeypatch: pytest.MonkeyPatch,
    ledger: Ledger,  # noqa: F811
) -> None:
    monkeypatch.setattr(home_loop, "PATIENCE", 1.0)
    outcome: list[BaseException] = []
    given_up = threading.Event()
    async with graft(raw_stdio("--ledger", str(ledger.path))) as tools:
        echo = next(tool for tool in tools if tool.name == "echo")

        def run() -> None:
            try:
                echo.invoke({"text": "x"})
            except BaseException as error:
                outcome.append(error)
            given_up.set()

        threading.Thread(target=run, daemon=True).start()
        assert given_up.wait(20)
        assert isinstance(outcome[0], ClosedError)
        assert "no sign" in str(outcome[0])
        await echo.ainvoke({"text": "later"})
        await until(lambda: ledger.count("echo"))
        assert ledger.count("echo") == 1


async def test_a_loop_that_falls_silent_after_a_call_began_is_given_up_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_loop, "LONG_PATIENCE", 1.0)
    server, begun, given_up = MCPServer("s"), asyncio.Event(), threading.Event()
    outcome: list[BaseException] = []

    @server.tool()
    async def long() -> str:  # pyright: ignore[reportUnusedFunction]
        begun.set()
        await asyncio.sleep(30)
        return "done"

    async with graft(InProcess(server)) as tools:

        def run() -> None:
            try:
                tools[0].invoke({})
            except BaseException as error:
                outcome.append(error)
            given_up.set()

        threading.Thread(target=run, daemon=True).start()
        await asyncio.wait_for(begun.wait(), 20)
        assert given_up.wait(20)  # what this waits for, nobody can see
        assert isinstance(outcome[0], ClosedError)
        assert "no sign for 1 s" in str(outcome[0])
        assert "may have run" in str(outcome[0])
