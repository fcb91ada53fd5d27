"""Tools for OpenAI requests in which every tool must be strict."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from langchain_core.tools import BaseTool
from toolgraft.tools.answers import form_of

from toolgraft_langchain.metadata import metadata_of
from toolgraft_langchain.tools import MCPTool

_log: Final = logging.getLogger("toolgraft.langchain")


def as_strict(tools: Sequence[BaseTool]) -> list[BaseTool]:
    """Give tools that stay right where LangChain marks every tool as strict.

    `bind_tools(strict=True)`, and `create_agent(ChatOpenAI(...), response_format=...)` by Chat Completions, close the
    objects of every tool's schema and make all arguments required, also of a tool that cannot be drawn so. Here such
    a tool gets the fully re-drawn form, as under `graft(..., strict="full")`, and all others stay the same object.

        agent = create_agent(ChatOpenAI(model="gpt-5"), as_strict(tools), response_format=Answer)

    A tool that has no strict form at all is left as it is, and a warning names it: leave it out of such a request.

    Args:
        tools: Tools of any kind; those that are not of MCP servers are given back as they are.
    """
    return [_strict(tool) if isinstance(tool, MCPTool) else tool for tool in tools]


def _strict(tool: MCPTool) -> MCPTool:
    if (tool.metadata or {}).get("mcp", {}).get("strict"):
        return tool
    bound = tool.bound.redrawn("full")
    form = form_of(bound)
    if not form.strict:
        reason = bound.schema.reason
        _log.warning("%r has no strict form: %s", tool.bound, reason)
        return tool
    metadata = {**(tool.metadata or {}), "mcp": metadata_of(bound, strict=True)}
    return tool.model_copy(update={"bound": bound, "args_schema": form.schema, "metadata": metadata})
