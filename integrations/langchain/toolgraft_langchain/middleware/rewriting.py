"""What the middleware has in common that puts pictures and files where the model of each call reads them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse, ToolCallRequest
from toolgraft.dialects import DOCUMENTS

from toolgraft_langchain.asked_by import WHOLE
from toolgraft_langchain.tools import MCPTool


class Rewriting(AgentMiddleware[Any, Any, Any]):
    """Rewrites each model call, and has tools leave nothing out: where it goes is decided at each model call."""

    @abstractmethod
    def rewritten(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        """Give a model call as its model takes it."""

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Rewrite one model call."""
        return handler(self.rewritten(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """Rewrite one model call."""
        return await handler(self.rewritten(request))

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        """Keep all that a tool returns."""
        return handler(_whole(request))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """Keep all that a tool returns."""
        return await handler(_whole(request))


def _whole(request: ToolCallRequest) -> ToolCallRequest:
    tool = request.tool
    if not isinstance(tool, MCPTool):
        return request
    return request.override(tool=tool.model_copy(update={"dialect": WHOLE, "files": tool.files | DOCUMENTS}))
