"""One living client: a task of its own enters and leaves it, and nobody else's code runs there.

A client must be left in the task that entered it, and one that failed cannot be entered again. So a link lives once; a
connection makes a new one to reconnect.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, cast

import mcp_types as types
from anyio.lowlevel import checkpoint
from mcp import Client
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter

from toolgraft.config.servers import Held, Http, Server, Sse
from toolgraft.connection.isolation import Isolation
from toolgraft.connection.repair import Desk, Envelope, mended
from toolgraft.connection.transports import transport

if TYPE_CHECKING:
    from mcp.client import ClientSession, IncomingMessage
    from mcp.client.session import ElicitationFnT

ANY: Final[TypeAdapter[Any]] = TypeAdapter(Any)
"""Takes a result as it is."""


class Link:
    """One entered client.

    Attributes:
        fault: What ended it, when nobody asked it to end.
        lost: The server is gone.
    """

    def __init__(
        self,
        config: Server,
        mode: str,
        *,
        on_lost: Callable[[Link], None],
        on_list_changed: Callable[[], None],
        elicit: ElicitationFnT | None,
    ) -> None:
        self.config = config
        self.fault: BaseException | None = None
        self.lost = False
        self._on_lost = on_lost
        self._on_list_changed = on_list_changed
        self._desk = Desk(self._ended)
        self._isolation = Isolation(
            config.name,
            headers=config.headers if isinstance(config, Http | Sse) else {},
            wire_bytes=_wire_bytes(config),
            posts_only=isinstance(config, Sse),
        )
        self._stop = asyncio.Event()
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._owner: asyncio.Task[None] | None = None
        self._client = self._make_client(mode, elicit)

    def _make_client(self, mode: str, elicit: ElicitationFnT | None) -> Client:
        if isinstance(self.config, Held):
            return self.config.client
        info = self.config.client_info or ("toolgraft", _version())
        return Client(
            mended(transport(self.config, self._isolation), self._desk),
            mode=mode,
            client_info=types.Implementation(name=info[0], version=info[1]),
            message_handler=self._hear,
            elicitation_callback=elicit,
            cache=None,
        )

    @property
    def client(self) -> Client:
        """The entered client."""
        return self._client

    @property
    def session(self) -> ClientSession:
        """The session of the entered client."""
        return self._client.session

    @property
    def modern(self) -> bool:
        """Whether the 2026-07-28 protocol is spoken."""
        return self._client.protocol_version in MODERN_PROTOCOL_VERSIONS

    async def start(self) -> None:
        """Enter the client.

        Raises:
            Exception: Why it could not be entered, often in groups.
        """
        if isinstance(self.config, Held):
            _ = self._client.session  # raises when it was not entered
            return
        self._owner = asyncio.create_task(self._own(), name=f"toolgraft {self.config.name}")
        await asyncio.shield(self._ready)
        self._desk.modern = self.modern

    def opened(self) -> None:
        """Connecting is over: from now on failures are answered, not raised."""
        self._isolation.answering = True

    async def stop(self) -> None:
        """Leave the client and wait until its server is gone. May be called twice."""
        self._stop.set()
        if self._owner is None:
            return
        if not self._ready.done() or self._ready.exception() is not None:
            self._owner.cancel()
        await asyncio.wait([self._owner])

    async def fetch(self, request: types.Request[Any, Any]) -> dict[str, Any]:
        """Send a request and return its result as it came over the wire.

        Raises:
            mcp.MCPError: The server's error, or the transport's.
        """
        answer: Any = await self.session.send_request(request, ANY)
        return answer.raw if isinstance(answer, Envelope) else cast("dict[str, Any]", answer)

    async def _own(self) -> None:
        try:
            async with self._client:
                if not self._ready.done():
                    self._ready.set_result(self._client)
                await self._stop.wait()
        except BaseException as error:
            self.fault = error
            if not self._ready.done():
                self._ready.set_exception(
                    error if isinstance(error, Exception) else ConnectionAbortedError("cancelled")
                )
                self._ready.exception()  # retrieved: nobody may be waiting any more
        finally:
            self._ended()

    def _ended(self) -> None:
        if not self.lost:
            self.lost = True
            self._on_lost(self)

    async def _hear(self, message: IncomingMessage) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            self._on_list_changed()
        else:
            with suppress(Exception):
                await checkpoint()


def _wire_bytes(config: Server) -> int:
    return max([config.limits.wire_bytes, *(each.wire_bytes for each in config.tool_limits.values())])


def _version() -> str:
    from toolgraft import __version__

    return __version__
