from __future__ import annotations

import socket
import subprocess
import sys
from urllib.parse import urlsplit

import anyio
import pytest
from mcp import Client, StdioServerParameters
from toolgraft.config import Http, Stdio
from toolgraft.testing import DEMO_COMMAND, DEMO_TOOLS, demo_http, demo_stdio


def _listens(http: Http) -> bool:
    address = urlsplit(http.url)
    with socket.socket() as probe:
        probe.settimeout(5)
        return probe.connect_ex((str(address.hostname), int(address.port or 0))) == 0


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.parametrize("way", ["stdio", "http"])
async def test_the_demo_server_answers_in_both_eras_over_both_transports(
    mode: str, way: str, demo_http: Http, demo_stdio: Stdio
) -> None:
    stdio = StdioServerParameters(command=demo_stdio.command, args=list(demo_stdio.args))
    with anyio.fail_after(30):
        async with Client(demo_http.url if way == "http" else stdio, mode=mode) as client:
            listed = await client.list_tools()
            picture = await client.call_tool("picture", {"color": "red"})
            total = await client.call_tool("add", {"a": 2, "b": 3})
            failed = await client.call_tool("fail", {"reason": "out of paper"})
            version = client.protocol_version
    assert [tool.name for tool in listed.tools] == [tool["name"] for tool in DEMO_TOOLS]
    assert [block.type for block in picture.content] == ["text", "image"]
    assert total.structured_content == {"sum": 5}
    assert failed.is_error
    assert (version == "2026-07-28") == (mode == "2026-07-28")


def test_the_server_is_gone_when_its_block_ends_in_an_error() -> None:
    seen: list[Http] = []

    def fail_inside() -> None:
        with demo_http() as http:
            assert _listens(http)
            seen.append(http)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_inside()
    assert not _listens(seen[0])


@pytest.mark.anyio
async def test_the_server_is_gone_when_its_block_is_cancelled() -> None:
    seen: list[Http] = []
    with anyio.CancelScope() as scope:
        async with demo_http() as http:
            seen.append(http)
            scope.cancel()
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert not _listens(seen[0])


def test_the_server_does_not_outlive_the_process_that_started_it() -> None:
    script = (
        "import os; from toolgraft.testing import demo_http as d; print(d().__enter__().url, flush=True); os._exit(9)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50)
    assert done.returncode == 9  # run() waits for the end of the pipes, which the server holds: it has ended
    assert not _listens(Http(done.stdout.strip()))


def test_options_reach_the_declarations() -> None:
    stdio = demo_stdio(name="second", timeout=7)
    assert (stdio.name, stdio.timeout) == ("second", 7)
    assert (stdio.command, *stdio.args) == DEMO_COMMAND
    with demo_http(name="third", era="legacy") as http:
        assert (http.name, http.era) == ("third", "legacy")


def test_importing_the_demo_loads_no_client_and_no_event_loop() -> None:
    script = (
        "import sys, toolgraft.testing; print({'mcp', 'mcp_types', 'anyio', 'asyncio', 'pydantic'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50, check=True)
    assert done.stdout.strip() == "set()"
