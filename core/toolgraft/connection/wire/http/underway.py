"""What is on its way over one HTTP connection: it ends when the connection does, and what a server sends is bounded."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable
from typing import Final

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCResponse, RequestId

from toolgraft.connection.wire.http.requests import Mark
from toolgraft.connection.wire.in_flight import Failure, WireError
from toolgraft.connection.wire.owed import Owed, TooMuchOwed
from toolgraft.connection.wire.streams import Inbox

NOTICE_SECONDS: Final = 5.0
"""How long a server is waited for that is told something: there is nothing to answer."""

_log = logging.getLogger("toolgraft")


class Underway:
    """The messages of one connection that are being sent or read.

    Attributes:
        inbox: Where those of the server go.
        over: Why the connection ended; empty while it has not.
    """

    def __init__(self, server: str, inbox: Inbox) -> None:
        self.inbox = inbox
        self.over = ""
        self._server = server
        self._owed = Owed()
        self._scopes: set[anyio.CancelScope] = set()
        self._none_left = asyncio.Event()

    async def run(self, patience: float, work: Callable[[Mark], Awaitable[None]]) -> None:
        """Do something that ends with the connection, or when the server keeps it waiting for too long.

        Raises:
            WireError: It ended so.
        """
        if self.over:
            raise WireError(Failure(self.over, sent=False, ran="no"))
        scope = anyio.CancelScope()
        mark = Mark(scope, patience)
        with scope:
            self._scopes.add(scope)
            try:
                await work(mark)
            finally:
                self._scopes.discard(scope)
                if not self._scopes:
                    self._none_left.set()
        if scope.cancelled_caught:
            raise WireError(Failure(self.over or f"no answer within {patience:g} s", sent=mark.left))

    async def deliver(self, item: SessionMessage, size: int, asked: RequestId | None = None) -> None:
        """Give the session a message of the server; ends the connection when the server asks more than it reads.

        The answer to `asked` does not wait, since there is one; those that nobody asked for do, like all the rest.

        Raises:
            WireError: The connection was ended.
        """
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            if asked is not None and item.message.id == asked:
                self.inbox.put_answer(item)
            else:
                await self.inbox.put(item)
        else:
            self.asked(item, size)
            await self.inbox.put(item, contextvars.copy_context())

    def asked(self, item: SessionMessage, size: int) -> None:
        """Count a request of the server; ends the connection when it asks more than it reads.

        Raises:
            WireError: The connection was ended.
        """
        try:
            self._owed.asked(item, size)
        except TooMuchOwed as error:
            _log.warning("the connection to server '%s' is closed: %s", self._server, error)
            self.give_up(f"the connection was closed: {error}")
            raise WireError(Failure(self.over)) from error

    def answered(self, item: SessionMessage) -> None:
        """An answer of ours was taken, or given up."""
        self._owed.answered(item)

    def give_up(self, reason: str) -> None:
        """End the connection; calls on their way fail with the reason."""
        self.over = self.over or reason
        self.inbox.end()
        for scope in tuple(self._scopes):
            scope.cancel()

    async def end(self) -> None:
        """End the connection and wait until nothing is on its way any more."""
        self.give_up("the connection was closed")
        await self.until_none()

    async def until_none(self) -> None:
        """Wait until nothing is on its way any more."""
        while self._scopes:
            self._none_left.clear()
            await self._none_left.wait()
