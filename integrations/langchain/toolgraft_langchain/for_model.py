"""One tool list for several models: each tool in the form that a model's provider takes best."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Final

from langchain_core.tools import BaseTool
from toolgraft.dialects import Dialect, strict_within

from toolgraft_langchain.forms import ordinary_form
from toolgraft_langchain.metadata import metadata_of
from toolgraft_langchain.models import dialect_of
from toolgraft_langchain.tools import MCPTool

_log: Final = logging.getLogger("toolgraft.langchain")


def for_model(tools: Sequence[BaseTool], model: object, *, anthropic_strict: bool = False) -> list[BaseTool]:
    """Give tools in the form that one model takes best, for `model.bind_tools(...)` or an agent of that model alone.

    A call made in one form is understood by the tool in any other, so histories may go from one model to another.

    Args:
        tools: Tools of any kind; those that are not of MCP servers are given back as they are.
        model: As for `dialect_of`.
        anthropic_strict: Ask Anthropic's strict mode for as many tools as one request may have, in their order. Other
            providers' models are given what they are given without it.

    Returns:
        The tools in their order, without those whose names the provider refuses; a warning names these.

    Raises:
        ConfigError: `model` is a name that is not known.
    """
    dialect = dialect_of(model)
    made = [each for tool in tools if (each := drawn_for(tool, dialect)) is not None]
    return as_anthropic_strict(made) if anthropic_strict and dialect.name == "anthropic" else made


def as_anthropic_strict(tools: Sequence[BaseTool]) -> list[BaseTool]:
    """Give tools for one request to Anthropic, as many of them strict as it may have."""
    strict = iter(strict_within([tool.bound.schema for tool in tools if isinstance(tool, MCPTool)]))
    made: list[BaseTool] = []
    for tool in tools:
        schema = next(strict) if isinstance(tool, MCPTool) else None
        made.append(tool if schema is None else _strictly(tool, schema))
    return made


def _strictly(tool: BaseTool, schema: dict[str, Any]) -> BaseTool:
    definition = {"name": tool.name, "description": tool.description, "input_schema": schema, "strict": True}
    extras = {**(tool.extras or {}), "provider_tool_definition": definition}  # langchain-anthropic sends it as it is
    return tool.model_copy(update={"extras": extras})


def drawn_for(tool: BaseTool, dialect: Dialect) -> BaseTool | None:
    """Give one tool in the form of a dialect; None, and a warning, where its name is refused.

    A schema that somebody put in the place of ours stays.
    """
    if not isinstance(tool, MCPTool) or tool.dialect == dialect:
        return tool
    if not dialect.names.fullmatch(tool.name):
        said = "tool %r is left out: %s refuses such a name; graft(..., model=%r) would give it another"
        _log.warning(said, tool.name, dialect.name, dialect.name)
        return None
    told = dialect.described(tool.bound.schema, tool.description)
    made: dict[str, Any] = {"description": told, "dialect": dialect}
    if tool.args_schema == ordinary_form(tool.bound, tool.dialect).schema:
        form = ordinary_form(tool.bound, dialect)
        made["args_schema"] = form.schema
        made["metadata"] = {**(tool.metadata or {}), "mcp": metadata_of(tool.bound, form.strict)}
    return tool.model_copy(update=made)
