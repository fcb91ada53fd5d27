"""The SDK's own client, without a framework: what everything else is compared with."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import Tool

from benchmarks.contenders.contract import Contender, Target


class Raw(Contender):
    """`mcp.Client`: one client a server, each in a task of its own where there are several."""

    def __init__(self) -> None:
        super().__init__()
        self.clients: list[Client] = []
        self._stop = asyncio.Event()
        self._owners: list[asyncio.Task[None]] = []

    async def open(self, targets: Sequence[Target]) -> None:
        self.clients = [_client(target) for target in targets]
        if len(targets) == 1:
            await self.stack.enter_async_context(self.clients[0])
            found = [await _tools(self.clients[0])]
        else:
            self._stop = asyncio.Event()
            ready = [asyncio.get_running_loop().create_future() for _ in targets]
            pairs = zip(self.clients, ready, strict=True)
            self._owners = [asyncio.create_task(self._own(client, future)) for client, future in pairs]
            found = await asyncio.gather(*ready)
        self.tools = {tool.name: tool for tools in found for tool in tools}

    async def close(self) -> None:
        self._stop.set()
        await asyncio.gather(*self._owners)
        await self.stack.aclose()

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> object:
        return await self.clients[0].call_tool(tool, dict(arguments))

    async def _own(self, client: Client, ready: asyncio.Future[list[Tool]]) -> None:
        async with client:
            ready.set_result(await _tools(client))
            await self._stop.wait()


def _client(target: Target) -> Client:
    if target.url:
        return Client(target.url)
    return Client(StdioServerParameters(command=target.command[0], args=list(target.command[1:])))


async def _tools(client: Client) -> list[Tool]:
    tools: list[Tool] = []
    cursor = None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if not cursor:
            return tools
