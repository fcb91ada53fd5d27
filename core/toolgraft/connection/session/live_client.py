"""One living client: a task of its own enters and leaves it, and nobody else's code runs there.

A client must be left in the task that entered it, and one that failed cannot be entered again. So one lives once; to
reconnect, a new one is made.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

import mcp_types as types
from mcp import Client, MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter
from sniffio import current_async_library_cvar

from toolgraft import __version__
from toolgraft.calls import OnProgress, Progress
from toolgraft.connection.wire.exchanges import Exchanges, watched
from toolgraft.connection.wire.in_flight import CURRENT, Exchange, Failure, InFlight, WireError
from toolgraft.connection.wire.kinds import opener

if TYPE_CHECKING:
    from mcp.client import ClientSession, IncomingMessage, Transport
    from mcp.client.session import ElicitationFnT
    from mcp.shared.dispatcher import ProgressFnT

    from toolgraft.config.options import CallContext
    from toolgraft.config.servers import Server
    from toolgraft.connection.wire.stdio.child import Child

ANY: Final[TypeAdapter[Any]] = TypeAdapter(Any)
"""Takes a result as it is."""

DRAIN: Final = 300.0
"""Seconds that calls on an expired session may go on."""

MADE_UP: Final = frozenset(
    {types.CONNECTION_CLOSED, types.REQUEST_TIMEOUT, types.PARSE_ERROR, types.INVALID_REQUEST, types.INTERNAL_ERROR}
)
"""Codes of errors that the SDK makes up itself: from a client of the user's own, whose wire is not seen here, they do
not tell what happened."""

_log: Final = logging.getLogger("toolgraft")


@dataclass(frozen=True, slots=True)
class Callbacks:
    """Who is told of what comes from a server unasked.

    Attributes:
        lost: The server went away.
        list_changed: Its tool list changed.
        elicit: It asks a person. Offered only where the declaration has an `elicit` function.
        who: Who connects, for headers.
    """

    lost: Callable[[LiveClient], None]
    list_changed: Callable[[], None]
    elicit: ElicitationFnT
    who: CallContext


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """What a server tells of itself. Claims, for people.

    Attributes:
        version: The protocol version spoken.
        info: Name, version and the like, as on the wire.
        instructions: How it is to be used.
        has_tools: Whether it says that it has tools.
        tells_changes: Whether it tells when they change; taken as true where it was not asked (a pinned era).
    """

    version: str
    info: Mapping[str, Any]
    instructions: str | None
    has_tools: bool
    tells_changes: bool


def _listener(progressed: OnProgress) -> ProgressFnT:
    async def heard(progress: float, total: float | None, message: str | None) -> None:
        progressed(Progress(progress, total, message))

    return heard


def _tell(client: Client) -> ServerInfo:
    info, tools = client.server_info, client.server_capabilities.tools
    asked = client.server_capabilities != types.ServerCapabilities()
    return ServerInfo(
        version=client.protocol_version,
        info=info.model_dump(by_alias=True, mode="json", exclude_none=True) if info is not None else {},
        instructions=client.instructions,
        has_tools=tools is not None,
        tells_changes=not asked or bool(tools is not None and tools.list_changed),
    )


class LiveClient:
    """One entered client.

    Attributes:
        fault: What ended it, when nobody asked it to end.
        lost: The server is gone.
        way: How it is reached.
    """

    def __init__(self, config: Server, mode: str, callbacks: Callbacks) -> None:
        self.config = config
        self.fault: BaseException | None = None
        self.lost = False
        self.way = opener(config, callbacks.who)
        self._callbacks = callbacks
        self._exchanges = Exchanges(self._ended)
        self._stop = asyncio.Event()
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._owner: asyncio.Task[None] | None = None
        self._server_info: ServerInfo | None = None
        self._busy = 0
        self._idle: asyncio.Event | None = None
        self._sdk = self.way.held or self._make_client(mode)

    def _make_client(self, mode: str) -> Client:
        name, version = self.config.client_info or ("toolgraft", __version__)
        return Client(
            cast("Transport", watched(self.way.open(), self._exchanges)),
            mode=mode,
            client_info=types.Implementation(name=name, version=version),
            message_handler=self._hear,
            elicitation_callback=self._callbacks.elicit if self.config.elicit is not None else None,
            cache=None,
        )

    @property
    def child(self) -> Child | None:
        """Its process, where it is one of ours."""
        return self.way.child

    @property
    def sdk(self) -> Client:
        """The entered client."""
        return self._sdk

    @property
    def session(self) -> ClientSession:
        """The session of the entered client."""
        return self._sdk.session

    @property
    def server_info(self) -> ServerInfo:
        """What the server told when it was entered; stays after it is gone."""
        assert self._server_info is not None
        return self._server_info

    @property
    def shook_hands(self) -> bool:
        """Whether the handshake was done, whatever came after it."""
        return self._server_info is not None

    @property
    def modern(self) -> bool:
        """Whether the 2026-07-28 protocol is spoken."""
        return self.server_info.version in MODERN_PROTOCOL_VERSIONS

    @property
    def marks_count(self) -> bool:
        """Whether marks matter: to modern servers over Streamable HTTP."""
        return self.modern and self.way.mirrors_headers

    async def start(self) -> None:
        """Enter the client.

        Raises:
            Exception: Why it could not be entered, often in groups.
        """
        if self.way.held is not None:
            self._server_info = _tell(self._sdk)  # raises when it was not entered
            return
        self._owner = asyncio.create_task(self._own(), name=f"toolgraft server {self.config.name}")
        await asyncio.shield(self._ready)
        self._server_info = _tell(self._sdk)
        self._exchanges.modern = self.modern
        if not self.modern:  # it was not offered, and old servers ask all the same; what they ask is to be told
            setattr(self.session, "_elicitation_callback", self._callbacks.elicit)  # noqa: B010

    async def stop(self) -> None:
        """Leave the client and wait until its server is gone. May be called twice."""
        self.lost = True
        self._stop.set()
        if self._owner is None:
            return
        if not self._ready.done():
            self._owner.cancel()
        await asyncio.wait([self._owner])

    async def drained(self) -> None:
        """Wait, for a while, until nothing is on its way any more."""
        self._idle = self._idle or asyncio.Event()
        if self._busy:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._idle.wait(), DRAIN)

    async def fetch(self, request: types.Request[Any, Any], progressed: OnProgress | None = None) -> dict[str, Any]:
        """Send a request and return its result as it came over the wire.

        With `progressed`, the server is asked for progress, and it is called at each.

        Raises:
            mcp.MCPError: The server answered with this error.
            WireError: It failed on the wire, or no answer was seen there.
        """
        in_flight = CURRENT.get() or InFlight(self._callbacks.who)
        exchange = in_flight.asks()
        self._busy += 1
        try:
            if self.way.held is not None:
                return await self._fetch_unseen(request, progressed, exchange)
            with suppress(MCPError):  # the exchange knows better
                await self._send(request, progressed)
        except MCPError:
            raise
        except Exception as error:
            if not exchange.settled:
                exchange.fail(_failed(error, exchange))
        finally:
            self._busy -= 1
            if self._idle is not None and not self._busy:
                self._idle.set()
        return cast("dict[str, Any]", exchange.outcome(self._gone()))

    async def _send(self, request: types.Request[Any, Any], progressed: OnProgress | None) -> Any:
        if progressed is None:
            return await self.session.send_request(request, ANY)
        return await self.session.send_request(request, ANY, progress_callback=_listener(progressed))

    async def _fetch_unseen(
        self, request: types.Request[Any, Any], progressed: OnProgress | None, exchange: Exchange
    ) -> dict[str, Any]:
        """Over a client of the user's own: its wire is not ours to see, so the SDK's word is taken."""
        exchange.handed = True
        try:
            return cast("dict[str, Any]", await self._send(request, progressed))
        except MCPError as error:
            if error.code not in MADE_UP:
                raise
            exchange.fail(Failure(f"{error.message} (error {error.code})", cause=error))
            raise WireError(exchange.failure or Failure(error.message)) from error

    def _gone(self) -> str:
        """What to say of a request that nothing answered."""
        if not self.lost:
            return "no answer to it was seen"
        story = self.child.story() if self.child is not None else ""
        gone = "the server went away before it answered"
        return f"{gone}; {story}" if story else gone

    async def fetch_page(self, cursor: str | None) -> dict[str, Any]:
        """One page of the tool list as it came over the wire."""
        params = types.PaginatedRequestParams(cursor=cursor)
        if self.way.held is not None:  # its session must see the list, for the headers of calls
            page = await self.session.list_tools(params=params)
            return page.model_dump(by_alias=True, mode="json", exclude_unset=True)
        return await self.fetch(types.ListToolsRequest(params=params))

    async def _own(self) -> None:
        CURRENT.set(None)  # what the session sends for itself belongs to no call
        current_async_library_cvar.set("asyncio")  # or each wait of the SDK looks it up
        try:
            async with self._sdk:
                self._ready.set_result(None)
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
            self._callbacks.lost(self)

    async def _hear(self, message: IncomingMessage) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            self._callbacks.list_changed()
        elif isinstance(message, Exception):
            _log.debug("server '%s' sent what is no JSON-RPC message: %s", self.config.name, type(message).__name__)


def _failed(error: Exception, exchange: Exchange) -> Failure:
    if isinstance(error, WireError):
        return error.failure
    text = " ".join(str(error).split())[:300]
    return Failure(f"{type(error).__name__}: {text}", sent=exchange.handed, cause=error)
