"""How long list changes are gathered before the list is read again: longer and longer while they do not stop."""

from __future__ import annotations

import asyncio
import time
from typing import Final

SHORTEST: Final = 0.05
LONGEST: Final = 30.0
CALM: Final = 4
"""So many pauses without a change and the next is gathered for the shortest time again."""


class Settling:
    """The pause before the next reading. A server that tells of a change after each list keeps nobody busy."""

    def __init__(self) -> None:
        self._pause = SHORTEST
        self._read_at = -LONGEST * CALM

    async def settled(self) -> None:
        """Wait until the list may be read."""
        calm = time.monotonic() - self._read_at > self._pause * CALM
        self._pause = SHORTEST if calm else min(self._pause * 2, LONGEST)
        await asyncio.sleep(self._pause)
        self._read_at = time.monotonic()
