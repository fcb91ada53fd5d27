"""What is asked of each way to reach a server."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from mcp import Client
    from mcp.shared.message import SessionMessage

    from toolgraft.connection.wire.stdio.child import Child
    from toolgraft.connection.wire.streams import Reading, Writing

    Streams: TypeAlias = tuple[Reading[SessionMessage | Exception], Writing[SessionMessage]]


class Opener(Protocol):
    """Opens one connection to one server, once; made anew for each.

    Attributes:
        mirrors_headers: Marked arguments are sent as HTTP headers too, by the 2026-07-28 protocol (SEP-2243).
        child: The process that is started, where one is.
        held: The user's own client, entered already: there is nothing to open.
    """

    @property
    def mirrors_headers(self) -> bool: ...  # noqa: D102

    @property
    def child(self) -> Child | None: ...  # noqa: D102

    @property
    def held(self) -> Client | None: ...  # noqa: D102

    def open(self) -> AbstractAsyncContextManager[Streams]:
        """The streams; what cannot be opened raises on entering, what cannot be sent raises a `WireError`."""
        ...

    def explain(self, cause: BaseException) -> str | None:
        """Why it could not be opened, in one sentence; None where there is nothing to add to the cause's own text."""
        ...
