"""A lost server comes back at the next call, and nothing is run twice."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Any

import pytest
from toolgraft.config import Stdio
from toolgraft.connection import Connected, EraMemory, Lost, Reconnected, State
from toolgraft.connection.events import Retried
from toolgraft.errors import ClosedError, ConnectError, DeadlineError, ToolOutcomeUnknownError, TransportError

from tests.connection.conftest import RAW, Ledger, StartRaw, Talk, raw_http, raw_stdio, talk, until

pytestmark = pytest.mark.anyio
ERAS = ["modern", "legacy"]


async def _state(line: Talk, state: State) -> None:
    await until(lambda: line.connection.state is state)


@pytest.mark.faults("L7", "L10")
@pytest.mark.parametrize("era", ERAS)
async def test_a_stdio_server_that_died_is_started_again_by_the_next_call(era: str) -> None:
    async with talk(raw_stdio("--era", era)) as line:
        await line.call("crash_later")
        await _state(line, State.LOST)
        assert await line.says("echo", {"text": "back"}) == "back"
        assert [type(event) for event in line.events] == [Connected, Lost, Reconnected]
        assert line.connection.state is State.OPEN


async def test_an_old_server_is_not_probed_again(ledger: Ledger) -> None:
    memory = EraMemory()
    config = raw_stdio("--era", "legacy", "--ledger", str(ledger.path))
    async with talk(config, era=memory) as line:
        probed = ledger.count("offered")
        assert probed == 2  # the probe and the handshake
        await line.call("crash_later")
        await _state(line, State.LOST)
        await line.call("echo")
        assert ledger.count("offered") == probed + 1
    async with talk(config, era=memory):
        assert ledger.count("offered") == probed + 2


@pytest.mark.faults("L9")
@pytest.mark.parametrize("era", ERAS)
async def test_a_side_effect_in_flight_is_not_sent_again(era: str, ledger: Ledger) -> None:
    async with talk(raw_stdio("--era", era, "--ledger", str(ledger.path))) as line:
        with pytest.raises(ToolOutcomeUnknownError) as caught:
            await line.call("die")
        assert isinstance(caught.value.__cause__, TransportError | Exception)
        await line.call("echo")
        assert ledger.count("die") == 1


@pytest.mark.faults("L9")
async def test_a_repeatable_call_in_flight_is_sent_again_a_bounded_number_of_times(ledger: Ledger) -> None:
    async with talk(raw_stdio("--ledger", str(ledger.path))) as line:
        with pytest.raises(TransportError):
            await line.call("die", repeatable=True)
        assert 1 < ledger.count("die") <= 3


async def test_a_repeatable_call_survives_the_death_of_its_server(ledger: Ledger, tmp_path: Any) -> None:
    once = tmp_path / "once"
    code = (
        "import os, sys, json, runpy\n"
        f"sys.argv = ['raw', 'stdio', '--ledger', {str(ledger.path)!r}]\n"
        f"raw = runpy.run_path({str(RAW)!r})\n"
        "plain = raw['Server'].call\n"
        "def call(self, message):\n"
        f"    if not os.path.exists({str(once)!r}):\n"
        f"        open({str(once)!r}, 'w').close(); os._exit(1)\n"
        "    return plain(self, message)\n"
        "raw['Server'].call = call\n"
        "raw['main']()\n"
    )
    async with talk(Stdio(sys.executable, "-c", code, name="raw")) as line:
        assert await line.says("echo", {"text": "kept"}, repeatable=True) == "kept"
        assert ledger.count("echo") == 2


@pytest.mark.faults("L7", "L8")
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("sse", [(), ("--sse",)])
async def test_a_restarted_http_server_is_used_again(era: str, sse: tuple[str, ...], start_raw: StartRaw) -> None:
    server = start_raw("--era", era, *sse)
    async with talk(raw_http(server)) as line:
        server.kill()
        with pytest.raises(TransportError) as caught:
            await line.call("echo")
        assert not caught.value.sent
        server.start()
        assert await line.says("echo", {"text": "back"}) == "back"


@pytest.mark.faults("L8")
async def test_a_restarted_sse_server_is_used_again(start_raw: StartRaw) -> None:
    server = start_raw("--era", "legacy", kind="sse")
    async with talk(raw_http(server)) as line:
        server.kill()
        await _state(line, State.LOST)
        with pytest.raises(TransportError, match="cannot connect"):
            await line.call("echo")
        server.start()
        async with asyncio.timeout(30):
            while True:
                try:
                    answer = await line.says("echo", {"text": "back"})
                    break
                except TransportError:
                    await asyncio.sleep(0.05)
        assert answer == "back"


@pytest.mark.faults("L7", "L8")
@pytest.mark.parametrize("kind", ["http", "sse"])
async def test_an_expired_session_is_opened_anew_and_the_refused_call_runs_once(
    kind: str, start_raw: StartRaw, ledger: Ledger
) -> None:
    server = start_raw("--era", "legacy", "--ledger", str(ledger.path), kind=kind)
    async with talk(raw_http(server)) as line:
        if kind == "http":
            await line.call("forget")
        else:
            with pytest.raises(DeadlineError):
                await line.call("forget", limit=0.3)
        assert await line.says("echo", {"text": "new session"}) == "new session"
        assert ledger.count("echo") == 1
        assert [type(event) for event in line.events] == [Connected, Lost, Retried, Reconnected]


@pytest.mark.faults("L7")
async def test_a_list_that_is_asked_for_on_an_expired_session_comes_from_a_new_one(start_raw: StartRaw) -> None:
    async with talk(raw_http(start_raw("--era", "legacy"))) as line:
        await line.call("forget")
        assert (await line.connection.list_tools(refresh=True)).tools


async def test_a_list_that_cannot_be_read_says_why_and_the_old_one_stays(start_raw: StartRaw) -> None:
    server = start_raw()
    async with talk(raw_http(server)) as line:
        before = await line.connection.list_tools()
        server.kill()
        with pytest.raises(ConnectError, match="cannot connect"):
            await line.connection.list_tools(refresh=True)
        assert await line.connection.list_tools() is before


@pytest.mark.faults("L10")
async def test_ten_calls_in_flight_all_end_when_their_server_is_killed() -> None:
    async with talk(raw_stdio()) as line:
        pid = line.connection.pid
        assert pid is not None
        calls = [asyncio.create_task(line.call("hang")) for _ in range(10)]
        await line.call("echo")
        os.kill(pid, signal.SIGKILL)
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {ToolOutcomeUnknownError}


@pytest.mark.faults("L16")
async def test_a_server_that_does_not_come_back_fails_fast_and_says_why(tmp_path: Any) -> None:
    gone = tmp_path / "gone"
    code = (
        f"import os, sys, runpy\nif os.path.exists({str(gone)!r}): sys.exit('no licence')\n"
        f"sys.argv = ['raw', 'stdio']; runpy.run_path({str(RAW)!r}, run_name='__main__')"
    )
    async with talk(Stdio(sys.executable, "-c", code, name="raw")) as line:
        gone.touch()
        await line.call("crash_later")
        await _state(line, State.LOST)
        for _ in range(3):
            with pytest.raises(TransportError, match="no licence") as caught:
                await line.call("echo")
            assert not caught.value.sent
        gone.unlink()
        async with asyncio.timeout(30):
            while True:
                try:
                    await line.call("echo")
                    break
                except TransportError:
                    await asyncio.sleep(0.05)


async def test_a_closed_connection_says_so_and_does_not_come_back() -> None:
    async with talk(raw_stdio()) as line:
        await line.connection.close()
        with pytest.raises(ClosedError):
            await line.call("echo")
        with pytest.raises(ClosedError):
            await line.connection.open()


async def test_calls_in_flight_end_when_the_connection_is_closed() -> None:
    async with talk(raw_stdio()) as line:
        risky = asyncio.create_task(line.call("hang"))
        harmless = asyncio.create_task(line.call("hang", repeatable=True))
        await line.call("echo")
        await line.connection.close()
        outcomes = await asyncio.gather(risky, harmless, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [ToolOutcomeUnknownError, ClosedError]
