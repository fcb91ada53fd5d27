"""A server's hints in the MCP SDK's own type, for frameworks that keep them so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgraft.spec import Hints

if TYPE_CHECKING:
    from mcp.types import ToolAnnotations


def annotations_of(hints: Hints, title: str | None) -> ToolAnnotations | None:
    """Give what a server claims of a tool, as it told it; None where it claims nothing.

    They are claims: decisions stand in `ToolSpec.safety` and `ToolSpec.destructive`.
    """
    if hints == Hints():
        return None
    from mcp.types import ToolAnnotations  # here, for a light import

    return ToolAnnotations(
        title=title,
        read_only_hint=hints.read_only,
        destructive_hint=hints.destructive,
        idempotent_hint=hints.idempotent,
        open_world_hint=hints.open_world,
    )
