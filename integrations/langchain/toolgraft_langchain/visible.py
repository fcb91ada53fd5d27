"""An agent whose model is shown only the tools that the run may use, see `visible=` of servers and of `graft`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from toolgraft.errors import MissingExtraError

from toolgraft_langchain.caller import caller_of_turn
from toolgraft_langchain.tools import MCPTool

if TYPE_CHECKING:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest


def visible_tools() -> AgentMiddleware[Any, Any, Any]:
    """Make the middleware that leaves out of each model call what `visible` functions hide from the run.

        async with graft(server, visible=lambda spec, context: may(caller_of(context).context, spec)) as tools:
            agent = create_agent(model, tools, middleware=[visible_tools()])

    Put it before `follow_model()`. Without it a model is shown every tool; a call of one that is hidden is refused all
    the same, for the functions are asked again by the tool itself. `live_tools(tools)` does what this does, too.

    Raises:
        MissingExtraError: The package `langchain` is not installed.
    """
    try:
        from toolgraft_langchain.middleware.visible_tools import VisibleTools
    except ImportError as missing:
        raise MissingExtraError(package="langchain") from missing
    return VisibleTools()


async def only_visible(request: ModelRequest[Any]) -> ModelRequest[Any]:
    """Give the request without the tools that are hidden from its run."""
    asked = _may_be_hidden(request)
    if not asked:
        return request
    caller = caller_of_turn(request)
    shown = await asyncio.gather(*(tool.bound.is_visible(**caller.options) for tool in asked))
    return _without(request, [tool for tool, visible in zip(asked, shown, strict=True) if not visible])


def only_visible_sync(request: ModelRequest[Any]) -> ModelRequest[Any]:
    """Do as `only_visible` does, from a thread that may wait."""
    asked = _may_be_hidden(request)
    if not asked:
        return request
    caller = caller_of_turn(request)
    return _without(request, [tool for tool in asked if not tool.bound.is_visible_sync(**caller.options)])


def _may_be_hidden(request: ModelRequest[Any]) -> list[MCPTool]:
    return [tool for tool in request.tools if isinstance(tool, MCPTool) and tool.bound.may_be_hidden]


def _without(request: ModelRequest[Any], hidden: list[MCPTool]) -> ModelRequest[Any]:
    left_out = set(map(id, hidden))
    return request.override(tools=[tool for tool in request.tools if id(tool) not in left_out])
