"""The middleware that puts tools and messages into the form of each call's model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse, ToolCallRequest
from langchain_core.messages import AnyMessage
from langchain_core.runnables import ensure_config
from langchain_core.tools import BaseTool
from toolgraft.dialects import Dialect

from toolgraft_langchain.drawn import Drawn
from toolgraft_langchain.for_model import as_anthropic_strict
from toolgraft_langchain.media import messages_for
from toolgraft_langchain.middleware.whole import whole
from toolgraft_langchain.models import dialect_of
from toolgraft_langchain.tools import MCPTool


class FollowModel(AgentMiddleware[Any, Any, Any]):
    """Puts tools and messages into the form of each call's model; see `toolgraft_langchain.follow_model`."""

    def __init__(self, anthropic_strict: bool) -> None:
        super().__init__()
        self._anthropic_strict = anthropic_strict
        self._drawn = Drawn()

    def __reduce__(self) -> tuple[type[FollowModel], tuple[bool]]:
        return FollowModel, (self._anthropic_strict,)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Rewrite one model call."""
        return handler(self._rewritten(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """Rewrite one model call."""
        return await handler(self._rewritten(request))

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        """Keep all that a tool returns: where it goes is decided at each model call."""
        return handler(whole(request))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """Keep all that a tool returns: where it goes is decided at each model call."""
        return await handler(whole(request))

    def _rewritten(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        """Give the request with tools and messages as its model takes them."""
        dialect = dialect_of(request.model, ensure_config())
        messages = messages_for(request.messages, dialect)
        tools = self._tools(cast("Sequence[BaseTool | dict[str, Any]]", request.tools), dialect)
        return request.override(tools=tools, messages=cast("list[AnyMessage]", messages))

    def _tools(self, tools: Sequence[BaseTool | dict[str, Any]], dialect: Dialect) -> list[BaseTool | dict[str, Any]]:
        drawn = (self._drawn.tool(tool, dialect) if isinstance(tool, MCPTool) else tool for tool in tools)
        made = [tool for tool in drawn if tool is not None]
        if not self._anthropic_strict or dialect.name != "anthropic":
            return made
        own = iter(as_anthropic_strict([tool for tool in made if isinstance(tool, BaseTool)]))
        return [next(own) if isinstance(tool, BaseTool) else tool for tool in made]
