"""The two streams of a transport, as the SDK's public seam has them, and what every one of ours is besides."""

from __future__ import annotations

import asyncio
import contextvars
from collections import deque
from types import TracebackType
from typing import Final, Protocol, Self, TypeVar

import anyio
from mcp.shared.message import SessionMessage

T_co = TypeVar("T_co", covariant=True)
T_contra = TypeVar("T_contra", contravariant=True)

WAITING: Final = 64
"""Messages that wait to be dispatched; whoever reads more of them from a server waits."""

IN_A_ROW: Final = 16
"""Messages that are dispatched before others get their turn."""


class Reading(Protocol[T_co]):
    """The stream that the session reads."""

    async def receive(self) -> T_co: ...  # noqa: D102
    async def aclose(self) -> None: ...  # noqa: D102
    def __aiter__(self) -> Reading[T_co]: ...
    async def __anext__(self) -> T_co: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> bool | None: ...


class Writing(Protocol[T_contra]):
    """The stream that the session writes to."""

    async def send(self, item: T_contra, /) -> None: ...  # noqa: D102
    async def aclose(self) -> None: ...  # noqa: D102
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> bool | None: ...


class Stream:
    """Closes at the end of `async with`."""

    async def aclose(self) -> None:
        """Leave the closing to the transport."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class Incoming(Stream):
    """Messages to be read, one after the other, by `receive` or `async for`."""

    async def receive(self) -> SessionMessage | Exception:
        """The next message."""
        try:
            return await self.__anext__()
        except StopAsyncIteration:
            raise anyio.EndOfStream from None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        raise NotImplementedError


class NotSent(anyio.BrokenResourceError):
    """Not a byte of a message left: the stream is closed, and knows it."""


class WholeOrNot(Stream):
    """Writes to streams in memory, which take a message or raise.

    What other streams raise does not tell: a message that was written may be followed by an error of the pipe.
    """

    def __init__(self, inner: Writing[SessionMessage]) -> None:
        self._inner = inner

    async def send(self, item: SessionMessage, /) -> None:
        """Hand a message over.

        Raises:
            NotSent: Nobody takes it.
        """
        try:
            await self._inner.send(item)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise NotSent from error

    async def aclose(self) -> None:
        """Close the stream."""
        await self._inner.aclose()


class Inbox(Incoming):
    """Messages that were read in many tasks, for the one that dispatches them.

    Attributes:
        last_context: The context that the last message was read in: which call it belongs to.
    """

    def __init__(self) -> None:
        self.last_context: contextvars.Context | None = None
        self._messages: deque[tuple[SessionMessage | Exception, contextvars.Context | None]] = deque()
        self._arrival: asyncio.Future[None] | None = None
        self._room: asyncio.Event = asyncio.Event()
        self._ended = False
        self._in_a_row = 0

    async def put(self, message: SessionMessage | Exception, context: contextvars.Context | None = None) -> None:
        """Give a message; waits while too many do."""
        while len(self._messages) >= WAITING and not self._ended:
            self._room.clear()
            await self._room.wait()
        self.put_answer(message, context)

    def put_answer(self, message: SessionMessage | Exception, context: contextvars.Context | None = None) -> None:
        """Give what is bounded by our own requests, without waiting."""
        if not self._ended:
            self._messages.append((message, context))
            self._wake()

    def end(self) -> None:
        """Nothing more is given, and nothing that waits is delivered."""
        self._ended = True
        self._messages.clear()
        self._room.set()
        self._wake()

    async def aclose(self) -> None:
        """Stop delivering."""
        self.end()

    def _wake(self) -> None:
        if self._arrival is not None and not self._arrival.done():
            self._arrival.set_result(None)

    async def __anext__(self) -> SessionMessage | Exception:
        while not self._messages:
            if self._ended:
                raise StopAsyncIteration
            self._in_a_row = 0
            self._arrival = asyncio.get_running_loop().create_future()
            await self._arrival
        self._in_a_row += 1
        if self._in_a_row >= IN_A_ROW:
            self._in_a_row = 0
            await asyncio.sleep(0)
            if self._ended:
                raise StopAsyncIteration
        message, self.last_context = self._messages.popleft()
        self._room.set()
        return message
