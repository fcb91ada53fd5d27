"""What the kernel took of a call may have run, and is not sent again; what it did not take is."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from toolgraft.config import Stdio
from toolgraft.connection import Lost, State
from toolgraft.connection.connection import Connection
from toolgraft.errors import DeadlineError, ToolOutcomeUnknownError

from tests.connection.conftest import Ledger, a_call, talk, until
from tests.connection.test_processes import wait_gone

pytestmark = pytest.mark.anyio
MORTAL = Path(__file__).parent.parent / "servers" / "mortal.py"


def mortal(ledger: Ledger, *options: str, **settings: Any) -> Stdio:
    """A server that ends in the middle of its work, in its first process only."""
    given: Any = {"name": "mortal", "era": "legacy", **settings}
    once = ("--once", f"{ledger.path}.once")
    return Stdio(sys.executable, str(MORTAL), str(ledger.path), *once, *options, **given)


async def _acted(connection: Connection, sizes: list[int], *, first: int = 0) -> list[Any]:
    calls = (
        connection.call(a_call("mortal", "act", {"n": number, "pad": "x" * size}))
        for number, size in enumerate(sizes, first)
    )
    return await asyncio.gather(*calls, return_exceptions=True)


ROUNDS = [
    (sizes, runs, end)
    for sizes in ([1_000_000] * 2, [300_000] * 3, [300_000] * 5, [2_000_000] * 2, [30_000] * 4, [100] * 5)
    for runs, end in ((1, "exit"), (2, "exit"), (1, "deaf"), (1, "mute"))
]


@pytest.mark.faults("T1")
@pytest.mark.parametrize(("sizes", "runs", "end"), ROUNDS)
async def test_whatever_a_dying_server_was_sent_runs_once_and_each_caller_is_told_the_truth(
    sizes: list[int], runs: int, end: str, ledger: Ledger
) -> None:
    async with talk(mortal(ledger, "--runs", str(runs), "--end", end)) as line:
        outcomes = await _acted(line.connection, sizes)
    ran = Counter(ledger.lines)
    for number, outcome in enumerate(outcomes):
        assert isinstance(outcome, Mapping | ToolOutcomeUnknownError), outcome
        assert ran[f"act {number}"] == 1 if isinstance(outcome, Mapping) else ran[f"act {number}"] <= 1
    assert any(isinstance(outcome, ToolOutcomeUnknownError) for outcome in outcomes)


@pytest.mark.faults("T1", "T12")
async def test_killing_a_server_around_its_calls_runs_none_twice_and_loses_no_later_call(ledger: Ledger) -> None:
    async with talk(mortal(ledger)) as line:
        for number in range(40):
            assert line.connection.pid is not None
            os.kill(line.connection.pid, signal.SIGKILL)
            for _ in range(number % 4):
                await asyncio.sleep(0)
            (outcome,) = await _acted(line.connection, [100], first=number)
            ran = ledger.lines.count(f"act {number}")
            assert isinstance(outcome, Mapping | ToolOutcomeUnknownError), outcome
            assert ran == 1 if isinstance(outcome, Mapping) else ran <= 1
            await line.call("pid")


@pytest.mark.faults("T12")
@pytest.mark.parametrize("end", ["exit", "deaf", "mute"])
@pytest.mark.parametrize("refresh", [False, True])
async def test_a_server_that_takes_or_gives_no_more_is_given_up_and_a_new_one_serves(
    end: str, refresh: bool, ledger: Ledger
) -> None:
    async with talk(mortal(ledger, "--runs", "1", "--end", end, "--late", "0.001")) as line:
        first = await line.says("act", {"n": 0})
        await until(lambda: line.connection.state is State.LOST)
        if refresh:
            assert (await line.connection.list_tools(refresh=True)).tools
        assert await line.says("act", {"n": 1}) != first
        assert [ledger.count("act 0"), ledger.count("act 1")] == [1, 1]
        assert len(line.heard(Lost)) == 1
        with pytest.raises(ProcessLookupError):
            os.kill(int(first), 0)


@pytest.mark.faults("T12")
async def test_a_server_whose_own_process_holds_its_pipes_open_is_seen_to_end(ledger: Ledger, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    async with talk(mortal(ledger, "--runs", "1", "--late", "0.001", "--keep", str(kept))) as line:
        await line.call("act", {"n": 0})
        await until(lambda: line.connection.state is State.LOST)
        await line.call("act", {"n": 1})
        assert "exited with code 1" in str(line.heard(Lost)[0])
    assert wait_gone(int(kept.read_text()))


@pytest.mark.faults("T1")
async def test_a_call_that_no_byte_was_written_of_is_known_not_to_have_run(ledger: Ledger) -> None:
    """The server does not read, the first call jams its pipe, and the second waits behind it."""
    config = mortal(ledger, "--ping", "10")
    async with talk(config) as line:
        assert line.connection.pid is not None
        os.kill(line.connection.pid, signal.SIGSTOP)
        jam = asyncio.create_task(line.call("act", {"n": 0, "pad": "x" * 1_000_000}, limit=1))
        await asyncio.sleep(0)
        with pytest.raises(DeadlineError) as behind:
            await line.call("act", {"n": 1}, limit=0.3)
        assert not behind.value.may_have_run
        with pytest.raises(DeadlineError) as before:
            await jam
        assert before.value.may_have_run


@pytest.mark.faults("T6")
async def test_a_flood_of_tiny_lines_holds_up_nobody_else(ledger: Ledger) -> None:
    async with talk(mortal(ledger, "--lines")) as line:
        flooded = await line.connection.list_tools(refresh=True)
        assert flooded.tools
        turns = 0
        async with asyncio.timeout(20):
            while turns < 200:
                await asyncio.sleep(0)
                turns += 1
        assert await line.says("pid")


@pytest.mark.faults("T7")
@pytest.mark.parametrize("size", [10, 100_000])
async def test_a_server_that_asks_and_does_not_read_is_given_up_with_the_reason(size: int, ledger: Ledger) -> None:
    async with talk(mortal(ledger, "--ping", str(size))) as line:
        await until(lambda: line.heard(Lost))
        assert "did not read the answers" in str(line.heard(Lost)[0])
        assert await line.says("pid")


@pytest.mark.faults("T29")
async def test_a_server_that_tells_of_a_change_after_each_list_is_asked_less_and_less(ledger: Ledger) -> None:
    async with talk(mortal(ledger, "--changes")):
        await until(lambda: ledger.count("list") >= 4)
        seen = ledger.count("list")
        await asyncio.sleep(1)
        assert ledger.count("list") - seen <= 3


ANSWERS = {
    "a stray byte": (r'{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"a\xffb"}]}}', "a\ufffdb"),
    "NUL": (r'{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"a\u0000b"}]}}', "a\ufffdb"),
    "a mark before": ('\ufeff{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"ab"}]}}', "ab"),
    "an id of another kind": (
        '{"id":{}}\n{"id":[1],"result":{}}\n{"id":{},"error":{}}\n{"jsonrpc":"2.0","method":"ping","id":{}}\n'
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}\n'
        '{"jsonrpc":"2.0","id":ID.0,"result":{"content":[{"type":"text","text":"ab"}]}}',
        "ab",
    ),
}


@pytest.mark.faults("T28")
@pytest.mark.parametrize("name", ANSWERS)
async def test_junk_costs_a_character_and_never_the_answer(name: str, ledger: Ledger) -> None:
    answer, text = ANSWERS[name]
    async with talk(mortal(ledger, "--answer", answer)) as line:
        assert await line.says("act") == text
