"""No server process outlives us, whatever ends us; and where its standard error goes."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from toolgraft.config import Stdio
from toolgraft.connection import State
from toolgraft.connection.wire.stdio.child import Child
from toolgraft.connection.wire.stdio.processes import group_alive
from toolgraft.connection.wire.stdio.stdio import environment

from tests.connection.conftest import RAW, Talk, raw_stdio, talk, until

ROOT = Path(__file__).parent.parent.parent


def gone(pid: int) -> bool:
    """Whether a process has ended; a zombie that nobody reaps has."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state in "ZX"


def wait_gone(pid: int, seconds: float = 10) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if gone(pid):
            return True
        time.sleep(0.01)
    return False


@pytest.mark.anyio
@pytest.mark.faults("L16")
async def test_closing_ends_the_server_and_its_grandchildren(tmp_path: Path) -> None:
    pid_file = tmp_path / "grandchild"
    async with talk(raw_stdio("--grandchild", str(pid_file))) as line:
        pid = line.connection.pid
        assert pid is not None
        grandchild = int(pid_file.read_text())
        assert not gone(grandchild)
    assert not group_alive(pid)
    assert gone(grandchild)


@pytest.mark.anyio
@pytest.mark.faults("L16")
async def test_ten_reconnects_leave_one_process() -> None:
    async with talk(raw_stdio()) as line:
        seen: set[int] = set()
        for _ in range(10):
            assert line.connection.pid is not None
            seen.add(line.connection.pid)
            await line.call("crash_later")
            await until(lambda: line.connection.state is State.LOST)
            await line.call("echo")
        assert len(seen) == 10
        assert all(gone(pid) for pid in seen)
        assert line.connection.pid not in seen


@pytest.mark.anyio
@pytest.mark.faults("L16")
async def test_stubborn_servers_are_all_ended_within_one_period_of_grace(tmp_path: Path) -> None:
    lines = [talk(raw_stdio("--stubborn", name=f"s{n}")) for n in range(3)]
    talks: list[Talk] = [await line.__aenter__() for line in lines]
    pids = [each.connection.pid or 0 for each in talks]
    await asyncio.gather(*(line.__aexit__(None, None, None) for line in lines))
    assert all(gone(pid) for pid in pids)


HOST = """
import asyncio, os, signal, sys
sys.path[:0] = {path!r}
from tests.connection.conftest import raw_stdio
from toolgraft.connection.connection import Connection
async def main():
    connection = Connection(raw_stdio("--stubborn"))
    await connection.open()
    print(connection.pid, flush=True)
    {ending}
asyncio.run(main())
"""


ENDINGS = {
    "SIGTERM": "await asyncio.sleep(60)",
    "SIGHUP": "await asyncio.sleep(60)",
    "SIGKILL": "await asyncio.sleep(60)",
    "SIGINT": "await asyncio.sleep(60)",
    "forgotten": "pass",
}


@pytest.mark.usefixtures("interruptible")
@pytest.mark.faults("L16", "T29")
def test_however_the_program_ends_a_stubborn_server_ends_with_it() -> None:
    hosts: dict[str, subprocess.Popen[str]] = {}
    servers: dict[str, int] = {}
    with ExitStack() as started:
        for ending, code in ENDINGS.items():
            program = HOST.format(path=[str(ROOT), *sys.path], ending=code)
            command = [sys.executable, "-c", program]
            host = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT)
            hosts[ending] = started.enter_context(host)
            started.callback(host.kill)
        for ending, host in hosts.items():
            assert host.stdout is not None
            servers[ending] = int(host.stdout.readline())
            if ending.startswith("SIG"):
                host.send_signal(signal.Signals[ending])
        for host in hosts.values():
            host.wait(30)
    assert {ending for ending, pid in servers.items() if not wait_gone(pid)} == set()


@pytest.mark.anyio
@pytest.mark.faults("T29")
async def test_no_signal_of_the_program_is_touched() -> None:
    numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGCHLD, signal.SIGPIPE)
    before = [signal.getsignal(number) for number in numbers]
    async with talk(raw_stdio()) as line:
        await line.call("echo")
        assert [signal.getsignal(number) for number in numbers] == before


@pytest.mark.faults("T29")
def test_a_killed_program_leaves_no_process_that_its_server_started(tmp_path: Path) -> None:
    kept = tmp_path / "grandchild"
    program = HOST.format(path=[str(ROOT), *sys.path], ending="await asyncio.sleep(60)")
    program = program.replace('"--stubborn"', f'"--stubborn", "--grandchild", {str(kept)!r}')
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=ROOT) as host:
        assert host.stdout is not None
        server = int(host.stdout.readline())
        host.kill()
    assert wait_gone(server)
    assert wait_gone(int(kept.read_text()))


@pytest.mark.faults("L18")
def test_the_environment_is_the_base_set_what_is_passed_on_and_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_OURS", "x")
    monkeypatch.setenv("PROXY", "y")
    bare = environment(Stdio("x", env={"KEY": "v"}))
    assert bare["PATH"] == os.environ["PATH"]
    assert bare["KEY"] == "v"
    assert "SECRET_OF_OURS" not in bare
    assert environment(Stdio("x", inherit_env=["PROXY", "ABSENT"]))["PROXY"] == "y"
    assert "SECRET_OF_OURS" not in environment(Stdio("x", inherit_env=["PROXY"]))
    assert environment(Stdio("x", inherit_env=True, env={"PROXY": "z"})) == {**os.environ, "PROXY": "z"}


def noisy(**settings: Any) -> Stdio:
    code = (
        "import sys, runpy; sys.stderr.write('a word to the log\\n'); sys.stderr.flush(); sys.argv = ['raw', 'stdio']; "
        f"runpy.run_path({str(RAW)!r}, run_name='__main__')"
    )
    given: Any = {"name": "noisy", **settings}
    return Stdio(sys.executable, "-c", code, **given)


@pytest.mark.anyio
async def test_standard_error_goes_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="toolgraft.server.noisy"):
        async with talk(noisy()) as line:
            await line.call("echo")
    assert "a word to the log" in caplog.text


@pytest.mark.anyio
async def test_standard_error_goes_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "errors"
    async with talk(noisy(stderr=file)) as line:
        await line.call("echo")
    assert file.read_text() == "a word to the log\n"


@pytest.mark.anyio
async def test_standard_error_is_inherited_also_where_ours_is_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = io.StringIO()
    monkeypatch.setattr(sys, "stderr", ours)
    async with talk(noisy(stderr="inherit")) as line:
        await line.call("echo")
    assert ours.getvalue() == "a word to the log\n"


@pytest.mark.anyio
async def test_standard_error_is_discarded(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    with caplog.at_level(logging.DEBUG):
        async with talk(noisy(stderr="discard")) as line:
            await line.call("echo")
    assert "a word" not in caplog.text + capfd.readouterr().err


def test_the_pipe_for_platforms_where_a_thread_reads_it(caplog: pytest.LogCaptureFixture) -> None:
    child = Child(Stdio("x", name="threaded"))
    with caplog.at_level(logging.INFO, logger="toolgraft.server.threaded"):
        with child.file() as errlog:
            subprocess.run([sys.executable, "-c", "import sys; sys.stderr.write('hello')"], stderr=errlog, check=True)
        until = time.monotonic() + 10
        while not child.story() and time.monotonic() < until:
            time.sleep(0.01)
    assert "hello" in child.story()
