"""The middleware that puts tools and messages into the form of each call's model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from langchain.agents.middleware import ModelRequest
from langchain_core.messages import AnyMessage
from langchain_core.runnables import ensure_config
from langchain_core.tools import BaseTool
from toolgraft.dialects import Dialect

from toolgraft_langchain.drawn import Drawn
from toolgraft_langchain.for_model import as_anthropic_strict
from toolgraft_langchain.media import messages_for
from toolgraft_langchain.middleware.rewriting import Rewriting
from toolgraft_langchain.models import dialect_of
from toolgraft_langchain.tools import MCPTool


class FollowModel(Rewriting):
    """Puts tools and messages into the form of each call's model; see `toolgraft_langchain.follow_model`."""

    def __init__(self, anthropic_strict: bool) -> None:
        super().__init__()
        self._anthropic_strict = anthropic_strict
        self._drawn = Drawn()

    def __reduce__(self) -> tuple[type[FollowModel], tuple[bool]]:
        return FollowModel, (self._anthropic_strict,)

    def rewritten(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
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
