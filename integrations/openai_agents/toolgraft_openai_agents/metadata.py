"""What is known of the tool behind a function tool, and what of its results stands in custom data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from toolgraft.content.artifact import Artifact
from toolgraft.spec import Hints, Safety, SafetyReason
from toolgraft.tools.bound import BoundTool


class CustomData(TypedDict):
    """`ToolCallOutputItem.custom_data` of a grafted tool.

    Attributes:
        mcp: The whole result.
    """

    mcp: Artifact


@dataclass(frozen=True, slots=True)
class MCPMetadata:
    """What a server said of a tool: `tool.mcp` of a function tool.

    Attributes:
        server: The server's name in your declaration.
        tool: The tool's name on the wire.
        title: For people; None where the server gives none besides the name.
        hints: What the server told of the tool; None for a hint that it did not tell.
        safety: What a second call would do, as decided here.
        strict: Whether `params_json_schema` is sound under OpenAI's strict mode.
        server_info: Name, version and title as the server introduces itself (MCP: Implementation); empty when unknown.
        meta: The tool's `_meta`, as sent.
        safety_reason: Why `safety` is what it is.
        destructive: Whether it may delete or overwrite, as decided here.
    """

    server: str
    tool: str
    title: str | None
    hints: Hints
    safety: Safety
    strict: bool
    server_info: Mapping[str, Any] = field(default_factory=dict[str, Any])
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])
    safety_reason: SafetyReason = field(kw_only=True)
    destructive: bool = field(kw_only=True)


def metadata_of(bound: BoundTool, strict: bool) -> MCPMetadata:
    """Tell what is known of a tool."""
    spec, info = bound.spec, bound.connection.server_info
    title = spec.title if spec.title != spec.ref.tool else None
    return MCPMetadata(
        spec.ref.server,
        spec.ref.tool,
        title,
        spec.hints,
        spec.safety,
        strict,
        info,
        spec.meta,
        safety_reason=spec.safety_reason,
        destructive=spec.destructive,
    )
