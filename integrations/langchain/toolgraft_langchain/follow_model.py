"""An agent of several models: each model call is given tools and messages as that call's model takes them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from langchain_core.messages import AnyMessage
from langchain_core.tools import BaseTool
from toolgraft.dialects import DOCUMENTS, PORTABLE, Dialect
from toolgraft.errors import MissingExtraError

from toolgraft_langchain.for_model import as_anthropic_strict, drawn_for
from toolgraft_langchain.media import messages_for
from toolgraft_langchain.models import dialect_of
from toolgraft_langchain.tools import MCPTool

if TYPE_CHECKING:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse, ToolCallRequest


def follow_model(*, anthropic_strict: bool = False) -> AgentMiddleware[Any, Any, Any]:
    """Make the middleware by which the tools of `create_agent` follow the model of each request.

        agent = create_agent(model, tools, middleware=[ModelFallbackMiddleware(other), follow_model()])

    Put it last, so that it sees the model that others choose. Each model call is given the tools in its model's own
    form, and pictures and files of tool messages where that model reads them. Only what one call is sent changes: the
    agent's own messages and tools stay as they are.

    Args:
        anthropic_strict: See `for_model`.

    Raises:
        MissingExtraError: The package `langchain` is not installed.
    """
    try:
        from langchain.agents.middleware import AgentMiddleware
    except ImportError as missing:
        raise MissingExtraError(package="langchain") from missing

    drawn = Drawn(anthropic_strict)

    class FollowModel(AgentMiddleware[Any, Any, Any]):
        """Puts tools and messages into the form of each call's model."""

        def wrap_model_call(
            self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
        ) -> ModelResponse[Any]:
            """Rewrite one model call."""
            return handler(drawn.request(request))

        async def awrap_model_call(
            self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
        ) -> ModelResponse[Any]:
            """Rewrite one model call."""
            return await handler(drawn.request(request))

        def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
            """Keep all that a tool returns: where it goes is decided at each model call."""
            return handler(_whole(request))

        async def awrap_tool_call(
            self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
        ) -> Any:
            """Keep all that a tool returns: where it goes is decided at each model call."""
            return await handler(_whole(request))

    return FollowModel()


def _whole(request: ToolCallRequest) -> ToolCallRequest:
    tool = request.tool
    if not isinstance(tool, MCPTool):
        return request
    whole = {"dialect": PORTABLE, "files": tool.files | DOCUMENTS}
    return request.override(tool=tool.model_copy(update=whole))


_MOST: Final = 10_000
"""Tools that are kept in the form of a dialect."""


class Drawn:
    """Requests in the form of their models; a tool is drawn once for each dialect."""

    def __init__(self, anthropic_strict: bool) -> None:
        self._anthropic_strict = anthropic_strict
        self._made: dict[tuple[int, Dialect], tuple[tuple[object, ...], BaseTool | None]] = {}

    def request(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        """Give the request with tools and messages as its model takes them."""
        dialect = dialect_of(request.model)
        messages = messages_for(request.messages, dialect)
        tools = self._tools(cast("Sequence[BaseTool | dict[str, Any]]", request.tools), dialect)
        return request.override(tools=tools, messages=cast("list[AnyMessage]", messages))

    def _tools(self, tools: Sequence[BaseTool | dict[str, Any]], dialect: Dialect) -> list[BaseTool | dict[str, Any]]:
        drawn = (self._tool(tool, dialect) if isinstance(tool, MCPTool) else tool for tool in tools)
        made = [tool for tool in drawn if tool is not None]
        if not self._anthropic_strict or dialect.name != "anthropic":
            return made
        own = iter(as_anthropic_strict([tool for tool in made if isinstance(tool, BaseTool)]))
        return [next(own) if isinstance(tool, BaseTool) else tool for tool in made]

    def _tool(self, tool: MCPTool, dialect: Dialect) -> BaseTool | None:
        as_it_is = (tool, tool.description, tool.args_schema)
        known = self._made.get((id(tool), dialect))
        if known is not None and all(now is then for now, then in zip(as_it_is, known[0], strict=True)):
            return known[1]
        if len(self._made) >= _MOST:
            self._made.clear()
        made = drawn_for(tool, dialect)
        self._made[id(tool), dialect] = (as_it_is, made)
        return made
