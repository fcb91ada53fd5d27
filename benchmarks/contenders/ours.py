"""toolgraft, through each of its adapters."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Final

from toolgraft import AnyServer, Http, Limits, Stdio

from benchmarks.contenders.contract import Contender, Target, langchain_call, openai_call

WHOLE: Final = Limits(text=None)
"""The peers cut no text: neither do we here."""


def servers(targets: Sequence[Target]) -> list[AnyServer]:
    return [_server(target, f"server{index}") for index, target in enumerate(targets)]


def _server(target: Target, name: str) -> AnyServer:
    if target.url:
        return Http(target.url, name=name, limits=WHOLE)
    return Stdio(*target.command, name=name, limits=WHOLE)


class Ours(Contender):
    """What both adapters have in common: `graft`, and each tool converted once."""

    graft: Any
    adapter: Any
    calls: int

    async def open(self, targets: Sequence[Target]) -> None:
        listed = await self.stack.enter_async_context(self.graft(*servers(targets)))
        self.tools = {tool.name: tool for tool in listed}
        self.bound = listed.toolbox.tools

    def convert(self) -> int:
        made = [self.adapter.to_tool(bound) for bound in self.bound]
        return len(made)


class LangChain(Ours):
    framework = "langchain"

    def __init__(self) -> None:
        super().__init__()
        from toolgraft_langchain import ADAPTER, graft

        self.graft, self.adapter = graft, ADAPTER

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> object:
        self.calls += 1
        return await self.tools[tool].ainvoke(langchain_call(tool, arguments, self.calls))


class OpenAI(Ours):
    framework = "openai"

    def __init__(self) -> None:
        super().__init__()
        from toolgraft_openai_agents import ADAPTER, graft

        self.graft, self.adapter = graft, ADAPTER

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> object:
        self.calls += 1
        return await openai_call(self.tools[tool], arguments, self.calls)


class Listened(LangChain):
    """LangChain with a callback handler that listens, so that its whole run machinery is at work."""

    async def open(self, targets: Sequence[Target]) -> None:
        from langchain_core.callbacks import AsyncCallbackHandler

        self._config: Any = {"callbacks": [AsyncCallbackHandler()]}
        await super().open(targets)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> object:
        self.calls += 1
        return await self.tools[tool].ainvoke(langchain_call(tool, arguments, self.calls), self._config)


class Sync(LangChain):
    """`with graft(...)` and `tool.invoke`, from a thread that has no event loop."""

    async def open(self, targets: Sequence[Target]) -> None:
        self._entered = ExitStack()
        listed = await asyncio.to_thread(self._entered.enter_context, self.graft(*servers(targets)))
        self.tools = {tool.name: tool for tool in listed}

    async def close(self) -> None:
        await asyncio.to_thread(self._entered.close)

    async def repeat(self, tool: str, arguments: Mapping[str, Any], times: int) -> list[float]:
        return await asyncio.to_thread(self._repeat, tool, arguments, times)

    def _repeat(self, tool: str, arguments: Mapping[str, Any], times: int) -> list[float]:
        took: list[float] = []
        for number in range(times):
            started = time.perf_counter()
            self.tools[tool].invoke(langchain_call(tool, arguments, number))
            took.append(time.perf_counter() - started)
        return took
