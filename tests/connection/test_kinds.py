"""Every kind of server opens, lists, calls and closes."""

from __future__ import annotations

import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer
from toolgraft.config import CallContext, Held, InProcess
from toolgraft.connection import Deadline
from toolgraft.connection.connection import Connection
from toolgraft.spec import ToolRef

server = MCPServer("kinds")


@server.tool()
def echo(text: str) -> str:
    """Give the text back."""
    return text


@pytest.mark.anyio
@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_server_in_process_lists_and_answers(era: str) -> None:
    await _lists_and_answers(Connection(InProcess(server, era=era)))  # type: ignore[arg-type]


@pytest.mark.anyio
async def test_a_held_client_lists_and_answers_and_stays_open() -> None:
    async with Client(server) as client:
        await _lists_and_answers(Connection(Held(client)))
        assert (await client.list_tools()).tools


async def _lists_and_answers(connection: Connection) -> None:
    await connection.open()
    listing = await connection.list_tools()
    assert [tool.name for tool in listing.tools] == ["echo"]
    name = connection.config.name
    raw = await connection.call_tool(
        ToolRef(name, "echo"), {"text": "hi"}, context=CallContext(name), limit=Deadline(5, "test"), repeatable=False
    )
    assert raw["content"][0]["text"] == "hi"
    await connection.close()
    await connection.close()
