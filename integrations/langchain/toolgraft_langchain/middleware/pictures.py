"""The middleware by which a model that is reached by Chat Completions sees what tools return."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse, ToolCallRequest
from langchain_core.messages import AnyMessage

from toolgraft_langchain.chat_completions import pictures_as_user_messages
from toolgraft_langchain.middleware.whole import whole


class PicturesAsUserMessages(AgentMiddleware[Any, Any, Any]):
    """Moves pictures and files of tool messages into messages of the user."""

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Rewrite the messages of one model call."""
        return handler(_rewritten(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """Rewrite the messages of one model call."""
        return await handler(_rewritten(request))

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        """Keep all that a tool returns."""
        return handler(whole(request))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """Keep all that a tool returns."""
        return await handler(whole(request))


def _rewritten(request: ModelRequest[Any]) -> ModelRequest[Any]:
    return request.override(messages=cast("list[AnyMessage]", pictures_as_user_messages(request.messages)))
