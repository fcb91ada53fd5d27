"""Content blocks of kinds that toolgraft does not know, given to those who do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias, cast

from toolgraft.result import AnyPart, ToolResult

BLOCK: Final = "toolgraft/block"
"""Where the part of an unknown block keeps the block itself, in its `meta`."""

MakePart: TypeAlias = Callable[[Mapping[str, Any]], AnyPart | None]
"""Makes the part of an unknown block, or gives None; it never raises."""


def with_known(result: ToolResult, make: MakePart) -> ToolResult:
    """Put what `make` knows in the place of parts that only say that their block is unknown."""
    if not any(BLOCK in part.meta for part in result.parts):
        return result
    return replace(result, parts=tuple(_known(part, make) or part for part in result.parts))


def _known(part: AnyPart, make: MakePart) -> AnyPart | None:
    block: object = part.meta.get(BLOCK)
    return make(cast("Mapping[str, Any]", block)) if isinstance(block, Mapping) else None
