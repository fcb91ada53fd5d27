"""One server: opened once, called from anywhere, reconnected when it was lost, closed from anywhere."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp import MCPError

from toolgraft.config.options import CallContext
from toolgraft.connection.deadlines import Clock, Deadline
from toolgraft.connection.era import EraMemory
from toolgraft.connection.events import Connected, Emit, Event, Lost, Reconnected
from toolgraft.connection.link import Link
from toolgraft.connection.listing import Listing, NotAList, all_pages, list_all
from toolgraft.connection.record import CURRENT, Record
from toolgraft.connection.state import State, move
from toolgraft.connection.translate import call_error, connect_error, wire_error
from toolgraft.errors import CallError, ClosedError, ConnectError, DeadlineError, TransportError

if TYPE_CHECKING:
    from toolgraft.config.servers import Server
    from toolgraft.spec import ToolRef

log = logging.getLogger("toolgraft")


class Connection:
    """The connection to one server.

    Attributes:
        config: The server as declared.
    """

    def __init__(self, config: Server, *, emit: Emit | None = None, era: EraMemory | None = None) -> None:
        self.config = config
        self._emit_to = emit
        self._era = era or EraMemory()
        self._state = State.NEW
        self._link: Link | None = None
        self._listing: Listing | None = None
        self._opening = asyncio.Lock()

    @property
    def state(self) -> State:
        """Where it stands."""
        return self._state

    @property
    def protocol_version(self) -> str | None:
        """The protocol version spoken, or None before it was opened."""
        return self._link.client.protocol_version if self._link else None

    @property
    def server_info(self) -> Mapping[str, Any]:
        """What the server says of itself, as on the wire. For people only: it is a claim."""
        info = self._link.client.server_info if self._link else None
        return info.model_dump(by_alias=True, exclude_none=True) if info else {}

    @property
    def instructions(self) -> str | None:
        """How the server says it is to be used."""
        return self._link.client.instructions if self._link else None

    async def open(self) -> None:
        """Start or reach the server and read its tools.

        Raises:
            ConnectError: It could not be reached, or does not speak MCP.
            ClosedError: The connection was closed.
        """
        await self._opened()

    async def close(self) -> None:
        """Leave the server; a process of ours ends. From any task, any number of times."""
        if self._state is State.CLOSED:
            return
        self._state = move(self._state, State.CLOSED)
        link, self._link = self._link, None
        if link is not None:
            await asyncio.shield(link.stop())

    async def list_tools(self, refresh: bool = False) -> Listing:
        """The tools by wire name, from memory unless `refresh`.

        Raises:
            ConnectError: The server could not be reached, or its answer is no list.
        """
        link = await self._opened()
        if refresh or self._listing is None:
            try:
                self._listing = await self._list(link)
            except (MCPError, NotAList) as error:
                raise connect_error(self.config, error) from error
        return self._listing

    async def call_tool(
        self,
        ref: ToolRef,
        arguments: Mapping[str, Any],
        *,
        context: CallContext,
        limit: Deadline,
        repeatable: bool,
    ) -> Mapping[str, Any]:
        """Call a tool and return its result as it came over the wire.

        Raises:
            CallError: The call failed; the class says how.
            ClosedError: The connection is closed.
        """
        params = types.CallToolRequestParams(name=ref.tool, arguments=dict(arguments))
        return await self._request(types.CallToolRequest(params=params), Record(context, ref), limit)

    async def _request(self, request: types.Request[Any, Any], record: Record, limit: Deadline) -> Mapping[str, Any]:
        try:
            link = await self._opened()
        except ConnectError as error:
            raise TransportError(record.ref, error.reason, sent=False) from error
        token = CURRENT.set(record)
        try:
            async with Clock(limit) as record.clock:
                return await link.fetch(request)
        except TimeoutError as error:
            if record.failure is not None:
                raise wire_error(record, record.failure) from error
            raise DeadlineError(record.ref, limit=limit.seconds or 0.0, source=limit.source) from error
        except MCPError as error:
            raise call_error(record, error, lost=link.lost) from error
        finally:
            CURRENT.reset(token)

    async def read_resource(self, uri: str) -> Mapping[str, Any]:
        """A resource as it came over the wire (MCP: ReadResourceResult)."""
        return await self._ask(types.ReadResourceRequest(params=types.ReadResourceRequestParams(uri=uri)))

    async def get_prompt(self, name: str, arguments: Mapping[str, str] | None = None) -> Mapping[str, Any]:
        """A prompt as it came over the wire (MCP: GetPromptResult)."""
        params = types.GetPromptRequestParams(name=name, arguments=dict(arguments or {}))
        return await self._ask(types.GetPromptRequest(params=params))

    async def list_prompts(self) -> tuple[Mapping[str, Any], ...]:
        """Every prompt, as on the wire."""
        return await self._everything("prompts", types.ListPromptsRequest)

    async def list_resources(self) -> tuple[Mapping[str, Any], ...]:
        """Every resource, as on the wire."""
        return await self._everything("resources", types.ListResourcesRequest)

    async def list_resource_templates(self) -> tuple[Mapping[str, Any], ...]:
        """Every resource template, as on the wire."""
        return await self._everything("resourceTemplates", types.ListResourceTemplatesRequest)

    async def _ask(self, request: types.Request[Any, Any]) -> Mapping[str, Any]:
        limit = Deadline(self.config.timeout, f"{type(self.config).__name__}(timeout=...)")
        return await self._request(request, Record(CallContext(self.config.name)), limit)

    async def _everything(self, key: str, kind: type[types.PaginatedRequest[Any]]) -> tuple[Mapping[str, Any], ...]:
        async def page(cursor: str | None) -> Mapping[str, Any]:
            return await self._ask(kind(params=types.PaginatedRequestParams(cursor=cursor)))

        try:
            members, _, _ = await all_pages(page, key)
        except NotAList as error:
            raise CallError(None, f"server '{self.config.name}': {error}") from error
        return tuple(each for each in members if isinstance(each, Mapping))

    async def _opened(self) -> Link:
        if self._state is State.OPEN and self._link is not None:
            return self._link
        async with self._opening:
            if self._state is State.CLOSED:
                raise ClosedError(f"the connection to server '{self.config.name}' is closed")
            if self._state is State.OPEN and self._link is not None:
                return self._link
            return await self._connect()

    async def _connect(self) -> Link:
        before = self._state
        self._state = move(before, State.OPENING)
        started = time.monotonic()
        if self._link is not None:
            await self._link.stop()
        link = self._link = Link(
            self.config,
            self._era.mode(self.config),
            on_lost=self._lost,
            on_list_changed=self._list_changed,
            elicit=None,
        )
        try:
            async with asyncio.timeout(self.config.connect_timeout):
                await link.start()
                self._listing = await self._list(link)
        except BaseException as error:
            await asyncio.shield(link.stop())
            self._link = None
            if self._state is State.OPENING:
                self._state = move(self._state, before)
            if isinstance(error, TimeoutError):
                reason = f"no handshake and tool list within {self.config.connect_timeout:g} s (connect_timeout)"
                raise ConnectError(self.config.name, self.config.target, reason) from error
            if isinstance(error, Exception):
                raise connect_error(self.config, error) from error
            raise
        link.opened()
        self._state = move(self._state, State.OPEN)
        self._era.learn(self.config, legacy=not link.modern)
        version = link.client.protocol_version
        if before is State.NEW:
            self._emit(Connected(self.config.name, version, time.monotonic() - started))
        else:
            self._emit(Reconnected(self.config.name, version, 1))
        return link

    async def _list(self, link: Link) -> Listing:
        async def page(cursor: str | None) -> Mapping[str, Any]:
            return await link.fetch(types.ListToolsRequest(params=types.PaginatedRequestParams(cursor=cursor)))

        if link.client.server_capabilities.tools is None and link.client.session.initialize_result is not None:
            with suppress(MCPError):
                return await list_all(self.config.name, page)
            return Listing()
        return await list_all(self.config.name, page)

    def _lost(self, link: Link) -> None:
        if link is self._link and self._state is State.OPEN:
            self._state = move(self._state, State.LOST)
            self._emit(Lost(self.config.name, "the server went away"))

    def _list_changed(self) -> None:
        self._listing = None

    def _emit(self, event: Event) -> None:
        if self._emit_to is not None:
            try:
                self._emit_to(event)
            except Exception:
                log.exception("a listener of server '%s' raised", self.config.name)
