"""Open here, call there, close elsewhere: any task, any loop, any thread, any order; copies and pickles."""

from __future__ import annotations

import asyncio
import copy
import multiprocessing
import pickle
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, TypeVar

import pytest
from toolgraft.config import Stdio
from toolgraft.connection import State
from toolgraft.connection.connection import Connection
from toolgraft.connection.loops.blocked import is_blocked_by_us
from toolgraft.errors import ClosedError, ConnectError, DeadlineError

from tests.connection.conftest import RAW, Ledger, StartRaw, a_call, raw_http, raw_stdio, talk, until

T = TypeVar("T")


async def echo(connection: Connection, text: str = "hi", tool: str = "echo", limit: float = 20) -> Mapping[str, Any]:
    return await connection.call(a_call("raw", tool, {"text": text}, limit=limit))


def text_of(raw: Mapping[str, Any]) -> str:
    return raw["content"][0]["text"]


async def in_task(work: Callable[[], Awaitable[T]]) -> T:
    async def run() -> T:
        return await work()

    return await asyncio.create_task(run())


@pytest.mark.anyio
@pytest.mark.faults("L1", "L2", "L3")
async def test_connections_open_in_one_task_are_called_in_twenty_and_closed_in_another_in_any_order(
    start_raw: StartRaw,
) -> None:
    configs = [raw_stdio(name="a"), raw_http(start_raw(), name="b"), raw_stdio("--era", "legacy", name="c")]
    connections = [Connection(config) for config in configs]
    for connection in connections:
        await in_task(connection.open)
    for connection in connections:
        answers = await asyncio.gather(*(echo(connection, str(n)) for n in range(20)))
        assert [text_of(each) for each in answers] == [str(n) for n in range(20)]
    first, second, third = connections
    await in_task(first.close)
    assert text_of(await echo(third)) == "hi"
    await in_task(third.close)
    await asyncio.gather(second.close(), second.close(), in_task(second.close))
    assert {each.state for each in connections} == {State.CLOSED}


@pytest.mark.anyio
@pytest.mark.faults("L4")
async def test_open_call_and_close_at_once_end_without_a_hang() -> None:
    for delay in (0.0, 0.05, 0.15):
        connection = Connection(raw_stdio())
        opening = asyncio.create_task(connection.open())
        calling = asyncio.create_task(echo(connection))
        await asyncio.sleep(delay)
        async with asyncio.timeout(20):
            await asyncio.gather(connection.close(), connection.close())
            outcomes = await asyncio.gather(opening, calling, return_exceptions=True)
        for outcome in outcomes:
            assert not isinstance(outcome, BaseException) or isinstance(outcome, ClosedError), outcome
        assert connection.state is State.CLOSED


@pytest.mark.anyio
@pytest.mark.faults("L13")
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_other_loops_in_other_threads_may_call(transport: str, start_raw: StartRaw) -> None:
    config = raw_stdio() if transport == "stdio" else raw_http(start_raw())
    async with talk(config) as line:

        async def several(n: int) -> list[str]:
            answers = await asyncio.gather(*(echo(line.connection, f"{n}-{m}") for m in range(5)))
            return [text_of(each) for each in answers]

        threads = [asyncio.to_thread(asyncio.run, several(n)) for n in range(4)]
        assert await asyncio.gather(*threads) == [[f"{n}-{m}" for m in range(5)] for n in range(4)]


@pytest.mark.anyio
async def test_a_cancellation_crosses_loops(ledger: Ledger) -> None:
    async with talk(raw_stdio("--ledger", str(ledger.path))) as line:

        async def cancel_it() -> None:
            call = asyncio.create_task(echo(line.connection, tool="hang"))
            await until(lambda: ledger.count("hang"))
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call

        await asyncio.to_thread(asyncio.run, cancel_it())
        await until(lambda: ledger.count("cancelled"))


@pytest.mark.anyio
async def test_a_limit_holds_from_another_loop() -> None:
    async with talk(raw_stdio()) as line:

        async def late() -> None:
            with pytest.raises(DeadlineError):
                await echo(line.connection, tool="hang", limit=0.1)

        await asyncio.to_thread(asyncio.run, late())


@pytest.mark.anyio
@pytest.mark.faults("L13")
async def test_threads_may_wait_and_the_home_thread_is_told_that_it_may_not() -> None:
    async with talk(raw_stdio()) as line:
        with ThreadPoolExecutor(8) as pool:
            loop = asyncio.get_running_loop()
            waits = [
                loop.run_in_executor(pool, lambda n=n: line.connection.wait(lambda: echo(line.connection, str(n))))
                for n in range(20)
            ]
            assert [text_of(each) for each in await asyncio.gather(*waits)] == [str(n) for n in range(20)]
        with pytest.raises(ClosedError, match="await the call"):
            line.connection.wait(lambda: echo(line.connection))


@pytest.mark.anyio
async def test_it_may_be_closed_from_another_thread() -> None:
    connection = Connection(raw_stdio())
    await connection.open()
    await asyncio.to_thread(asyncio.run, connection.close())
    assert connection.state is State.CLOSED
    with pytest.raises(ClosedError):
        await echo(connection)


@pytest.mark.faults("L14")
def test_a_connection_whose_loop_has_ended_says_so_at_once() -> None:
    connection = Connection(raw_stdio())
    asyncio.run(connection.open())

    with pytest.raises(ClosedError, match="event loop"):
        asyncio.run(echo(connection))
    with pytest.raises(ClosedError, match="event loop"):
        connection.wait(lambda: echo(connection))
    asyncio.run(connection.close())
    assert connection.state is State.CLOSED


def test_a_thread_that_waits_is_freed_when_the_home_loop_ends() -> None:
    outcome: list[BaseException] = []

    async def home() -> threading.Thread:
        connection = Connection(raw_stdio())
        await connection.open()

        def wait() -> None:
            try:
                connection.wait(lambda: echo(connection, tool="hang"))
            except BaseException as error:
                outcome.append(error)

        thread = threading.Thread(target=wait)
        thread.start()
        await asyncio.sleep(0.1)
        return thread

    asyncio.run(home()).join(20)
    assert outcome


@pytest.mark.anyio
@pytest.mark.faults("L6")
async def test_copies_are_the_same_connection() -> None:
    async with talk(raw_stdio()) as line:
        assert copy.deepcopy({"held": line.connection})["held"] is line.connection
        assert copy.copy(line.connection) is line.connection


@pytest.mark.anyio
async def test_a_pickled_connection_is_a_new_one_that_opens_at_its_first_call() -> None:
    async with talk(raw_stdio()) as line:
        other: Connection = pickle.loads(pickle.dumps(line.connection))
        assert other.state is State.NEW
        assert text_of(await echo(other)) == "hi"
        assert other.pid != line.connection.pid
        await other.close()


def call_in_child(connection: Connection) -> str:
    async def run() -> str:
        try:
            return text_of(await echo(connection, "from the child"))
        finally:
            await connection.close()

    return asyncio.run(run())


def test_another_process_opens_its_own() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply_async(call_in_child, (Connection(raw_stdio()),)).get(40) == "from the child"


def test_a_start_that_failed_in_one_loop_may_be_tried_in_the_next(tmp_path: Path) -> None:
    there = tmp_path / "there"
    code = (
        f"import os, sys, runpy\nif not os.path.exists({str(there)!r}): sys.exit(1)\n"
        f"sys.argv = ['raw', 'stdio']; runpy.run_path({str(RAW)!r}, run_name='__main__')"
    )
    connection = Connection(Stdio(sys.executable, "-c", code, name="raw"))
    with pytest.raises(ConnectError):
        asyncio.run(connection.open())
    there.touch()

    async def again() -> str:
        await connection.open()
        try:
            return text_of(await echo(connection))
        finally:
            await connection.close()

    assert asyncio.run(again()) == "hi"


def test_an_unopened_connection_closes_quietly() -> None:
    connection = Connection(Stdio("no-such-command", name="x"))
    asyncio.run(connection.close())
    assert connection.state is State.CLOSED


def test_canary_the_standard_library_shows_who_waits_for_whom() -> None:
    ours = threading.get_ident()

    def seen() -> bool:
        until = time.monotonic() + 20
        while not is_blocked_by_us(ours):
            if time.monotonic() > until:
                return False
            time.sleep(0.005)
        return True

    with ThreadPoolExecutor(2) as pool:
        assert pool.submit(seen).result()
        (done, _) = wait([pool.submit(seen)])
        assert done.pop().result()
        assert pool.submit(lambda: pool.submit(seen).result()).result()
    assert not is_blocked_by_us(ours)
