"""Which protocol is spoken with servers that do not know the probe, in every way that they can show it."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client
from toolgraft.config import Custom, Http, Sse, Stdio
from toolgraft.connection.connection import Connection
from toolgraft.connection.session.era import EraMemory
from toolgraft.errors import ConnectError

from tests.connection.conftest import Ledger, StartRaw, raw_http, raw_stdio, talk
from tests.connection.test_lost_pipes import mortal
from tests.servers.web import Request, Streamed, web

pytestmark = pytest.mark.anyio


@pytest.mark.faults("T13")
@pytest.mark.parametrize("probed", ["exit", "spoilt"])
async def test_a_server_that_the_probe_ends_or_spoils_is_started_again_with_the_older_handshake_and_known_then(
    ledger: Ledger, probed: str
) -> None:
    config, memory = mortal(ledger, "--probe", probed, era="auto"), EraMemory()
    for starts in (2, 3):
        async with talk(config, era=memory) as line:
            assert line.connection.protocol_version == "2025-11-25"
            assert ledger.count("started") == starts
    assert ledger.count("server/discover") == 1


@pytest.mark.faults("T13")
async def test_what_was_learned_holds_for_the_whole_program(ledger: Ledger) -> None:
    config = mortal(ledger, "--probe", "exit", era="auto")
    for _ in range(2):
        async with talk(config):
            pass
    assert ledger.count("server/discover") == 1


@pytest.mark.faults("T13")
async def test_a_silent_server_is_asked_once_and_its_process_goes_on(ledger: Ledger) -> None:
    config, memory = mortal(ledger, "--probe", "silent", era="auto"), EraMemory()
    for _ in range(2):
        async with talk(config, era=memory) as line:
            assert line.connection.protocol_version == "2025-11-25"
    assert [ledger.count("started"), ledger.count("server/discover")] == [2, 1]


@pytest.mark.faults("T13")
async def test_a_server_whose_list_is_an_error_is_not_started_again(ledger: Ledger) -> None:
    code = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        f"    open({str(ledger.path)!r}, 'a').write(asked['method'] + '\\n')\n"
        "    server = {'capabilities': {'tools': {}}, 'serverInfo': {'name': 'x', 'version': '1'}}\n"
        "    said = {'error': {'code': -32603, 'message': 'no'}}\n"
        "    if asked['method'] == 'initialize': said = {'result': {'protocolVersion': '2025-11-25', **server}}\n"
        "    if 'id' in asked: print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], **said}), flush=True)\n"
    )
    with pytest.raises(ConnectError, match="listing its tools"):
        await Connection(Stdio(sys.executable, "-c", code, name="odd"), era=EraMemory()).open()
    assert ledger.count("initialize") == 1


@pytest.mark.faults("T13")
@pytest.mark.parametrize("probe", ["exit", "spoilt"])
async def test_a_transport_of_the_users_own_is_opened_again_too(probe: str, ledger: Ledger) -> None:
    served = mortal(ledger, "--probe", probe)
    parameters = StdioServerParameters(command=served.command, args=list(served.args))
    with open(os.devnull, "w") as errors:  # noqa: ASYNC230
        config: Any = Custom(lambda: stdio_client(parameters, errlog=errors), name="own")
        async with talk(config, era=EraMemory()) as line:
            assert line.connection.protocol_version == "2025-11-25"
    assert [ledger.count("started"), ledger.count("server/discover")] == [2, 1]


@pytest.mark.faults("T13")
async def test_a_silent_server_is_connected_where_the_limit_of_connecting_is_the_patience(ledger: Ledger) -> None:
    config = mortal(ledger, "--probe", "silent", era="auto", connect_timeout=3)
    async with talk(config, era=EraMemory()) as line:
        assert line.connection.protocol_version == "2025-11-25"


@pytest.mark.faults("T13")
async def test_so_is_one_over_a_transport_of_the_users_own(ledger: Ledger) -> None:
    served = mortal(ledger, "--probe", "silent")
    parameters = StdioServerParameters(command=served.command, args=list(served.args))
    with open(os.devnull, "w") as errors:  # noqa: ASYNC230
        config: Any = Custom(lambda: stdio_client(parameters, errlog=errors), name="own", connect_timeout=3)
        async with talk(config, era=EraMemory()) as line:
            assert line.connection.protocol_version == "2025-11-25"
            assert await line.says("pid")
    assert [ledger.count("started"), ledger.count("server/discover")] == [1, 1]


@pytest.mark.faults("T13")
async def test_so_is_one_over_http_and_sse() -> None:
    with web(speaks=Streamed) as served:

        def silent(request: Request) -> bool:
            if request.method == "server/discover":
                Request.answer(request, 202, b"")
            return request.method == "server/discover"

        served.misbehave = silent
        async with talk(Sse(served.url, name="web", connect_timeout=3), era=EraMemory()) as line:
            assert line.connection.protocol_version == "2025-11-25"
            assert await line.says("echo")


@pytest.mark.faults("T13")
async def test_so_is_one_over_http() -> None:
    end = threading.Event()
    with web(modern=False) as served:

        def silent(request: Request) -> bool:
            if request.method == "server/discover":
                end.wait(20)
            return request.method == "server/discover"

        served.misbehave = silent
        async with talk(Http(served.url, name="web", connect_timeout=4), era=EraMemory()) as line:
            assert line.connection.protocol_version == "2025-11-25"
        end.set()


@pytest.mark.faults("T13")
async def test_a_slow_server_of_the_new_protocol_only_is_given_the_time_it_takes(ledger: Ledger) -> None:
    async with talk(mortal(ledger, "--probe", "4", "--modern", era="auto"), era=EraMemory()) as line:
        assert line.connection.protocol_version == "2026-07-28"


@pytest.mark.faults("T13")
@pytest.mark.parametrize("status", [200, 202, 400, 404, 405, 500, 501, 502, 503])
async def test_whatever_an_old_http_server_answers_the_probe_the_older_handshake_follows(
    status: int, start_raw: StartRaw, ledger: Ledger
) -> None:
    memory = EraMemory()
    config = raw_http(start_raw("--era", "legacy", "--probe", str(status), "--ledger", str(ledger.path)))
    for _ in range(2):
        async with talk(config, era=memory) as line:
            assert line.connection.protocol_version == "2025-11-25"


@pytest.mark.parametrize("status", [401, 403, 429])
async def test_a_refused_probe_is_no_downgrade(status: int, start_raw: StartRaw, ledger: Ledger) -> None:
    config = raw_http(start_raw("--era", "legacy", "--probe", str(status), "--ledger", str(ledger.path)))
    with pytest.raises(ConnectError, match=f"HTTP {status}"):
        await Connection(config, era=EraMemory()).open()
    assert ledger.count("offered") == 0


async def test_a_pinned_era_goes_on_with_the_version_that_the_server_offers(ledger: Ledger) -> None:
    async with talk(mortal(ledger, era="2026-07-28"), era=EraMemory()) as line:
        assert line.connection.protocol_version == "2025-11-25"


async def test_a_server_that_has_learned_the_new_protocol_is_spoken_with_in_it(ledger: Ledger) -> None:
    memory = EraMemory()
    config = mortal(ledger, "--modern", era="auto")
    memory.learn(config, legacy=True)
    async with talk(config, era=memory) as line:
        assert line.connection.protocol_version == "2026-07-28"


@pytest.mark.parametrize("answer", ["no answer", "400", "404", "405"])
async def test_so_is_one_over_http_that_answers_the_older_handshake_in_any_way(answer: str) -> None:
    """Where another server stood at an address once, or it knows the old protocol no more."""
    with web(modern=True) as served:

        def foreign(request: Request) -> bool:
            if request.method != "initialize":
                return False
            made_up = json.dumps({"jsonrpc": "2.0", "id": request.message["id"], "result": {"content": []}}).encode()
            request.answer(*((200, made_up) if answer == "no answer" else (int(answer), b"")))
            return True

        served.misbehave = foreign
        memory, config = EraMemory(), Http(served.url, name="web", connect_timeout=10)
        memory.learn(config, legacy=True)
        async with talk(config, era=memory) as line:
            assert line.connection.protocol_version == "2026-07-28"
        assert memory.spoken(config) == "modern"


async def test_a_pinned_era_teaches_the_others_nothing() -> None:
    memory = EraMemory()
    pinned: Any = raw_stdio("--era", "legacy", era="legacy")
    async with talk(pinned, era=memory):
        assert memory.spoken(pinned) is None


async def test_a_server_that_fails_in_both_ways_tells_both(tmp_path: Path) -> None:
    once = str(tmp_path / "once")
    code = f"import os, sys; p = {once!r}; sys.exit('two' if os.path.exists(p) else open(p, 'w') and 'one')"
    config = Stdio(sys.executable, "-c", code, name="odd")
    with pytest.raises(ConnectError, match=r"one.*two"):
        await Connection(config, era=EraMemory()).open()
