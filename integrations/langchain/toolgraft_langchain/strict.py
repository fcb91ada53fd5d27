"""Tools for OpenAI requests in which every tool must be strict."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.tools import BaseTool

from toolgraft_langchain.forms import strict_form
from toolgraft_langchain.metadata import metadata_of
from toolgraft_langchain.tools import MCPTool


def as_strict(tools: Sequence[BaseTool]) -> list[BaseTool]:
    """Give tools whose `args_schema` is strict, for code that makes OpenAI requests of its own from it.

    LangChain's own strict requests need no such tools: `bind_tools(strict=True)` and `response_format=` are seen, and
    each tool is then given as it is here. A tool that cannot keep its shape has the fully re-drawn form, as under
    `graft(..., strict="full")`, and all others stay the same object.

    Args:
        tools: Tools of any kind; those that are not of MCP servers are given back as they are.
    """
    return [_strict(tool) if isinstance(tool, MCPTool) else tool for tool in tools]


def _strict(tool: MCPTool) -> MCPTool:
    if (tool.metadata or {}).get("mcp", {}).get("strict"):
        return tool
    bound = tool.bound.redrawn("full")
    schema = strict_form(bound)
    metadata = {**(tool.metadata or {}), "mcp": metadata_of(bound, strict=True)}
    made = {"bound": bound, "args_schema": schema, "strict_schema": schema, "metadata": metadata}
    return tool.model_copy(update=made)
