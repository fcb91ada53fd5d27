"""What is left of an answer when all that counts is read: it is read too, so that the connection serves again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import anyio
import httpx2

from toolgraft.connection.wire.http.bodies import chunks
from toolgraft.connection.wire.http.failures import NotMcp

_SECONDS: Final = 1.0
_BYTES: Final = 64 * 1024


class Rests:
    """Reads the rests of answers beside whatever else is done; nobody waits for a body that stays open."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def leave(self, response: httpx2.Response) -> None:
        """Leave an answer whose head was all that counts."""
        if response.headers.get("content-length") == "0":
            await response.aread()
        else:
            self.read(response, chunks(response))

    def read(self, response: httpx2.Response, stream: AsyncIterator[bytes]) -> None:
        """Read a body to its end, which should be near."""
        task = asyncio.get_running_loop().create_task(_read(response, stream))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def end(self) -> None:
        """Leave what is still being read."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)


async def _read(response: httpx2.Response, stream: AsyncIterator[bytes]) -> None:
    read = 0
    try:
        with anyio.move_on_after(_SECONDS):
            async for chunk in stream:
                read += len(chunk)
                if read > _BYTES:
                    break
    except (httpx2.HTTPError, httpx2.StreamError, NotMcp):
        pass
    finally:
        await response.aclose()
