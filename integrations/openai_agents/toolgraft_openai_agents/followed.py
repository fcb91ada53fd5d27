"""Whether what a tool returns is put, on its way to each model, where that model reads it."""

from __future__ import annotations

from typing import Any, cast

from agents import Agent, Model
from agents.tool_context import ToolContext


class Followed:
    """What puts pictures and files of tool outputs where a model reads them: a model, a provider, a filter."""


def is_followed(context: ToolContext[Any]) -> bool:
    """Whether pictures of a call's result are put elsewhere where its model reads none in a tool's output."""
    config, agent = context.run_config, context.agent
    if config is None:
        return False
    if isinstance(cast("object", config.call_model_input_filter), Followed):
        return True
    own = agent.model if isinstance(agent, Agent) else None
    model = own if config.model is None else config.model
    return isinstance(model if isinstance(model, Model) else config.model_provider, Followed)
