"""Server-sent events (WHATWG HTML, 9.2.6), read from bytes in any pieces, never more than a limit in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from toolgraft.connection.wire.lines import Cutter
from toolgraft.connection.wire.unreadable import TooLarge, too_many_bytes

_HEAD: Final = 4096
_LONGEST_ID: Final = 1024


@dataclass(frozen=True, slots=True)
class Event:
    """One event.

    Attributes:
        kind: Its type.
        data: What it carries; empty for one that only gives an id.
    """

    kind: str
    data: bytes | TooLarge


class EventReader:
    """Makes events of bytes.

    Attributes:
        last_id: The id that was given last, which a stream is resumed with.
        retry: Seconds to wait before that, where the server said.
    """

    def __init__(self, limit: int) -> None:
        self.last_id: str | None = None
        self.retry: float | None = None
        self._cutter = Cutter(limit)
        self._limit = limit
        self._kind = b""
        self._first: bytes | None = None
        self._more = bytearray()  # a list would hold far more than the lines when these are short
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """The events that a chunk completes."""
        for line in self._cutter.feed(chunk):
            if isinstance(line, TooLarge):
                self._clear()
                yield Event("message", line)
                continue
            line = line.removesuffix(b"\r")
            if line:
                self._field(*line.partition(b":"))
            else:
                yield from self._dispatch()

    def _field(self, name: bytes, _: bytes, value: bytes) -> None:
        value = value.removeprefix(b" ")
        if name == b"data":
            self._size += len(value) + 1
            if self._first is None:
                self._first = value
            elif self._size <= self._limit + 1:
                self._more += b"\n" + value
        elif name == b"event":
            self._kind = value[:_LONGEST_ID]
        elif name == b"id" and b"\0" not in value and len(value) <= _LONGEST_ID:
            self.last_id = value.decode(errors="replace")
        elif name == b"retry" and value.isdigit() and len(value) < 10:
            self.retry = int(value) / 1000

    def _dispatch(self) -> Iterator[Event]:
        kind, first, size = self._kind.decode(errors="replace") or "message", self._first, self._size
        more = bytes(self._more) if self._more else b""
        self._clear()
        if first is None:
            return
        too_large = too_many_bytes(size, self._limit, first[:_HEAD]) if size > self._limit + 1 else None
        yield Event(kind, too_large or (first + more if more else first))

    def _clear(self) -> None:
        self._kind, self._first, self._size = b"", None, 0
        self._more.clear()
