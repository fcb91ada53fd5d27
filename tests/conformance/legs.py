"""The ways to use a server's tools. Each imports its own framework only, for a client is started once a scenario."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from toolgraft import Http, Options, Toolbox, connect


@dataclass(frozen=True)
class Tools:
    """A server's tools as one framework has them.

    Attributes:
        toolbox: Where they come from.
        names: Their public names.
        call: Calls one, as the framework would for its model; raises when it failed.
    """

    toolbox: Toolbox
    names: Sequence[str]
    call: Callable[[str, Mapping[str, Any]], Awaitable[None]]

    def input_schema(self, name: str) -> Mapping[str, Any]:
        """The schema of a tool's arguments as its server wrote it."""
        return self.toolbox.find(name).spec.input_schema


Leg: TypeAlias = "Callable[[Http], AbstractAsyncContextManager[Tools]]"


def as_a_model(toolbox: Toolbox, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Write arguments in the form that the schema shown to models asks for, which is strict where it can be."""
    return toolbox.find(name).schema.codec.encode(dict(arguments))


@asynccontextmanager
async def without_framework(server: Http) -> AsyncGenerator[Tools]:
    """Through the toolbox itself."""
    async with connect(server, options=Options(discover_plugins=False)) as toolbox:

        async def call(name: str, arguments: Mapping[str, Any]) -> None:
            result = await toolbox.call(name, as_a_model(toolbox, name, arguments))
            if result.is_error:
                raise AssertionError(f"{name}: {result}")

        yield Tools(toolbox, [tool.spec.name for tool in toolbox.tools], call)


@asynccontextmanager
async def langchain(server: Http) -> AsyncGenerator[Tools]:
    """Through the objects that `create_agent` is given."""
    from toolgraft_langchain import graft

    async with graft(server, discover_plugins=False) as tools:
        by_name = {tool.name: tool for tool in tools}

        async def call(name: str, arguments: Mapping[str, Any]) -> None:
            written = as_a_model(tools.toolbox, name, arguments)
            message = await by_name[name].ainvoke({"type": "tool_call", "id": "call_1", "name": name, "args": written})
            if message.status == "error":
                raise AssertionError(f"{name}: {message.text}")

        yield Tools(tools.toolbox, list(by_name), call)


@asynccontextmanager
async def openai_agents(server: Http) -> AsyncGenerator[Tools]:
    """Through the function tools that `Agent` is given."""
    from agents.tool_context import ToolContext
    from toolgraft_openai_agents import graft

    async with graft(server, discover_plugins=False) as tools:
        by_name = {tool.name: tool for tool in tools}

        async def call(name: str, arguments: Mapping[str, Any]) -> None:
            written = json.dumps(as_a_model(tools.toolbox, name, arguments))
            context = ToolContext(None, tool_name=name, tool_call_id="call_1", tool_arguments=written)
            output = await by_name[name].on_invoke_tool(context, written)
            if "Error:" in str(output):
                raise AssertionError(f"{name}: {output}")

        yield Tools(tools.toolbox, list(by_name), call)


LEGS: Final[Mapping[str, Leg]] = {"connect": without_framework, "langchain": langchain, "openai_agents": openai_agents}
