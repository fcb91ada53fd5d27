"""The Agents SDK as a host of hostile servers: with toolgraft, and with its own MCP support.

Both call through `FunctionTool.on_invoke_tool`, with a user as the run's context.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import AsyncExitStack
from typing import Any, Final, Protocol, TypeAlias

import httpx2
from agents.tool_context import ToolContext

from benchmarks.contenders.contract import Target

Headers: TypeAlias = Callable[[object], dict[str, str]]
"""Of the user of a call."""


class Host(Protocol):
    """One way to call the tools of one server."""

    async def open(self, target: Target, *, timeout: float = 60, headers: Headers | None = None) -> None: ...

    async def call(self, tool: str, arguments: dict[str, Any], user: object = None) -> str: ...

    async def close(self) -> None: ...


async def invoke(tool: Any, arguments: dict[str, Any], user: object) -> str:
    given = json.dumps(arguments)
    context: ToolContext[Any] = ToolContext(user, tool_name=tool.name, tool_call_id="1", tool_arguments=given)
    return str(await tool.on_invoke_tool(context, given))


class Toolgraft:
    """`toolgraft_openai_agents`, with a `headers` function where headers change."""

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._tools: dict[str, Any] = {}

    async def open(self, target: Target, *, timeout: float = 60, headers: Headers | None = None) -> None:
        from toolgraft import CallContext, Http, Stdio
        from toolgraft_openai_agents import graft

        def given(context: CallContext) -> dict[str, str]:
            user: Any = context.user
            return headers(getattr(user, "context", user)) if headers else {}

        options: Any = {"name": "hostile", "timeout": timeout}
        if target.url:
            server: Any = Http(target.url, headers=given if headers else {}, **options)
        else:
            server = Stdio(*target.command, **options)
        tools = await self._stack.enter_async_context(graft(server))
        self._tools = {tool.name: tool for tool in tools}

    async def call(self, tool: str, arguments: dict[str, Any], user: object = None) -> str:
        return await invoke(self._tools[tool], arguments, user)

    async def close(self) -> None:
        await self._stack.aclose()


class AgentsMcp:
    """`agents.mcp`. Its headers are fixed: each user has a server object; what changes by request is an `auth`."""

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._by_user: dict[object, dict[str, Any]] = {}
        self._opened: Any = None

    async def open(self, target: Target, *, timeout: float = 60, headers: Headers | None = None) -> None:
        self._opened = (target, timeout, headers)
        await self._tools(None)

    async def _tools(self, user: object) -> dict[str, Any]:
        from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
        from agents.mcp.util import MCPUtil

        target, timeout, headers = self._opened
        options: Any = {"client_session_timeout_seconds": timeout, "name": f"hostile {user}"}
        if target.url:
            auth = EachRequest(headers, user) if headers else None
            server: Any = MCPServerStreamableHttp({"url": target.url, "auth": auth}, **options)
        else:
            server = MCPServerStdio({"command": target.command[0], "args": list(target.command[1:])}, **options)
        await server.connect()
        self._stack.push_async_callback(server.cleanup)
        listed = await server.list_tools()
        self._by_user[user] = {tool.name: MCPUtil.to_function_tool(tool, server, False, None) for tool in listed}
        return self._by_user[user]

    async def call(self, tool: str, arguments: dict[str, Any], user: object = None) -> str:
        tools = self._by_user.get(user) or await self._tools(user)
        return await invoke(tools[tool], arguments, user)

    async def close(self) -> None:
        await self._stack.aclose()


class EachRequest(httpx2.Auth):
    """Puts headers on each request anew."""

    def __init__(self, headers: Headers, user: object) -> None:
        self._headers, self._user = headers, user

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        request.headers.update(self._headers(self._user))
        yield request


HOSTS: Final[dict[str, Callable[[], Host]]] = {"toolgraft": Toolgraft, "agents.mcp": AgentsMcp}
