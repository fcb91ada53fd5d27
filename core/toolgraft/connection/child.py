"""What is known of a server's process: where its standard error goes, its last words, how it ended."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import threading
from collections import deque
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator

    from toolgraft.config.servers import Stdio

HIDDEN: Final = "***"
_LINES: Final = 5
_LINE_BYTES: Final = 64 * 1024


class Child:
    """One process of a server: hands its standard error on and remembers the last lines.

    Values of the server's own `env` are hidden in them: they are often keys.

    Attributes:
        pid: Its process id, or None before it runs.
        exit_code: How it ended, or None while it runs.
    """

    def __init__(self, config: Stdio) -> None:
        self.pid: int | None = None
        self.exit_code: int | None = None
        self._name = config.name
        self._to = config.stderr
        self._last: deque[str] = deque(maxlen=_LINES)
        self._secrets = [value for value in config.env.values() if len(value) >= 6]

    def story(self) -> str:
        """How it ended and its last words, or an empty string."""
        ended = "" if self.exit_code is None else _exit(self.exit_code)
        words = " | ".join(self._last)
        return "; ".join(part for part in (ended, f"its last words: {words}" if words else "") if part)

    @contextmanager
    def target(self) -> Generator[int | IO[bytes]]:
        """What the child gets as its standard error: a pipe to read, a file, our own, or nothing."""
        if isinstance(self._to, Path):
            with self._to.open("ab") as file:
                yield file
        elif self._to == "discard":
            yield asyncio.subprocess.DEVNULL
        elif self._to == "inherit" and (own := _own_descriptor()) is not None:
            yield own
        else:
            yield asyncio.subprocess.PIPE

    async def drain(self, stream: asyncio.StreamReader) -> None:
        """Read the pipe until it ends."""
        while True:
            try:
                line = await stream.readline()
            except ValueError:  # a line longer than the stream's limit; it went on without it
                continue
            if not line:
                return
            self.take(line)

    def take(self, line: bytes) -> None:
        """One line of it."""
        text = line.decode(errors="replace").rstrip()[:_LINE_BYTES]
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        if text:
            self._last.append(text[:300])
            if self._to == "inherit":  # our own standard error is no file (a notebook, a test)
                with suppress(Exception):
                    sys.stderr.write(text + "\n")
            else:
                logging.getLogger(f"toolgraft.server.{self._name}").info("%s", text)

    @contextmanager
    def file(self) -> Generator[IO[str]]:
        """The same as a file object, for the SDK's transport on Windows: a pipe that a thread reads."""
        reading, writing = os.pipe()
        thread = threading.Thread(target=self._read, args=(reading,), daemon=True, name=f"stderr of {self._name}")
        thread.start()
        with os.fdopen(writing, "w", encoding="utf-8", errors="replace") as file:
            yield file

    def _read(self, descriptor: int) -> None:
        with os.fdopen(descriptor, "rb") as file:
            for line in file:
                self.take(line)


def _exit(code: int) -> str:
    if code >= 0:
        return f"it exited with code {code}"
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"it was ended by signal {-code}"


def _own_descriptor() -> int | None:
    try:
        return sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):
        return None
