"""What a worker needs of a contender."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Target:
    """A server to reach: by a command over stdio, or by a URL over Streamable HTTP."""

    command: tuple[str, ...] = ()
    url: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"command": self.command, "url": self.url}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Target:
        return cls(tuple(given["command"]), given["url"])


class Contender:
    """One way to call the tools of MCP servers. `open` connects, lists and converts."""

    framework: Literal["", "langchain", "openai"] = ""

    def __init__(self) -> None:
        self.stack = AsyncExitStack()
        self.tools: dict[str, Any] = {}
        self.calls = 0

    async def open(self, targets: Sequence[Target]) -> None:
        raise NotImplementedError

    async def close(self) -> None:
        await self.stack.aclose()

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> object:
        """One call by the framework's own entry."""
        raise NotImplementedError

    async def repeat(self, tool: str, arguments: Mapping[str, Any], times: int) -> list[float]:
        """Call one after the other; give the seconds of each."""
        took: list[float] = []
        for _ in range(times):
            started = time.perf_counter()
            await self.call(tool, arguments)
            took.append(time.perf_counter() - started)
        return took

    def convert(self) -> int:
        """Convert the listed tools once more, without a request; give how many."""
        raise NotImplementedError

    def for_agent(self) -> dict[str, Any]:
        """What an agent of the framework is given, as keyword arguments."""
        return {"tools": list(self.tools.values())}


def langchain_call(name: str, arguments: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {"type": "tool_call", "name": name, "args": dict(arguments), "id": f"call_{number}"}


async def openai_call(tool: Any, arguments: Mapping[str, Any], number: int) -> object:
    from agents.tool_context import ToolContext

    text = json.dumps(arguments)
    context: ToolContext[Any] = ToolContext(
        context=None, tool_name=tool.name, tool_call_id=f"call_{number}", tool_arguments=text
    )
    return await tool.on_invoke_tool(context, text)


async def at_once(contender: Contender, tool: str, arguments: Mapping[str, Any], times: int) -> float:
    """Make all calls at once; give the seconds until the last has answered."""
    started = time.perf_counter()
    await asyncio.gather(*[contender.call(tool, arguments) for _ in range(times)])
    return time.perf_counter() - started
