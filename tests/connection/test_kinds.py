"""Every kind of server, in both eras: it opens, lists, calls, reads, prompts and closes."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any, cast

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from toolgraft.calls import Deadline
from toolgraft.config import Custom, Held, Http, InProcess, Sse, Stdio
from toolgraft.connection import ListChanged
from toolgraft.errors import DeadlineError, ProtocolError, ToolOutcomeUnknownError

from tests.connection.conftest import RAW, Ledger, Talk, a_call, talk, until
from tests.servers.sdk import make, serving

pytestmark = pytest.mark.anyio
SDK = Path(__file__).parent.parent / "servers" / "sdk.py"
ERAS = ["auto", "legacy"]


@pytest.fixture(scope="module")
def http() -> Generator[str]:
    with serving("http") as url:
        yield url


@pytest.fixture(scope="module")
def stateless() -> Generator[str]:
    with serving("http", stateless_http=True, json_response=True) as url:
        yield url


@pytest.fixture(scope="module")
def sse() -> Generator[str]:
    with serving("sse") as url:
        yield url


async def _does_everything(line: Talk) -> None:
    listing = await line.connection.list_tools()
    assert {"echo", "sleep", "greet"} <= {tool.name for tool in listing.tools}
    echo = next(tool for tool in listing.tools if tool.name == "echo")
    assert echo.output_schema is not None
    assert not listing.refused
    assert await line.says("echo", {"text": "hi"}) == "hi"
    raw = await line.call("echo", {"text": "ho"})
    assert raw["structuredContent"] == {"result": "ho"}
    assert (await line.call("echo", {}))["isError"]
    read = await line.connection.read_resource("note://one")
    assert read["contents"][0]["text"] == "a note"
    assert [cast("Any", each)["uri"] for each in await line.connection.list_resources()] == ["note://one"]
    assert await line.connection.list_resource_templates() == ()
    assert [cast("Any", each)["name"] for each in await line.connection.list_prompts()] == ["hello"]
    prompt = await line.connection.get_prompt("hello", {"name": "Ada"})
    assert prompt["messages"][0]["content"]["text"] == "say hello to Ada"
    with pytest.raises(ProtocolError, match="server"):
        await line.connection.read_resource("note://none")


@pytest.mark.parametrize("era", ERAS)
async def test_stdio(era: Any) -> None:
    async with talk(Stdio(sys.executable, str(SDK), name="sdk", era=era)) as line:
        await _does_everything(line)


@pytest.mark.parametrize("era", ERAS)
async def test_streamable_http(era: Any, http: str, stateless: str) -> None:
    for url in (http, stateless):
        async with talk(Http(url, name="sdk", era=era)) as line:
            await _does_everything(line)


@pytest.mark.parametrize("era", ERAS)
async def test_sse(era: Any, sse: str) -> None:
    async with talk(Sse(sse, name="sdk", era=era)) as line:
        await _does_everything(line)


@pytest.mark.parametrize("era", ERAS)
async def test_in_process(era: Any) -> None:
    async with talk(InProcess(make(), era=era)) as line:
        await _does_everything(line)


async def test_a_transport_of_the_users_own() -> None:
    def factory() -> Any:
        return stdio_client(StdioServerParameters(command=sys.executable, args=[str(RAW), "stdio"]))

    async with talk(Custom(factory, name="own")) as line:
        assert (await line.connection.list_tools()).tools
        assert await line.says("echo", {"text": "hi"}) == "hi"
        with pytest.raises(ToolOutcomeUnknownError):
            await line.call("die")
        assert await line.says("echo", {"text": "a new transport"}) == "a new transport"


async def test_a_held_client_is_used_and_left_open() -> None:
    async with Client(make()) as client:
        async with talk(Held(client)) as line:
            await _does_everything(line)
        assert (await client.list_tools()).tools


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.faults("TL4", "L11")
async def test_a_cancelled_call_stops_its_handler_wherever_the_protocol_can_say_so(
    era: Any, http: str, sse: str, tmp_path: Path
) -> None:
    servers = [Http(http, name="sdk", era=era), Sse(sse, name="sdk", era=era), InProcess(make(), name="sdk", era=era)]
    for config in servers:
        ledger = Ledger(tmp_path / type(config).__name__)
        async with talk(config) as line:
            call = asyncio.create_task(line.call("stay", {"file": str(ledger.path)}))
            await line.says("echo", {"text": "it is there"})
            await asyncio.sleep(0.1)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            await until(lambda ledger=ledger: ledger.lines)
            assert await line.says("echo", {"text": "on"}) == "on"


@pytest.mark.parametrize("era", ERAS)
async def test_progress_moves_the_limit_of_a_call_that_asks_for_it(era: Any, http: str) -> None:
    for config in (Http(http, name="sdk", era=era), InProcess(make(), name="sdk", era=era)):
        async with talk(config) as line:
            plain, moved = Deadline(0.7, "test"), Deadline(0.7, "test", progress_cap=30)
            with pytest.raises(DeadlineError):
                await line.connection.call(a_call("sdk", "plod", {"steps": 12}, limit=plain))
            raw = await line.connection.call(a_call("sdk", "plod", {"steps": 12}, limit=moved))
            assert raw["content"][0]["text"] == "arrived"


@pytest.mark.parametrize("kind", ["stdio", "http", "sse", "in process"])
@pytest.mark.faults("D3")
async def test_a_modern_server_that_is_watched_tells_of_new_tools(kind: str, sse: str) -> None:
    with serving("http") as fresh:
        config: Any = {
            "stdio": Stdio(sys.executable, str(SDK), name="sdk"),
            "http": Http(fresh, name="sdk"),
            "sse": Sse(sse, name="sdk"),
            "in process": InProcess(make(), name="sdk"),
        }[kind]
        async with talk(config, watch=True) as line:
            assert line.connection.protocol_version == "2026-07-28"
            await _until_watched(line)
            assert "grown" in [tool.name for tool in (await line.connection.list_tools()).tools]


async def _until_watched(line: Talk) -> None:
    """The stream opens after the connection; a change before that is not told, so grow until one is."""
    for _ in range(50):
        await line.call("grow")
        try:
            await until(lambda: line.heard(ListChanged), seconds=0.2)
            return
        except TimeoutError:
            continue
    raise AssertionError("no change was told")


@pytest.mark.parametrize("era", ERAS)
async def test_a_result_of_two_mebibytes_comes_whole_over_sse(era: Any, sse: str) -> None:
    async with talk(Sse(sse, name="sdk", era=era)) as line:
        assert len(await line.says("big", {"n": 2_000_000})) == 2_000_000
        assert await line.says("echo", {"text": "on"}) == "on"
