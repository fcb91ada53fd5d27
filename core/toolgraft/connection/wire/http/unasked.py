"""What a server of 2025 says unasked, on an event stream of its own, as long as its session lasts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress

import httpx2

from toolgraft.connection.wire.bounds import Bounds
from toolgraft.connection.wire.http.answers import pause_before_resuming
from toolgraft.connection.wire.http.bodies import chunks, kind_of, read_message
from toolgraft.connection.wire.http.event_stream import EventReader
from toolgraft.connection.wire.http.failures import NotMcp
from toolgraft.connection.wire.http.media import EVENT_STREAM, EVENTS
from toolgraft.connection.wire.http.requests import HttpRequests, Mark
from toolgraft.connection.wire.http.session_check import SessionCheck
from toolgraft.connection.wire.http.underway import Underway
from toolgraft.connection.wire.in_flight import WireError
from toolgraft.connection.wire.unreadable import TooLarge


class Unasked:
    """Reads that stream, opening it again where it breaks; a server need not offer it.

    Args of its making: what makes requests, where messages go, what knows whether the session lasts, the headers of
    the session, and the largest event.
    """

    def __init__(
        self,
        http: HttpRequests,
        underway: Underway,
        check: SessionCheck,
        headers: Callable[[], Mapping[str, str]],
        bounds: Bounds,
    ) -> None:
        self._http = http
        self._underway = underway
        self._check = check
        self._headers = headers
        self._bounds = bounds
        self._task: asyncio.Task[None] | None = None

    def listen(self) -> None:
        """Begin."""
        self._task = asyncio.get_running_loop().create_task(self._listen())

    async def end(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _listen(self) -> None:
        reader = EventReader(self._bounds.bytes)
        fruitless = 0
        while not self._check.lost:
            headers = {**self._headers(), **EVENTS, **({"last-event-id": reader.last_id} if reader.last_id else {})}
            fruitless += 1
            with suppress(WireError, NotMcp, httpx2.HTTPError):
                response = await self._http.send("GET", self._http.url, Mark(), headers=headers, ours=True)
                try:
                    opened = response.status_code == 200 and kind_of(response) == EVENT_STREAM
                    if not opened and response.status_code < 500:
                        return
                    if opened and await self._hear(response, reader):
                        fruitless = 0
                finally:
                    await response.aclose()
            await asyncio.sleep(pause_before_resuming(reader, fruitless))

    async def _hear(self, response: httpx2.Response, reader: EventReader) -> bool:
        """Read until it breaks; whether anything came."""
        heard = False
        with suppress(httpx2.TransportError):
            async for chunk in chunks(response):
                for event in reader.feed(chunk):
                    heard = True
                    if event.kind != "message" or not event.data:
                        continue
                    with suppress(NotMcp):
                        await self._deliver(event.data)
        return heard

    async def _deliver(self, data: bytes | TooLarge) -> None:
        try:
            if isinstance(data, TooLarge):
                raise data
            item = read_message(data, None, self._bounds.values)
        except TooLarge as error:
            await self._underway.inbox.put(error)
        else:
            await self._underway.deliver(item, len(data))
