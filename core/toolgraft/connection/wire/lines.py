"""Bytes that come in pieces → lines, never more than a limit in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolgraft.connection.wire.unreadable import TooLarge, too_many_bytes

_HEAD: Final = 4096


class Cutter:
    """Cuts bytes into lines. A line above the limit is dropped as it comes, but for its head."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pieces: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[bytes | TooLarge]:
        """The lines that a chunk completes, without their ends."""
        first, *others = chunk.split(b"\n")
        self._add(first)
        for piece in others:
            yield self._line()
            self._add(piece)

    def rest(self) -> bytes:
        """What has come of a line that is not complete."""
        return b"".join(self._pieces)

    def _add(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= self._limit:
            self._pieces.append(piece)
        else:  # the head usually names the request that is answered
            self._pieces = [b"".join([*self._pieces, piece])[:_HEAD]]

    def _line(self) -> bytes | TooLarge:
        line = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        size, self._size = self._size, 0
        self._pieces = []
        return too_many_bytes(size, self._limit, line) if size > self._limit else line
