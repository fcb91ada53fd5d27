"""What stands under `"mcp"` in a tool's metadata, and so in LangChain's callbacks and traces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, TypedDict, cast

from toolgraft.content.plain_json import plain_json
from toolgraft.spec import Hints
from toolgraft.tools.bound import BoundTool


class HintsMetadata(TypedDict):
    """A server's hints as it told them; None for one that it did not tell (see `toolgraft.Hints`)."""

    read_only: bool | None
    destructive: bool | None
    idempotent: bool | None
    open_world: bool | None


class SafetyMetadata(TypedDict):
    """Why a tool's safety is what it is, see `toolgraft.SafetyReason`."""

    by: str
    sentence: str


class MCPMetadata(TypedDict):
    """A tool's `metadata["mcp"]`.

    Attributes:
        server: The server's name in your declaration.
        server_info: Name, version and title as the server introduces itself (MCP: Implementation); empty when unknown.
        tool: The tool's name on the wire.
        title: For people; None where the server gives none besides the name.
        hints: What the server told of the tool.
        safety: `"read_only"`, `"idempotent"` or `"side_effect"`: what a second call would do, as decided here.
        safety_reason: Why it is that.
        destructive: Whether it may delete or overwrite, as decided here.
        meta: The tool's `_meta`, as sent, where every serializer takes it (see `Artifact`).
        strict: Whether `args_schema` is sound under OpenAI's strict mode.
    """

    server: str
    server_info: Mapping[str, Any]
    tool: str
    title: str | None
    hints: HintsMetadata
    safety: str
    safety_reason: SafetyMetadata
    destructive: bool
    meta: Mapping[str, Any]
    strict: bool


def metadata_of(bound: BoundTool, strict: bool) -> MCPMetadata:
    """Tell what is known of a tool."""
    spec = bound.spec
    return {
        "server": spec.ref.server,
        "server_info": plain_json(bound.connection.server_info).value,
        "tool": spec.ref.tool,
        "title": spec.title if spec.title != spec.ref.tool else None,
        "hints": cast("HintsMetadata", {name: getattr(spec.hints, name) for name in _HINTS}),
        "safety": spec.safety.value,
        "safety_reason": {"by": spec.safety_reason.by, "sentence": spec.safety_reason.sentence},
        "destructive": spec.destructive,
        "meta": plain_json(spec.meta).value,
        "strict": strict,
    }


_HINTS: Final = tuple(each.name for each in fields(Hints))
