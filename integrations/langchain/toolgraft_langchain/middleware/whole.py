"""Calls whose results keep all that a tool returned, for a middleware that decides later where it goes."""

from __future__ import annotations

from langchain.agents.middleware import ToolCallRequest
from toolgraft.dialects import DOCUMENTS

from toolgraft_langchain.asked_by import WHOLE
from toolgraft_langchain.tools import MCPTool


def whole(request: ToolCallRequest) -> ToolCallRequest:
    """Give the request with a tool that leaves nothing out."""
    tool = request.tool
    if not isinstance(tool, MCPTool):
        return request
    return request.override(tool=tool.model_copy(update={"dialect": WHOLE, "files": tool.files | DOCUMENTS}))
