"""How much of one message is taken from a server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from toolgraft.config.servers import Server


@dataclass(frozen=True, slots=True)
class Bounds:
    """The largest message; what is above is refused before it is read, with an error for the request it answers.

    Attributes:
        bytes: Bytes of its text.
        values: JSON values in it.
    """

    bytes: int
    values: int

    @classmethod
    def of(cls, config: Server) -> Self:
        """What a server's declaration allows for any of its tools."""
        limits = [config.limits, *config.tool_limits.values()]
        return cls(max(each.wire_bytes for each in limits), max(each.wire_values for each in limits))
