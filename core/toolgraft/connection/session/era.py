"""Which protocol a server spoke last time, so that the next connection need not find out again."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from typing import Final, Literal, TypeAlias

from toolgraft.config.servers import Http, Server, Sse, Stdio

Spoken: TypeAlias = Literal["legacy", "modern"]

DAY: Final = 86_400.0
"""Seconds for which it is remembered: a server may learn another protocol."""

SERVERS: Final = 1024
"""Servers that are remembered; the one that was not asked about for longest goes first."""


class EraMemory:
    """Remembers what servers spoke: those of the `initialize` handshake only, and those of 2026-07-28.

    For the first a start goes without the probe, which a silent old server lets time out, and which some do not
    survive. One memory may serve many connections.
    """

    def __init__(self) -> None:
        self._spoken: OrderedDict[bytes, tuple[Spoken, float]] = OrderedDict()

    def mode(self, config: Server) -> str:
        """The mode to connect with."""
        if config.era != "legacy" and self.spoken(config) == "legacy":
            return "legacy"
        return config.era

    def spoken(self, config: Server) -> Spoken | None:
        """What a server spoke last time, or None where that is not known."""
        key = _key(config)
        spoken, until = self._spoken.get(key, (None, 0.0))
        if spoken is None or time.monotonic() >= until:
            self._spoken.pop(key, None)
            return None
        self._spoken.move_to_end(key)
        return spoken

    def learn(self, config: Server, *, legacy: bool) -> None:
        """Remember what a server spoke."""
        key = _key(config)
        self._spoken[key] = ("legacy" if legacy else "modern"), time.monotonic() + DAY
        self._spoken.move_to_end(key)
        if len(self._spoken) > SERVERS:
            self._spoken.popitem(last=False)

    def forget(self, config: Server) -> None:
        """Probe again next time."""
        self._spoken.pop(_key(config), None)


REMEMBERED: Final = EraMemory()
"""What this program has learned, so that a server that is grafted again need not be found out again."""


def _key(config: Server) -> bytes:
    """A digest, since commands and URLs may hold secrets; of objects of this process, that they are the same."""
    match config:
        case Stdio():
            told: tuple[object, ...] = (config.command, config.args, sorted(config.env.items()), str(config.cwd))
        case Http() | Sse():
            told = (type(config).__name__, config.url)
        case _:
            told = (config.name, config.target)
    return hashlib.sha256(repr(told).encode(errors="surrogatepass")).digest()
