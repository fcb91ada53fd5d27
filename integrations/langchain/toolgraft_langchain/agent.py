"""An agent whose tools follow their servers: what a server adds or takes away is there at the next model call."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import BaseTool
from toolgraft.config import takes
from toolgraft.dialects import Dialect
from toolgraft.errors import MissingExtraError
from toolgraft.toolbox.graft import Grafted

from toolgraft_langchain.drawn import Drawn
from toolgraft_langchain.tools import MCPTool
from toolgraft_langchain.visible import only_visible, only_visible_sync

if TYPE_CHECKING:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse, ToolCallRequest

_log: Final = logging.getLogger("toolgraft.langchain")

_WANTED: Final = "the list that a graft is entered as, by async with graft(server, live=True) as tools"

_MOST_CALLS: Final = 10_000
"""Calls of which it is remembered what they mean; a model's answer is carried out long before."""


def live_tools(tools: Grafted[MCPTool]) -> AgentMiddleware[Any, Any, Any]:
    """Make the middleware by which `create_agent` follows a list that was grafted with `live=True`.

        async with graft(server, live=True) as tools:
            agent = create_agent(model, tools, middleware=[live_tools(tools)])

    `create_agent` copies the list it is given; this puts the current one before each model call. A name that a tool of
    the agent's own stays its own: what a server brings by that name is left out, and a warning says so once. A tool
    of your own that stands before a grafted one of its name is dropped by `create_agent` itself, where nothing of ours
    sees it: give the agent your own tools alone, `create_agent(model, my_tools, middleware=[live_tools(tools)])`, or
    graft with `taken=my_tools`. What `visible` functions hide from a run is left out as by `visible_tools()`.

    Args:
        tools: What `graft(..., live=True)` gave.

    Raises:
        ConfigError: It is something else.
        MissingExtraError: The package `langchain` is not installed.
    """
    takes.kind(Grafted, _WANTED)("tools", tools)
    try:
        from langchain.agents.middleware import AgentMiddleware
    except ImportError as missing:
        raise MissingExtraError(package="langchain") from missing

    tools.followed = True
    offered = Offered(tools)

    class LiveTools(AgentMiddleware[Any, Any, Any]):
        """Puts the current tools of a graft into each model call, and carries out calls of them."""

        def wrap_model_call(
            self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
        ) -> ModelResponse[Any]:
            """Give one model call the tools that are served now."""
            now = only_visible_sync(offered.current(request))
            return offered.noted(now.tools, handler(now))

        async def awrap_model_call(
            self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
        ) -> ModelResponse[Any]:
            """Give one model call the tools that are served now."""
            now = await only_visible(offered.current(request))
            return offered.noted(now.tools, await handler(now))

        def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
            """Carry out a call of a tool that came after the agent was made, and refuse one that is gone."""
            found = offered.found(request)
            return found if isinstance(found, ToolMessage) else handler(found)

        async def awrap_tool_call(
            self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
        ) -> Any:
            """Carry out a call of a tool that came after the agent was made, and refuse one that is gone."""
            found = offered.found(request)
            return found if isinstance(found, ToolMessage) else await handler(found)

    return LiveTools()


class Offered:
    """Which tool a model meant by a name: the one that it was shown, whoever has that name by the time of the call."""

    def __init__(self, tools: Grafted[MCPTool]) -> None:
        self._tools = tools
        self._meant: OrderedDict[tuple[str | None, str], MCPTool] = OrderedDict()
        self._own: frozenset[str] = frozenset()
        self._told: set[str] = set()
        self._drawn = Drawn()

    def current(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        """The request with the tools that are served now, but for names that the agent's own tools have."""
        own = [tool for tool in request.tools if not _is_of(self._tools, tool)]
        dialects = {tool.dialect for tool in request.tools if isinstance(tool, MCPTool) and _is_of(self._tools, tool)}
        self._own = frozenset(map(_name, own)) | _answers(request.response_format)
        for tool in self._tools:
            if tool.name in self._own and tool.name not in self._told:
                self._told.add(tool.name)
                said = "%s is not offered: the agent has a tool %r of its own; graft(..., taken=[%r]) would rename it"
                _log.warning(said, tool.bound.spec.ref, tool.name, tool.name)
        offered = [tool for tool in self._tools if tool.name not in self._own]
        return request.override(tools=[*own, *self._in_form(offered, dialects)])

    def _in_form(self, offered: list[MCPTool], dialects: set[Dialect]) -> Sequence[BaseTool]:
        """The tools in the form that they had in the request, where another layer has drawn them for its model."""
        if len(dialects) != 1:
            return offered
        drawn = (self._drawn.tool(tool, next(iter(dialects))) for tool in offered)
        return [tool for tool in drawn if tool is not None]

    def noted(self, shown: Sequence[object], response: ModelResponse[Any]) -> ModelResponse[Any]:
        """Note what the calls in a model's answer mean, and give the answer."""
        by_name = {tool.name: tool for tool in shown if isinstance(tool, MCPTool) and _is_of(self._tools, tool)}
        for message in response.result:
            for call in message.tool_calls if isinstance(message, AIMessage) else ():
                if call["name"] in by_name:
                    self._meant[call["id"], call["name"]] = by_name[call["name"]]
        while len(self._meant) > _MOST_CALLS:
            self._meant.popitem(last=False)
        return response

    def found(self, request: ToolCallRequest) -> ToolCallRequest | ToolMessage:
        """The request with the tool as it is served now, or what the model is told of one that is gone."""
        name, call_id = request.tool_call["name"], request.tool_call["id"]
        meant = self._meant.get((call_id, name))
        if meant is not None:
            ref = meant.bound.spec.ref
            now = next((tool for tool in self._tools if tool.bound.spec.ref == ref), None)
        elif name in self._own or not (request.tool is None or _is_of(self._tools, request.tool)):
            return request
        else:  # the answer is from another process, or from before a restart
            now = next((tool for tool in self._tools if tool.name == name), None)
        if now is not None:
            return request.override(tool=now)
        if meant is None and not _is_of(self._tools, request.tool):
            return request
        text = f"tool '{name}' is no longer served by its server; it was not called"
        return ToolMessage(text, tool_call_id=str(call_id), name=name, status="error")


def _name(tool: BaseTool | dict[str, Any]) -> str:
    """The name of a tool, also of one in the shape of a provider."""
    if isinstance(tool, BaseTool):
        return tool.name
    inner = tool.get("function")
    return str((cast("dict[str, Any]", inner) if isinstance(inner, dict) else tool).get("name", ""))


def _answers(wanted: object) -> frozenset[str]:
    """The names of the tools by which a model gives its structured answer."""
    from langchain.agents.structured_output import AutoStrategy, ToolStrategy

    strategy = ToolStrategy(cast("Any", wanted).schema) if isinstance(wanted, AutoStrategy) else wanted
    return frozenset(spec.name for spec in strategy.schema_specs) if isinstance(strategy, ToolStrategy) else frozenset()


def _is_of(tools: Grafted[MCPTool], tool: object) -> bool:
    return isinstance(tool, MCPTool) and tools.toolbox.owns(tool.bound)
