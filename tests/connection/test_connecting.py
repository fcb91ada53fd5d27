"""What cannot be connected says why, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from toolgraft.config import AnyServer, Http, Sse, Stdio
from toolgraft.connection import State
from toolgraft.connection.connection import Connection
from toolgraft.errors import ConnectError

from tests.connection.conftest import RAW, StartRaw, a_call, raw_http, raw_stdio, talk, until

pytestmark = pytest.mark.anyio


def python(code: str, **settings: Any) -> Stdio:
    given: Any = {"name": "odd", **settings}
    return Stdio(sys.executable, "-c", code, **given)


def free_port() -> int:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


async def refusal(config: AnyServer) -> ConnectError:
    connection = Connection(config)
    with pytest.raises(ConnectError) as caught:
        await connection.open()
    error = caught.value
    assert connection.state is State.NEW
    assert f"server '{config.name}'" in str(error)
    assert config.target in str(error)
    assert "TaskGroup" not in str(error)
    assert "sub-exception" not in str(error)
    await connection.close()
    return error


async def test_a_command_that_does_not_exist_is_named() -> None:
    error = await refusal(Stdio("no-such-command-at-all", name="gone"))
    assert "no such command: 'no-such-command-at-all'" in error.reason


async def test_a_working_folder_that_does_not_exist_is_named() -> None:
    error = await refusal(Stdio(sys.executable, name="gone", cwd="/no/such/folder"))
    assert "/no/such/folder" in error.reason


async def test_a_command_that_may_not_be_run_is_named(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("")
    assert "not allowed" in (await refusal(Stdio(str(script), name="locked"))).reason


async def test_a_server_that_ends_at_once_tells_its_exit_code_and_its_last_words() -> None:
    error = await refusal(python("import sys; sys.stderr.write('no config found\\n'); sys.exit(2)"))
    assert "exited with code 2" in error.reason
    assert "no config found" in error.reason


async def test_the_last_words_do_not_show_a_value_of_the_declared_environment() -> None:
    code = "import os, sys; sys.stderr.write('bad key ' + os.environ['KEY']); sys.exit(1)"
    error = await refusal(python(code, env={"KEY": "s3cret-value"}))
    assert "bad key" in error.reason
    assert "s3cret-value" not in str(error)


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_silent_server_ends_at_the_connect_timeout_and_its_process_is_gone(era: str, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    error = await refusal(python(code, connect_timeout=0.7, era=era))
    assert "0.7 s" in error.reason
    assert "connect_timeout" in error.reason
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


async def test_a_program_that_is_no_mcp_server_is_refused() -> None:
    assert await refusal(Stdio("cat", name="cat", connect_timeout=1))


@pytest.mark.faults("T26")
@pytest.mark.parametrize("then", ["time.sleep(60)", "sys.exit(3)"])
async def test_a_program_that_writes_something_else_to_its_output_is_said_to(
    then: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_TOKEN", "t")
    code = f"import sys, time; print('Welcome, hush-key! SOME_TOKEN is not set', flush=True); {then}"
    config = Stdio(sys.executable, "-c", code, name="loud", connect_timeout=3, env={"KEY": "hush-key"})
    reason = (await refusal(config)).reason
    assert "no MCP message to its standard output: 'Welcome, ***! SOME_TOKEN is not set'" in reason
    assert "inherit_env=['SOME_TOKEN']" in reason


@pytest.mark.faults("T26")
async def test_a_server_that_speaks_is_not_blamed_for_a_banner() -> None:
    answer = '{"jsonrpc": "2.0", "id": 1, "result": {}}'
    code = f"import sys; print('Welcome!', flush=True); sys.stdin.readline(); print({answer!r}); sys.exit(3)"
    assert "Welcome" not in (await refusal(Stdio(sys.executable, "-c", code, name="loud", era="legacy"))).reason


@pytest.mark.faults("E5")
@pytest.mark.parametrize("kind", [Http, Sse])
async def test_a_closed_port_is_refused_with_the_root_cause(kind: Any) -> None:
    error = await refusal(kind(f"http://127.0.0.1:{free_port()}/mcp", name="down"))
    assert "cannot connect" in error.reason


async def test_a_host_that_accepts_and_says_nothing_ends_at_the_connect_timeout() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        port = silent.getsockname()[1]
        error = await refusal(Http(f"http://127.0.0.1:{port}/mcp", name="mute", connect_timeout=0.5))
    assert "0.5 s" in error.reason or "timed out" in error.reason


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_an_outage_while_connecting_is_an_error_and_no_downgrade(
    status: int, era: str, start_raw: StartRaw
) -> None:
    server = start_raw("--era", era, "--always", str(status))
    error = await refusal(raw_http(server))
    assert f"HTTP {status}" in error.reason


async def test_a_tool_list_that_is_none_is_refused(start_raw: StartRaw) -> None:
    for config in (raw_stdio("--list", "none"), raw_http(start_raw("--list", "none"))):
        assert "no list of tools" in (await refusal(config)).reason


async def test_a_cancelled_start_leaves_no_process(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    connection = Connection(python(code))
    opening = asyncio.create_task(connection.open())
    await until(lambda: pid.exists() and pid.read_text())
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
    await connection.close()


async def test_a_failed_start_can_be_tried_again(start_raw: StartRaw) -> None:
    server = start_raw()
    server.kill()
    connection = Connection(raw_http(server))
    with pytest.raises(ConnectError):
        await connection.open()
    server.start()
    await connection.open()
    assert connection.state is State.OPEN
    await connection.close()


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_the_era_is_found_and_pinned_eras_are_kept(era: str, start_raw: StartRaw) -> None:
    version = {"modern": "2026-07-28", "legacy": "2025-11-25"}[era]
    pin: Any = {"modern": "2026-07-28", "legacy": "legacy"}[era]
    for config in (raw_stdio("--era", era), raw_http(start_raw("--era", era))):
        async with talk(config) as line:
            assert line.connection.protocol_version == version
    async with talk(raw_stdio("--era", era, era=pin)) as line:
        assert line.connection.protocol_version == version


async def test_what_a_server_tells_of_itself_is_there(start_raw: StartRaw) -> None:
    async with talk(raw_http(start_raw("--era", "legacy"))) as line:
        assert line.connection.server_info["name"] == "raw"
        assert line.connection.instructions == "be careful"


async def test_many_callers_share_one_start(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    code = (
        f"open({str(starts)!r}, 'a').write('x'); import runpy, sys; "
        f"sys.argv = ['raw', 'stdio']; runpy.run_path({str(RAW)!r}, run_name='__main__')"
    )
    connection = Connection(python(code))
    try:
        await asyncio.gather(*(connection.open() for _ in range(10)))
        assert (await connection.call(a_call("odd", "echo", limit=9)))["content"]
        assert starts.read_text() == "x"
    finally:
        await connection.close()


async def test_an_outage_of_the_first_list_is_the_root_cause(start_raw: StartRaw) -> None:
    for era in ("modern", "legacy"):
        error = await refusal(raw_http(start_raw("--era", era, "--list", "outage")))
        assert "HTTP 503" in error.reason


@pytest.mark.parametrize("kind", ["http", "sse"])
async def test_a_server_that_refuses_every_message_is_refused_at_once(kind: str, start_raw: StartRaw) -> None:
    assert (await refusal(raw_http(start_raw("--list", "refuse", kind=kind)))).reason


@pytest.mark.parametrize("status", [401, 404, 503])
async def test_an_event_stream_that_is_refused_says_how(status: int, start_raw: StartRaw) -> None:
    error = await refusal(raw_http(start_raw("--always", str(status), kind="sse")))
    assert f"HTTP {status}" in error.reason
