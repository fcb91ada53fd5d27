"""One tool list for several models: each tool in the form that a model takes best."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agents import Tool
from toolgraft.dialects import Dialect

from toolgraft_openai_agents.models import AnyModel, dialect_of
from toolgraft_openai_agents.tools import Invocation, MCPFunctionTool

_log: Final = logging.getLogger("toolgraft.openai_agents")


def for_model(tools: Sequence[Tool], model: AnyModel) -> list[Tool]:
    """Give tools in the form that one model takes best, for an agent of that model alone.

        Agent(name="Reader", model="litellm/gemini/gemini-2.5-pro", tools=for_model(tools, "gemini"))

    A call made in one form is understood by the tool in any other, so histories may go from one model to another.

    Args:
        tools: Tools of any kind; those that are not of MCP servers are given back as they are.
        model: As for `dialect_of`.

    Returns:
        The tools in their order, without those whose names the provider refuses; a warning names each of these.

    Raises:
        ConfigError: `model` is a name that is not known.
    """
    dialect = dialect_of(model)
    for tool in tools:
        if not is_named_for(tool, dialect):
            warn_of(tool, dialect)
    return [drawn_for(tool, dialect) for tool in tools if is_named_for(tool, dialect)]


def is_named_for(tool: Tool, dialect: Dialect) -> bool:
    """Whether a provider takes the tool's name; of tools that are not ours, nothing is asked."""
    return not isinstance(tool, MCPFunctionTool) or dialect.names.fullmatch(tool.name) is not None


def warn_of(tool: Tool, dialect: Dialect) -> None:
    """Say that a tool is left out, and what names it otherwise."""
    said = "tool %r is left out: %s refuses such a name; graft(..., model=%r) gives it another"
    _log.warning(said, tool.name, dialect.name, dialect.name)


def drawn_for(tool: Tool, dialect: Dialect) -> Tool:
    """Give one tool in the form of a dialect. What was set on it stays, and so does a schema that is not ours."""
    if not isinstance(tool, MCPFunctionTool) or tool.forms is None or tool.dialect == dialect:
        return tool
    if tool.params_json_schema != tool.forms.of(tool.dialect).schema:
        return tool
    form = tool.forms.of(dialect)
    made = _copied(tool)
    made.params_json_schema, made.strict_json_schema = form.schema, form.strict
    made.description = tool.forms.described(tool.description, dialect)
    made.dialect = dialect
    if made.mcp is not None:
        made.mcp = replace(made.mcp, strict=form.strict)
    if dialect.pictures != "tool":  # the SDK refuses what only Responses has, where a model is reached otherwise
        made.allowed_callers = made.output_json_schema = None
    if isinstance(tool.on_invoke_tool, Invocation):
        made.on_invoke_tool = tool.on_invoke_tool.to(dialect, objects=made.output_json_schema is not None)
    return made


def _copied(tool: MCPFunctionTool) -> MCPFunctionTool:
    """A copy; the SDK's own would walk and rewrite the schema once more, which has passed our lint."""
    made = object.__new__(type(tool))
    vars(made).update(vars(tool))
    return made
