"""Tools in other processes: pickled there, they connect anew at their first call."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("langchain_core")

from toolgraft import CallContext, Http, Stdio
from toolgraft.connection import State, unpickled
from toolgraft.connection.connection import Connection
from toolgraft.errors import ClosedError
from toolgraft_langchain import MCPTool, graft

from tests.connection.test_processes import wait_gone

pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")]

CALL: dict[str, Any] = {"type": "tool_call", "name": "add", "args": {"a": 20, "b": 22}, "id": "call_1"}


def invoked(tool: MCPTool) -> Any:
    return tool.invoke(CALL).artifact["structured_content"]


def awaited(tool: MCPTool) -> Any:
    return asyncio.run(tool.ainvoke(CALL)).artifact["structured_content"]


@pytest.mark.faults("L6")
@pytest.mark.parametrize("call", [invoked, awaited])
def test_a_pickled_tool_works_in_another_process(demo_http: Http, call: Any) -> None:
    with graft(demo_http) as tools:
        add = next(tool for tool in tools if tool.name == "add")
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            assert pool.apply_async(call, (add,)).get(timeout=50) == {"sum": 42}


def test_a_pickled_tool_works_after_its_graft_has_ended(demo_stdio: Stdio) -> None:
    with graft(demo_stdio) as tools:
        pickled = pickle.dumps(next(tool for tool in tools if tool.name == "add"))
    assert invoked(pickle.loads(pickled)) == {"sum": 42}


class Token:
    """A part of a declaration that cannot be compared."""

    def __init__(self, value: str) -> None:
        self.value = value

    def __call__(self, context: CallContext) -> dict[str, str]:
        return {"authorization": self.value}


def count_after(pickled: Sequence[bytes], call: Callable[[MCPTool], Any]) -> tuple[int, int]:
    """Call each pickled tool in turn and drop it: how many servers run then, and how many files are open more."""
    before = len(os.listdir("/proc/self/fd"))
    for each in pickled:
        assert call(pickle.loads(each)) == {"sum": 42}
    return len(_children()), len(os.listdir("/proc/self/fd")) - before


def _children(pid: int | str = "self") -> list[int]:
    tasks = Path(f"/proc/{pid}/task")
    found = [int(each) for task in tasks.iterdir() for each in (task / "children").read_text().split()]
    return [each for each in found if b"trap" not in Path(f"/proc/{each}/cmdline").read_bytes()]  # but for the reaper


def servers(number: int) -> list[int]:
    return _children()


def _add(tools: Sequence[MCPTool]) -> MCPTool:
    return next(tool for tool in tools if tool.name == "add")


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are counted in /proc")


@linux
@pytest.mark.faults("T11")
@pytest.mark.parametrize("method", ["spawn", "fork"])
@pytest.mark.parametrize("call", [invoked, awaited])
def test_thirty_tasks_in_a_worker_share_one_server_that_ends_with_it(
    method: str, call: Callable[[MCPTool], Any], demo_stdio: Stdio
) -> None:
    with graft(demo_stdio) as tools, ProcessPoolExecutor(1, multiprocessing.get_context(method)) as pool:
        tool = _add(tools)
        for answer in [pool.submit(call, tool) for _ in range(30)]:
            assert answer.result(50) == {"sum": 42}
        running = pool.submit(servers, 0).result(50)
        assert len(running) == 1
    assert wait_gone(running[0])


def two(context: CallContext) -> int:
    """A bound argument, made for each call."""
    return 22


@linux
@pytest.mark.faults("T11")
@pytest.mark.parametrize(("bound", "running"), [([22, 22.0, 2], 2), ([two, two], 1)], ids=["values", "a function"])
def test_a_bound_value_tells_declarations_apart_and_a_function_that_gives_it_does_not(
    demo_stdio: Stdio, bound: list[Any], running: int
) -> None:
    pickled: list[bytes] = []
    for value in bound:
        with graft(replace(demo_stdio, only=["add"], bind={"b": value})) as tools:
            pickled.append(pickle.dumps(tools[0]))
    call = {**CALL, "args": {"a": 20}}
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(sums_and_servers, pickled, call).result(50) == (
            [20 + (22 if value is two else value) for value in bound],
            running,
        )


def sums_and_servers(pickled: Sequence[bytes], call: dict[str, Any]) -> tuple[list[float], int]:
    """Call each pickled tool: what it answers, and how many servers run then."""
    tools: list[MCPTool] = [pickle.loads(each) for each in pickled]
    return [tool.invoke(call).artifact["structured_content"]["sum"] for tool in tools], len(_children())


@linux
@pytest.mark.faults("T11")
def test_lists_of_the_same_declaration_share_one_server_whatever_is_in_it(demo_stdio: Stdio) -> None:
    pickled: list[bytes] = []
    for _ in range(3):  # three grafts, each with its own declaration
        with graft(replace(demo_stdio, env={"A": "1"}, elicit=None)) as tools:
            pickled += [pickle.dumps(_add(tools)), pickle.dumps(_add(tools))]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for call in (invoked, awaited):
            running, files = pool.apply(count_after, (pickled, call))
            assert running == 1
            assert files < 20


@pytest.mark.faults("T11")
def test_parts_that_cannot_be_compared_are_told_apart_by_what_they_hold(demo_http: Http) -> None:
    def connection(token: Token) -> Any:
        return pickle.loads(pickle.dumps(Connection(replace(demo_http, headers=token))))

    one = Token("one")
    assert connection(one) is connection(one)
    first = connection(one)
    one.value = "another"
    assert connection(one) is not first
    assert connection(Token("one")) is not connection(Token("two"))


@pytest.mark.faults("T11")
async def test_one_is_closed_a_while_after_nothing_holds_it(monkeypatch: pytest.MonkeyPatch, demo_stdio: Stdio) -> None:
    monkeypatch.setattr(unpickled, "KEPT", 0.2)
    connection = pickle.loads(pickle.dumps(Connection(replace(demo_stdio, env={"B": "1"}))))
    await connection.open()
    pid = connection.pid
    again = pickle.loads(pickle.dumps(connection))
    assert again is connection
    del connection
    assert again.state is State.OPEN
    del again
    assert await asyncio.to_thread(wait_gone, pid)


@pytest.mark.faults("T11")
async def test_a_closed_one_is_not_given_out_again(demo_stdio: Stdio) -> None:
    pickled = pickle.dumps(Connection(replace(demo_stdio, env={"C": "1"})))
    first: Connection = pickle.loads(pickled)
    await first.open()
    await first.close()
    with pytest.raises(ClosedError):
        await first.open()
    second: Connection = pickle.loads(pickled)
    await second.open()
    await second.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
@pytest.mark.faults("T11")
def test_a_fork_of_a_worker_has_connections_of_its_own(demo_stdio: Stdio) -> None:
    pickled = pickle.dumps(Connection(replace(demo_stdio, env={"D": "1"})))
    here: Connection = pickle.loads(pickled)
    asyncio.run(here.open())
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        there = pool.submit(opened, pickled).result(50)
    assert there != here.pid
    assert wait_gone(there)
    assert here.state is State.OPEN
    asyncio.run(here.close())


def opened(pickled: bytes) -> int:
    connection: Connection = pickle.loads(pickled)
    asyncio.run(connection.open())
    assert connection.pid is not None
    return connection.pid


@pytest.mark.faults("T31")
async def test_after_its_with_a_tool_says_the_same_sync_and_async(demo_stdio: Stdio) -> None:
    async with graft(demo_stdio) as tools:
        awaited_one = _add(tools)

    def used() -> MCPTool:
        with graft(demo_stdio) as sync_tools:
            return _add(sync_tools)

    said: set[str] = set()
    for tool in (awaited_one, await asyncio.to_thread(used)):
        for call in (invoked, awaited):
            with pytest.raises(ClosedError) as raised:
                await asyncio.to_thread(call, tool)
            said.add(str(raised.value))
        with pytest.raises(ClosedError) as raised:
            await tool.ainvoke(CALL)
        said.add(str(raised.value))
    (text,) = said
    assert "use its tools inside the `with` that opened it" in text
