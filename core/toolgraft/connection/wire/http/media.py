"""Media types and headers of the two HTTP transports (MCP: transports)."""

from __future__ import annotations

from typing import Final

EVENT_STREAM: Final = "text/event-stream"
JSON: Final = "application/json"

SESSION: Final = "mcp-session-id"
VERSION: Final = "mcp-protocol-version"

MESSAGE: Final = {"accept": f"{JSON}, {EVENT_STREAM}", "content-type": JSON}
"""Headers of a POST of Streamable HTTP."""

EVENTS: Final = {"accept": EVENT_STREAM, "cache-control": "no-store"}
"""Headers of a GET that opens an event stream."""
