"""What a connection tells those who listen: it came, went, came back, and what it serves now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from toolgraft.spec import Refusal


@dataclass(frozen=True, slots=True)
class Event:
    """Something happened on a connection.

    Attributes:
        server: Name of the server.
    """

    server: str


@dataclass(frozen=True, slots=True)
class Connected(Event):
    """A server was reached for the first time.

    Attributes:
        version: Protocol version spoken.
        seconds: From the start to the first tool list.
    """

    version: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Lost(Event):
    """A server went away. The next call reconnects.

    Attributes:
        reason: Why, as one sentence.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Reconnected(Event):
    """A server that was lost is back.

    Attributes:
        version: Protocol version spoken.
        attempts: How many it took.
    """

    version: str
    attempts: int


@dataclass(frozen=True, slots=True)
class ListChanged(Event):
    """A server serves other tools than before; by wire name.

    Attributes:
        added: New tools.
        removed: Tools that are gone.
        changed: Tools whose definition changed.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """A tool of a server is not served.

    Attributes:
        refusal: Which, and why.
    """

    refusal: Refusal


@dataclass(frozen=True, slots=True)
class ListCut(Event):
    """Only the beginning of a server's list was taken, for it does not end.

    Attributes:
        reason: How that showed, as one sentence.
    """

    reason: str


Emit: TypeAlias = Callable[[Event], None]
"""Takes events, in the connection's own loop. It must not wait; what it raises is logged."""
