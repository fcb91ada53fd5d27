"""An agent whose tools follow their servers: what a server adds or takes away is there at the next model call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from toolgraft.errors import MissingExtraError
from toolgraft.graft import Grafted

from toolgraft_langchain.tools import MCPTool

if TYPE_CHECKING:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse, ToolCallRequest


def live_tools(tools: Grafted[MCPTool]) -> AgentMiddleware[Any, Any, Any]:
    """Make the middleware by which `create_agent` follows a list that was grafted with `live=True`.

        async with graft(server, live=True) as tools:
            agent = create_agent(model, tools, middleware=[live_tools(tools)])

    `create_agent` copies the list it is given; this puts the current one before each model call.

    Args:
        tools: What `graft(..., live=True)` gave.

    Raises:
        MissingExtraError: The package `langchain` is not installed.
    """
    try:
        from langchain.agents.middleware import AgentMiddleware
    except ImportError as missing:
        raise MissingExtraError(package="langchain") from missing

    class LiveTools(AgentMiddleware[Any, Any, Any]):
        """Puts the current tools of a graft into each model call, and carries out calls of them."""

        def wrap_model_call(
            self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
        ) -> ModelResponse[Any]:
            """Give one model call the tools that are served now."""
            return handler(request.override(tools=_current(tools, request.tools)))

        async def awrap_model_call(
            self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
        ) -> ModelResponse[Any]:
            """Give one model call the tools that are served now."""
            return await handler(request.override(tools=_current(tools, request.tools)))

        def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
            """Carry out a call of a tool that came after the agent was made, and refuse one that is gone."""
            return _gone(tools, request) or handler(_found(tools, request))

        async def awrap_tool_call(
            self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
        ) -> Any:
            """Carry out a call of a tool that came after the agent was made, and refuse one that is gone."""
            return _gone(tools, request) or await handler(_found(tools, request))

    return LiveTools()


def _current(tools: Grafted[MCPTool], given: list[BaseTool | dict[str, Any]]) -> list[BaseTool | dict[str, Any]]:
    return [*(tool for tool in given if not _is_of(tools, tool)), *tools]


def _is_of(tools: Grafted[MCPTool], tool: object) -> bool:
    return isinstance(tool, MCPTool) and tool.bound.spec.ref.server in tools.toolbox.servers


def _found(tools: Grafted[MCPTool], request: ToolCallRequest) -> ToolCallRequest:
    name = request.tool_call["name"]
    return next((request.override(tool=tool) for tool in tools if tool.name == name), request)


def _gone(tools: Grafted[MCPTool], request: ToolCallRequest) -> ToolMessage | None:
    name = request.tool_call["name"]
    if not _is_of(tools, request.tool) or any(tool.name == name for tool in tools):
        return None
    text = f"tool '{name}' is no longer served by its server; it was not called"
    return ToolMessage(text, tool_call_id=str(request.tool_call["id"]), name=name, status="error")
