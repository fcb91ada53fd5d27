"""What the span of a tool call says in the SDK's tracing: which server, and whether the call failed."""

from __future__ import annotations

from typing import Any

from agents import get_current_span
from agents.tool_context import ToolContext
from agents.tracing import FunctionSpanData, SpanError


def span_of(server: str) -> None:
    """Say on the span of this call which server it goes to, as the SDK's own MCP tools do."""
    span = get_current_span()
    if span is not None and isinstance(span.span_data, FunctionSpanData):
        span.span_data.mcp_data = {"server": server}


def mark_failed(context: ToolContext[Any], tool: str, said: str) -> None:
    """Mark the span of this call as failed: an output that tells of an error looks fine to the SDK."""
    span = get_current_span()
    if span is None or not isinstance(span.span_data, FunctionSpanData):
        return
    config = context.run_config
    open_ = config is None or config.trace_include_sensitive_data
    data = {"tool_name": tool, "error": said[:1_000] if open_ else "the tool failed"}
    span.set_error(SpanError(message="Error running tool", data=data))
