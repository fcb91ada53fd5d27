"""What the calls of one server's tools have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolgraft.calls import Middleware
from toolgraft.config import Server
from toolgraft.connection.connection import Connection
from toolgraft.content.unknown import MakePart
from toolgraft.tools.visibility import SHOWS_ALL, Visibility


@dataclass(frozen=True, slots=True)
class Route:
    """What the calls of one server's tools have in common.

    Attributes:
        server: Its declaration.
        connection: Its connection.
        middleware: Layers of plugins and callers around each call, outermost first.
        part: Makes parts of content blocks of unknown kinds, or None.
        innermost: Layers of our own between the check of the arguments and the wire, outermost first. No plugin and
            no middleware gets behind them.
        visibility: Which of the tools a run may use.
    """

    server: Server
    connection: Connection
    middleware: Sequence[Middleware] = ()
    part: MakePart | None = None
    innermost: Sequence[Middleware] = ()
    visibility: Visibility = SHOWS_ALL
