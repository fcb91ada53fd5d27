"""Local function tools with the same names and schemas, and no MCP: what an agent's turn costs at least."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from benchmarks.contenders.contract import Contender, Target
from benchmarks.contenders.raw import Raw


class Local(Contender):
    async def open(self, targets: Sequence[Target]) -> None:
        raw = Raw()
        await raw.open(targets)
        self.tools = {name: self.made(tool) for name, tool in raw.tools.items()}
        await raw.close()

    def made(self, tool: Any) -> Any:
        raise NotImplementedError


class LocalLangChain(Local):
    framework = "langchain"

    def made(self, tool: Any) -> Any:
        from langchain_core.tools import StructuredTool

        async def run(**arguments: Any) -> Any:
            return arguments.get("text", "ok")

        return StructuredTool(
            name=tool.name, description=tool.description or "", args_schema=tool.input_schema, coroutine=run
        )


class LocalOpenAI(Local):
    framework = "openai"

    def made(self, tool: Any) -> Any:
        from agents import FunctionTool

        async def run(context: Any, arguments: str) -> Any:
            return json.loads(arguments).get("text", "ok")

        return FunctionTool(
            name=tool.name,
            description=tool.description or "",
            params_json_schema=tool.input_schema,
            on_invoke_tool=run,
            strict_json_schema=False,
        )
