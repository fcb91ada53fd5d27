"""`langchain.mcp`, LangChain's own adapter on fastmcp; its client is held open."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.contenders.contract import Contender, Target, langchain_call


class LangChainMcp(Contender):
    framework = "langchain"

    def __init__(self) -> None:
        super().__init__()
        self.langchain: Any = importlib.import_module("langchain.mcp")
        self.tool: Any = importlib.import_module("langchain.mcp.tools")
        self.transports: Any = importlib.import_module("fastmcp.client.transports")

    async def open(self, targets: Sequence[Target]) -> None:
        for target in targets:
            self.adapter = await self.stack.enter_async_context(self.langchain.MCPAdapter(self._transport(target)))
            self.tools |= {tool.name: tool for tool in await self.adapter.list_tools()}

    def _transport(self, target: Target) -> Any:
        if target.url:
            return target.url
        return self.transports.StdioTransport(target.command[0], list(target.command[1:]), keep_alive=False)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> object:
        self.calls += 1
        return await self.tools[tool].ainvoke(langchain_call(tool, arguments, self.calls))
