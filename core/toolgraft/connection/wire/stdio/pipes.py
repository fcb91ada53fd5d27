"""The two pipes to a child process, read and written in the event loop without a thread or buffer between.

What matters of a write is how much of it the kernel has taken: what it has taken may be read and run, what it has not
taken cannot be. The streams of asyncio do not tell.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable
from typing import Final

CHUNK: Final = 64 * 1024
"""Bytes of one read; as much as a pipe usually holds."""


_AFTERWARDS: Final = 0.05
"""Seconds in which one who dies closes the rest, which tells more."""

TURN: Final = 0.005
"""Seconds that what was read is worked on in a row before others get their turn."""


class Turn:
    """Keeps a flood of small messages from holding up everything else in the event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()

    def begins(self) -> None:
        """Others have had their turn."""
        self._began = self._loop.time()

    async def ends(self) -> None:
        """Let others have their turn, if this one was long."""
        if self._loop.time() - self._began > TURN:
            await asyncio.sleep(0)
            self._began = self._loop.time()


class ReadEnd:
    """The end of a pipe that we read."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Future[bytes | None] | None = None
        self._watched = False
        self._ended = False
        self._closed = False

    async def read(self) -> bytes | None:
        """What is there, at least a byte; nothing at the end; None when `wake` was called meanwhile."""
        return b"" if self._ended else await self._arrival()

    async def discard(self) -> None:
        """Read to the end, for nobody, also after `end`."""
        while not self._closed and await self._arrival() != b"":
            pass

    async def _arrival(self) -> bytes | None:
        self._waiting = self._loop.create_future()
        if not self._watched:
            self._watched = True
            self._loop.add_reader(self._descriptor, self._readable)
        try:
            return await self._waiting
        finally:
            self._waiting = None

    def _readable(self) -> None:
        if self._waiting is None or self._waiting.done():  # nobody takes it now: the other end must wait
            self._watched = False
            self._loop.remove_reader(self._descriptor)
            return
        try:
            chunk = os.read(self._descriptor, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        self._waiting.set_result(chunk)

    def wake(self) -> None:
        """Have a `read` that waits return."""
        self._arrived(None)

    def end(self) -> None:
        """Read no more, as if the other end had been closed."""
        self._ended = True
        self._arrived(b"")

    def _arrived(self, chunk: bytes | None) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(chunk)

    def close(self) -> None:
        """End, and close the descriptor. Safe to call again."""
        if not self._closed:
            self._closed = True
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
        self.end()


class Outgoing:
    """One message on its way into a pipe.

    Attributes:
        begun: The kernel has taken some of it.
    """

    __slots__ = ("_ended", "_loop", "_on_end", "_waiting", "begun", "rest")

    def __init__(self, data: bytes, loop: asyncio.AbstractEventLoop, on_end: Callable[[], None] | None) -> None:
        self.rest = memoryview(data)
        self.begun = False
        self._loop = loop
        self._on_end = on_end
        self._waiting: asyncio.Future[None] | None = None
        self._ended = False

    async def ended(self) -> None:
        """Wait until all of it is taken, or no more will be."""
        if not self._ended:
            self._waiting = self._loop.create_future()
            await self._waiting

    def end(self) -> None:
        """All of it is taken, or no more will be."""
        self._ended = True
        if self._on_end is not None:
            self._on_end()
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class WriteEnd:
    """The end of a pipe that we write: whole messages, one after the other.

    Attributes:
        broken: The other end is closed; nothing more is taken.
    """

    def __init__(self, descriptor: int, on_break: Callable[[], None]) -> None:
        os.set_blocking(descriptor, False)
        self.broken = False
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._on_break = on_break
        self._queue: deque[Outgoing] = deque()
        self._jammed = False
        self._loop.add_reader(descriptor, self._hung_up)  # all that can be told of this end: the other is closed

    def put(self, data: bytes, on_end: Callable[[], None] | None = None) -> Outgoing:
        """Write what fits at once, and the rest as the other end reads.

        Args:
            data: A whole message.
            on_end: Called when all of it is taken, or no more will be.
        """
        outgoing = Outgoing(data, self._loop, on_end)
        self._queue.append(outgoing)
        if self.broken:
            self._give_up()
        elif not self._jammed:
            self._write()
        return outgoing

    def withdraw(self, outgoing: Outgoing) -> bool:
        """Take back a message of which nothing is written; whether that was so."""
        if outgoing.begun or outgoing not in self._queue:
            return not outgoing.begun
        self._queue.remove(outgoing)
        outgoing.end()
        return True

    def close(self) -> None:
        """Close the descriptor: the other end reads what is there, then the end. Safe to call again."""
        self._stop()

    def _write(self) -> None:
        while self._queue:
            first = self._queue[0]
            try:
                taken = os.write(self._descriptor, first.rest)
            except BlockingIOError:
                if not self._jammed:
                    self._jammed = True
                    self._loop.add_writer(self._descriptor, self._write)
                return
            except OSError:
                self._break()
                return
            first.begun = True
            first.rest = first.rest[taken:]
            if not first.rest:
                self._queue.popleft().end()
        if self._jammed:
            self._jammed = False
            self._loop.remove_writer(self._descriptor)

    def _hung_up(self) -> None:
        self._loop.remove_reader(self._descriptor)
        self._loop.call_later(_AFTERWARDS, self._break)

    def _break(self) -> None:
        if not self.broken:
            self._stop()
            self._on_break()

    def _stop(self) -> None:
        if not self.broken:
            self.broken = True
            self._loop.remove_reader(self._descriptor)
            self._loop.remove_writer(self._descriptor)
            os.close(self._descriptor)
            self._give_up()

    def _give_up(self) -> None:
        while self._queue:
            self._queue.popleft().end()
