"""The middleware that shows a model the tools that its run may use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse

from toolgraft_langchain.visible import only_visible, only_visible_sync


class VisibleTools(AgentMiddleware[Any, Any, Any]):
    """Leaves out of each model call the tools that are hidden from the run."""

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Give one model call what its run may use."""
        return handler(only_visible_sync(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """Give one model call what its run may use."""
        return await handler(await only_visible(request))
