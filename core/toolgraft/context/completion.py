"""What a server proposes for an argument of a prompt or of a template (MCP: Completion)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from toolgraft.content.blocks import string_keyed

_MOST: Final = 100
"""Proposals in one answer, by the protocol."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a server proposes.

    Attributes:
        values: At most 100 proposals, the best first.
        total: How many there are in all, where the server says.
        has_more: Whether there are more than these.
    """

    values: tuple[str, ...] = ()
    total: int | None = None
    has_more: bool = False


def completion(raw: Mapping[str, Any]) -> Completion:
    """Read an answer from the wire (MCP schema: `CompleteResult`); it never raises."""
    held = string_keyed(raw.get("completion"))
    listed = held.get("values")
    values = cast("list[object]", listed) if isinstance(listed, list) else []
    proposed = tuple(value for value in values if isinstance(value, str))
    total = held.get("total")
    counted = total if isinstance(total, int) and not isinstance(total, bool) and total >= 0 else None
    return Completion(proposed[:_MOST], counted, held.get("hasMore") is True or len(proposed) > _MOST)
