"""The Agents SDK's own MCP support."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agents.mcp import MCPServer, MCPServerManager, MCPServerStdio, MCPServerStreamableHttp
from agents.mcp.util import MCPUtil

from benchmarks.contenders.contract import Contender, Target, openai_call

SECONDS = 60  # its default of 5 s would cut honest slow tools


class AgentsMcp(Contender):
    """`MCPServerStdio` and `MCPServerStreamableHttp`, with their defaults: a tool list a turn."""

    framework = "openai"
    cache = False

    def __init__(self) -> None:
        super().__init__()
        self.servers: list[MCPServer] = []
        self.listed: list[Any] = []

    async def open(self, targets: Sequence[Target]) -> None:
        self.servers = [self._server(target, index) for index, target in enumerate(targets)]
        if len(targets) == 1:
            await self.servers[0].connect()
            self.stack.push_async_callback(self.servers[0].cleanup)
            self.listed = await self.servers[0].list_tools()
            self.convert()
        else:
            await self.stack.enter_async_context(MCPServerManager(self.servers, connect_in_parallel=True))
            gather: Any = MCPUtil.get_all_function_tools  # without an agent: only filters ask for one
            tools = await gather(self.servers, False, None, None, include_server_in_tool_names=True)
            self.tools = {tool.name: tool for tool in tools}

    def _server(self, target: Target, index: int) -> MCPServer:
        options: Any = {
            "name": f"server{index}",
            "cache_tools_list": self.cache,
            "client_session_timeout_seconds": SECONDS,
        }
        if target.url:
            return MCPServerStreamableHttp({"url": target.url}, **options)
        return MCPServerStdio({"command": target.command[0], "args": list(target.command[1:])}, **options)

    def convert(self) -> int:
        self.tools = {tool.name: MCPUtil.to_function_tool(tool, self.servers[0], False, None) for tool in self.listed}
        return len(self.tools)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> object:
        self.calls += 1
        return await openai_call(self.tools[tool], arguments, self.calls)

    def for_agent(self) -> dict[str, Any]:
        return {"mcp_servers": self.servers}


class AgentsMcpCached(AgentsMcp):
    """The same with `cache_tools_list=True`, which its documentation advises."""

    cache = True
