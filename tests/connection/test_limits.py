"""One limit per call, named in its error; a cancelled call is cancelled on the server, and the session goes on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from toolgraft.calls import Deadline
from toolgraft.config import Limits
from toolgraft.connection.wire.clock import Clock
from toolgraft.errors import ArgumentsError, DeadlineError, ResultError

from tests.connection.conftest import Ledger, StartRaw, raw_http, raw_stdio, talk, until
from tests.connection.test_listing import WAYS, way

pytestmark = pytest.mark.anyio


@pytest.mark.faults("TL1", "TL3", "L11")
@pytest.mark.parametrize(("transport", "era"), WAYS)
async def test_a_call_ends_at_its_limit_which_the_error_names(transport: str, era: str, start_raw: StartRaw) -> None:
    async with talk(way(transport, start_raw, "--era", era)) as line:
        with pytest.raises(DeadlineError) as caught:
            await line.call("hang", limit=0.2)
        assert caught.value.limit == 0.2
        assert caught.value.source == "the test"
        assert "may have run" in str(caught.value)
        assert await line.says("echo", {"text": "on"}) == "on"


@pytest.mark.faults("TL1", "TL2")
async def test_no_hidden_limit_ends_a_slow_tool(start_raw: StartRaw) -> None:
    async with talk(raw_http(start_raw())) as line:
        assert await line.says("sleep", {"s": 5.3}, limit=30) == "slept"


@pytest.mark.faults("TL3")
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_the_limit_holds_for_all_rounds_together(transport: str, start_raw: StartRaw) -> None:
    async with talk(way(transport, start_raw)) as line:
        with pytest.raises(DeadlineError):
            await line.call("again", {"rounds": 1000}, limit=0.4)


@pytest.mark.faults("TL4", "L11")
@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_a_cancelled_call_is_cancelled_on_the_server(era: str, ledger: Ledger) -> None:
    async with talk(raw_stdio("--era", era, "--ledger", str(ledger.path))) as line:
        call = asyncio.create_task(line.call("hang"))
        await until(lambda: ledger.count("hang"))
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await line.says("echo", {"text": "usable"}) == "usable"
        assert ledger.count("cancelled") == 1


@pytest.mark.faults("TL4")
@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_a_cancelled_http_call_leaves_the_session_usable(era: str, start_raw: StartRaw, ledger: Ledger) -> None:
    async with talk(raw_http(start_raw("--era", era, "--ledger", str(ledger.path)))) as line:
        calls = [asyncio.create_task(line.call("hang")) for _ in range(5)]
        await until(lambda: ledger.count("hang") == 5)
        for call in calls:
            call.cancel()
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {asyncio.CancelledError}
        assert await line.says("echo", {"text": "usable"}) == "usable"


@pytest.mark.faults("L15")
@pytest.mark.parametrize(("transport", "era"), WAYS)
async def test_a_hundred_calls_at_once_all_get_their_own_answer(transport: str, era: str, start_raw: StartRaw) -> None:
    async with talk(way(transport, start_raw, "--era", era)) as line:
        answers = await asyncio.gather(*(line.says("echo", {"text": str(n)}) for n in range(100)))
        assert answers == [str(n) for n in range(100)]


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_quick_call_does_not_wait_behind_a_slow_one(transport: str, start_raw: StartRaw) -> None:
    async with talk(way(transport, start_raw)) as line:
        slow = asyncio.create_task(line.call("hang"))
        assert await line.says("echo", {"text": "quick"}) == "quick"
        assert not slow.done()
        slow.cancel()


@pytest.mark.parametrize(
    ("transport", "sse"), [("stdio", ()), ("http", ()), ("http", ("--sse",))], ids=["stdio", "json", "sse"]
)
async def test_a_result_above_one_mebibyte_comes_whole_and_one_above_the_limit_is_refused(
    transport: str, sse: tuple[str, ...], start_raw: StartRaw
) -> None:
    limits = Limits(wire_bytes=4_000_000)
    async with talk(way(transport, start_raw, *sse, limits=limits)) as line:
        assert len(await line.says("big", {"n": 3_000_000})) == 3_000_000
        with pytest.raises(ResultError, match="the tool ran"):
            await line.call("big", {"n": 5_000_000})
        assert await line.says("echo", {"text": "on"}) == "on"


@pytest.mark.parametrize("arguments", [{"x": float("nan")}, {"x": "\ud800"}, {"x": {1, 2}}, {"x": object()}])
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_arguments_that_are_no_json_are_refused_and_harm_nobody(
    transport: str, arguments: dict[str, Any], start_raw: StartRaw
) -> None:
    async with talk(way(transport, start_raw)) as line:
        with pytest.raises(ArgumentsError, match="not JSON"):
            await line.call("echo", arguments)
        assert await line.says("echo", {"text": "on"}) == "on"


async def test_a_paused_clock_does_not_count() -> None:
    async with Clock(Deadline(0.05, "test")) as clock:
        with clock.paused(), clock.paused():
            await asyncio.sleep(0.1)

    async def pause_then_work() -> None:
        async with Clock(Deadline(0.05, "test")) as clock:
            with clock.paused():
                await asyncio.sleep(0.06)
            await asyncio.sleep(5)

    with pytest.raises(TimeoutError):
        await pause_then_work()


async def test_progress_moves_the_limit_only_when_asked_and_not_beyond_the_cap() -> None:
    async def work(deadline: Deadline, steps: int) -> None:
        async with Clock(deadline) as clock:
            for _ in range(steps):
                clock.progressed()
                await asyncio.sleep(0.01)

    with pytest.raises(TimeoutError):
        await work(Deadline(0.05, "test"), 1000)
    with pytest.raises(TimeoutError):
        await work(Deadline(0.05, "test", progress_cap=0.2), 1000)
    await work(Deadline(0.1, "test", progress_cap=30), 30)
