"""What is known of a server's process: where its standard error goes, its last words, how it ended."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from toolgraft.connection.wire.lines import Cutter
from toolgraft.connection.wire.stdio.child_secrets import Secrets
from toolgraft.connection.wire.stdio.environment import environment
from toolgraft.connection.wire.stdio.pipes import ReadEnd, Turn
from toolgraft.connection.wire.unreadable import TooLarge
from toolgraft.content.text import printable

if TYPE_CHECKING:
    from collections.abc import Generator

    from toolgraft.config.servers import Stdio

PATIENCE: Final = 3.0
"""Seconds after which the older handshake follows a probe that has no answer. The SDK waits for ten."""

_LINES: Final = 5
_LINE_BYTES: Final = 64 * 1024
_VARIABLE: Final = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]{2,}(?![A-Za-z0-9_])")


class Child:
    """One process of a server: hands its standard error on and remembers the last lines, without its secrets.

    Attributes:
        pid: Its process id, or None before it runs.
        exit_code: How it ended, or None while it runs.
        deaf: It has closed its input.
        given_up: Why we speak with it no more, or an empty string.
        on_deaf: Called when it has closed its input.
        patience: Seconds that it has to answer the probe.
        answered_late: It answered the probe after that.
        speaks: It has sent a message of MCP.
    """

    def __init__(self, config: Stdio) -> None:
        self.pid: int | None = None
        self.exit_code: int | None = None
        self.deaf = False
        self.given_up = ""
        self.on_deaf: Callable[[], None] = lambda: None
        self.patience = PATIENCE
        self.answered_late = False
        self.speaks = False
        self._config = config
        self._name = config.name
        self._to = config.stderr
        self._last: deque[str] = deque(maxlen=_LINES)
        self._stray = ""
        self._secrets = Secrets(config)

    def story(self) -> str:
        """How it ended, its last words and what they ask for, or an empty string."""
        ended = _exit(self.exit_code) if self.exit_code is not None else "it closed its input" if self.deaf else ""
        words = " | ".join(self._last)
        said = f"its last words: {words}" if words else ""
        parts = (self.given_up, ended, self._strayed(), said, self._missing(f"{words} {self._stray}"))
        return "; ".join(part for part in parts if part)

    def _strayed(self) -> str:
        """That it writes where its messages belong, and no messages."""
        if not self._stray or self.speaks:
            return ""
        return f"it writes what is no MCP message to its standard output: {self._stray!r} (logs belong on stderr)"

    def strays(self, line: bytes) -> None:
        """A line of its standard output that is no message; the first one is remembered."""
        self._stray = self._stray or self._readable(line)[:200]

    def _missing(self, words: str) -> str:
        """Variables that it speaks of, and that we have and did not pass on."""
        named = dict.fromkeys(_VARIABLE.findall(words))
        known = environment(self._config) if named else {}
        missing = [name for name in named if name in os.environ and name not in known]
        if not missing:
            return ""
        said = f"{missing[0]} is" if len(missing) == 1 else f"{', '.join(missing)} are"
        return f"{said} set here but not passed on: inherit_env={missing!r}"

    @property
    def logs(self) -> bool:
        """Its standard error is a pipe that we read."""
        return self._to == "log" or (self._to == "inherit" and _own_descriptor() is None)

    @contextmanager
    def target(self) -> Generator[int | IO[bytes]]:
        """What the child gets as its standard error where we do not read it: a file, our own, or nothing."""
        if isinstance(self._to, Path):
            with self._to.open("ab") as file:
                yield file
        else:
            own = _own_descriptor() if self._to == "inherit" else None
            yield asyncio.subprocess.DEVNULL if own is None else own

    async def drain(self, end: ReadEnd) -> None:
        """Read the pipe until it ends, and close it."""
        cutter, turn = Cutter(_LINE_BYTES), Turn()
        try:
            while chunk := await end.read():
                turn.begins()
                for line in cutter.feed(chunk):
                    self.take(line.head if isinstance(line, TooLarge) else line)
                    await turn.ends()
        finally:
            self.take(cutter.rest())
            end.close()

    def take(self, line: bytes) -> None:
        """One line of it."""
        text = self._readable(line)
        if text:
            self._last.append(text[:300])
            if self._to == "inherit":  # our own standard error is no file (a notebook, a test)
                with suppress(Exception):
                    sys.stderr.write(text + "\n")
            else:
                logging.getLogger(f"toolgraft.server.{self._name}").info("%s", text)

    def _readable(self, line: bytes) -> str:
        text = line[:_LINE_BYTES].decode(errors="replace").strip("\r\n\x00").rstrip()
        return printable(self._secrets.hidden(text))

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
