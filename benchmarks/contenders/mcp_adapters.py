"""langchain-mcp-adapters, on mcp 1.x: the way its documentation shows, and with a session held open by hand."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.contenders.contract import Contender, Target, langchain_call


class McpAdapters(Contender):
    """`MultiServerMCPClient(...).get_tools()`: a session, so on stdio a process, a call."""

    framework = "langchain"

    def __init__(self) -> None:
        super().__init__()
        self.library: Any = importlib.import_module("langchain_mcp_adapters.client")
        self.loading: Any = importlib.import_module("langchain_mcp_adapters.tools")

    def client(self, targets: Sequence[Target]) -> Any:
        connections = {f"server{index}": _connection(target) for index, target in enumerate(targets)}
        return self.library.MultiServerMCPClient(connections)

    async def open(self, targets: Sequence[Target]) -> None:
        self.tools = {tool.name: tool for tool in await self.client(targets).get_tools()}

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> object:
        self.calls += 1
        return await self.tools[tool].ainvoke(langchain_call(tool, arguments, self.calls))


class McpAdaptersHeld(McpAdapters):
    """`load_mcp_tools(session)`, the session held open."""

    async def open(self, targets: Sequence[Target]) -> None:
        client = self.client(targets)
        for name in client.connections:
            self.session = await self.stack.enter_async_context(client.session(name))
            self.tools |= {tool.name: tool for tool in await self.loading.load_mcp_tools(self.session)}
        self.listed: list[Any] = []

    async def list(self) -> None:
        self.listed = (await self.session.list_tools()).tools

    def convert(self) -> int:
        made = [self.loading.convert_mcp_tool_to_langchain_tool(self.session, tool) for tool in self.listed]
        return len(made)


def _connection(target: Target) -> dict[str, Any]:
    if target.url:
        return {"transport": "http", "url": target.url}
    return {"transport": "stdio", "command": target.command[0], "args": list(target.command[1:])}
