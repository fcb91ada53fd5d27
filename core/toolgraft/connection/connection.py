"""The connection to one server, to be called from any task, loop and thread."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, Self, TypeVar, cast
from uuid import uuid4

import mcp_types as types

from toolgraft.calls import Call, Deadline
from toolgraft.config.options import CallContext
from toolgraft.config.servers import Server
from toolgraft.connection.calls.elicitation import Questions
from toolgraft.connection.calls.requests import Requests, checked_arguments, checked_meta
from toolgraft.connection.events import Emit, Event, ListCut, unheard
from toolgraft.connection.listing.bounds import within
from toolgraft.connection.listing.listing import Listing, NotAList, all_pages
from toolgraft.connection.loops import home_loop
from toolgraft.connection.session.era import REMEMBERED, EraMemory
from toolgraft.connection.session.session import Session, closed
from toolgraft.connection.session.sessions import Sessions
from toolgraft.connection.session.state import State
from toolgraft.connection.unpickled import Close, Unpickled, fingerprint
from toolgraft.connection.wire.control_flow import ControlFlow, steers_nothing
from toolgraft.connection.wire.in_flight import InFlight
from toolgraft.connection.wire.tracebacks import without_requests
from toolgraft.content.hidden import without_hidden
from toolgraft.errors import CallError, ProtocolError

T = TypeVar("T")

_log: Final = logging.getLogger("toolgraft")


class Connection:
    """The connection to one server.

    It lives in the event loop that opens it, its home. Calls from there run in the caller's task; calls from other
    loops and threads are carried over. It reconnects at the first call after a loss. Copies are the same connection;
    pickled, it is a new one that opens at its first call, shared by all in the other process that came with its
    declaration, which must be picklable.

    Attributes:
        config: The server as declared.
    """

    def __init__(
        self,
        config: Server,
        *,
        emit: Emit | None = None,
        era: EraMemory | None = None,
        watch: bool = False,
        control_flow: ControlFlow = steers_nothing,
        home: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Prepare; nothing is started.

        Args:
            config: The server.
            emit: Told what happens, in the home loop.
            era: What is known of protocol versions; by default what this program has learned.
            watch: Have modern servers tell when their list changes; that holds one stream open.
            control_flow: Which exceptions of the functions of the declaration, e.g. `elicit` and `headers`, are how
                the host steers a run.
            home: The loop that it is to live in; None for the one that opens it.
        """
        self.config = config
        self._control_flow = control_flow
        questions = Questions(config, control_flow)
        memory = era or REMEMBERED
        self._emit = _guarded(emit, config.name)

        def session(who: CallContext, emit: Emit, *, watch: bool, own: bool) -> Session:
            return Session(config, era=memory, emit=emit, elicit=questions.legacy, watch=watch, who=who, own=own)

        self._main = session(CallContext(config.name), self._emit, watch=watch, own=False)
        self._sessions = Sessions(self._main, lambda who: session(who, unheard, watch=False, own=True))
        self._requests = Requests(self._sessions, questions, self._emit)
        self._home = home

    @property
    def state(self) -> State:
        """Where it stands."""
        return self._main.state

    @property
    def protocol_version(self) -> str | None:
        """The protocol version spoken, or None before it was opened."""
        client = self._main.client
        return client.server_info.version if client else None

    @property
    def server_info(self) -> Mapping[str, Any]:
        """What the server says of itself, as on the wire. For people only: it is a claim."""
        client = self._main.client
        return client.server_info.info if client else {}

    @property
    def instructions(self) -> str | None:
        """How the server says it is to be used: a claim, within the limits of a description, and fit to be read."""
        client, limits = self._main.client, self.config.list_limits
        said = client.server_info.instructions if client else None
        if said is None:
            return None
        return within(said if limits.hidden == "keep" else without_hidden(said), limits.description_bytes)

    @property
    def pid(self) -> int | None:
        """The process id of a server that we started, or None."""
        client = self._main.client
        return client.child.pid if client and client.child else None

    @property
    def home(self) -> asyncio.AbstractEventLoop | None:
        """The loop it lives in, or None before it was opened."""
        return self._home

    async def open(self) -> None:
        """Start or reach the server and read its tools.

        Raises:
            ConnectError: It could not be reached, or does not speak MCP.
            ClosedError: The connection was closed.
        """
        await self._at_home(self._main.connected)

    async def close(self) -> None:
        """Leave the server; a process of ours ends. From any task, loop or thread, any number of times."""
        home = self._home
        if home is None or (home is not home_loop.running_loop() and not home_loop.HOMES.run(home)):
            self._main.abandon()  # whatever lived in that loop ended with it
            return
        if home is home_loop.running_loop():
            closing = home.create_task(self._sessions.close())
            await asyncio.shield(closing)
        else:
            await home_loop.across(home, self._sessions.close, self._what)

    async def list_tools(self, refresh: bool = False) -> Listing:
        """The tools by wire name, from memory while that holds, unless `refresh`.

        Raises:
            ConnectError: The server could not be reached, or its answer is no list.
            ClosedError: The connection is closed.
        """
        return await self._at_home(lambda: self._main.listing(refresh=refresh))

    async def call(self, call: Call) -> Mapping[str, Any]:
        """Send a call and give its result as it came over the wire (MCP: CallToolResult), whatever is in it.

        It is reconnected, and sent again where its safety allows that; all of it within its deadline, in which a
        person's time does not count.

        Raises:
            ArgumentsError: The arguments are not JSON.
            ProtocolError: The server answered with an error.
            TransportError: It failed on the wire; `sent` tells whether it may have run.
            DeadlineError: It took longer than its deadline; the server was told to stop.
            ResultError: It ran, and its result is too large or of an unknown kind.
            ToolOutcomeUnknownError: It was sent, its answer was lost, and it is not safe to send it again.
            ClosedError: The connection is closed.
            BaseException: What a function of the declaration raised by which the host steers its run.
        """
        in_flight = InFlight.around(call, self._control_flow)
        params = types.CallToolRequestParams(
            name=call.ref.tool,
            arguments=checked_arguments(in_flight, call.arguments),
            _meta=cast("types.RequestParamsMeta", checked_meta(in_flight, call.meta)) if call.meta else None,
        )
        request = types.CallToolRequest(params=params)
        if self._home is not home_loop.running_loop():
            return await self._at_home(lambda: self._requests.send(request, in_flight))
        try:
            return await self._requests.send(request, in_flight)
        except BaseException as error:
            without_requests(error)
            raise

    def tell(self, event: Event) -> None:
        """Tell those who listen to this connection, in its home loop, in the order of telling. It does not wait."""
        home = self._home
        if home is None or home is home_loop.running_loop():
            self._emit(event)
            return
        try:
            home.call_soon_threadsafe(self._emit, event)
        except RuntimeError:  # it has ended
            self._emit(event)

    async def read_resource(
        self, uri: str, *, context: CallContext | None = None, deadline: Deadline | None = None
    ) -> Mapping[str, Any]:
        """A resource as it came over the wire (MCP: ReadResourceResult). Raises as `call` does.

        Args:
            uri: Its URI.
            context: Who reads, for headers made per call; None for nobody in particular.
            deadline: How long it may take; None for the declaration's `timeout`.
        """
        request = types.ReadResourceRequest(params=types.ReadResourceRequestParams(uri=uri))
        return await self._ask(request, context, deadline)

    async def get_prompt(
        self, name: str, arguments: Mapping[str, str] | None = None, *, context: CallContext | None = None
    ) -> Mapping[str, Any]:
        """A prompt as it came over the wire (MCP: GetPromptResult). Raises as `call` does.

        Args:
            name: Its name.
            arguments: Texts by name.
            context: Who asks, as in `read_resource`.
        """
        params = types.GetPromptRequestParams(name=name, arguments=dict(arguments or {}))
        return await self._ask(types.GetPromptRequest(params=params), context)

    async def complete(
        self,
        kind: Literal["prompt", "template"],
        of: str,
        name: str,
        value: str,
        given: Mapping[str, str] | None = None,
        *,
        context: CallContext | None = None,
    ) -> Mapping[str, Any]:
        """What the server proposes for an argument, as on the wire (MCP: CompleteResult). Raises as `call` does.

        Args:
            kind: What it is an argument of.
            of: The prompt's name, or the template.
            name: The argument's name.
            value: What is there of its value.
            given: The values of other arguments.
            context: Who asks, as in `read_resource`.
        """
        reference = types.PromptReference(name=of) if kind == "prompt" else types.ResourceTemplateReference(uri=of)
        others = types.CompletionContext(arguments=dict(given)) if given else None
        argument = types.CompletionArgument(name=name, value=value)
        params = types.CompleteRequestParams(ref=reference, argument=argument, context=others)
        return await self._ask(types.CompleteRequest(params=params), context)

    async def list_prompts(
        self, *, context: CallContext | None = None, deadline: Deadline | None = None
    ) -> tuple[object, ...]:
        """Every member of the list of prompts, as on the wire. Raises as `call` does."""
        return await self._everything("prompts", types.ListPromptsRequest, context, deadline)

    async def list_resources(
        self, *, context: CallContext | None = None, deadline: Deadline | None = None
    ) -> tuple[object, ...]:
        """Every member of the list of resources, as on the wire. Raises as `call` does."""
        return await self._everything("resources", types.ListResourcesRequest, context, deadline)

    async def list_resource_templates(
        self, *, context: CallContext | None = None, deadline: Deadline | None = None
    ) -> tuple[object, ...]:
        """Every member of the list of resource templates, as on the wire. Raises as `call` does."""
        return await self._everything("resourceTemplates", types.ListResourceTemplatesRequest, context, deadline)

    def wait(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine in the home loop and block this thread until it is done.

        One that was never opened has no home yet: it gets a loop in a thread of its own.

        Raises:
            ClosedError: The home loop is gone, or is run by this very thread.
        """
        if self.state is State.CLOSED:
            raise closed(self.config.name)
        if self._home is None:
            self._home = home_loop.loop_of_its_own(self._what)
        return home_loop.wait(self._home, make, self._what)

    async def _ask(
        self, request: types.Request[Any, Any], context: CallContext | None = None, deadline: Deadline | None = None
    ) -> Mapping[str, Any]:
        who, limit = context or CallContext(self.config.name), deadline or self._usual_deadline
        in_flight = InFlight(who, deadline=limit, steers=self._control_flow)
        return await self._at_home(lambda: self._requests.send(request, in_flight))

    @property
    def _usual_deadline(self) -> Deadline:
        return Deadline(self.config.timeout, f"{type(self.config).__name__}(timeout=...)")

    async def _everything(
        self,
        key: str,
        kind: Callable[..., types.PaginatedRequest[Any]],
        context: CallContext | None,
        deadline: Deadline | None,
    ) -> tuple[object, ...]:
        """All pages of a list, within one deadline."""
        limit, started = deadline or self._usual_deadline, time.monotonic()

        async def page(cursor: str | None) -> Mapping[str, Any]:
            left = None if limit.seconds is None else max(limit.seconds - (time.monotonic() - started), 0.001)
            request = kind(params=types.PaginatedRequestParams(cursor=cursor))
            return await self._ask(request, context, replace(limit, seconds=left))

        try:
            members, cut, _ = await all_pages(page, key, self.config.list_limits)
        except NotAList as error:
            raise CallError(None, f"server '{self.config.name}': {error}") from error
        except ProtocolError as error:
            if error.code == types.METHOD_NOT_FOUND:  # what it has no method for, it has none of
                return ()
            raise
        for reason in cut:
            _log.warning("server '%s': %s", self.config.name, reason)
            self.tell(ListCut(self.config.name, reason))
        return tuple(members)

    async def _at_home(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine in the home loop; the first to come makes its loop the home."""
        here = asyncio.get_running_loop()
        if self._home is None or (self._home.is_closed() and self.state is State.NEW):
            self._home = home_loop.HOMES.settle(here)
        if self._home is not here and self.state is State.CLOSED:
            raise closed(self.config.name)
        try:
            return await (make() if self._home is here else home_loop.across(self._home, make, self._what))
        except BaseException as error:
            without_requests(error)
            raise

    @property
    def _what(self) -> str:
        return f"the connection to server '{self.config.name}'"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.config, fingerprint(self.config, uuid4().hex), self._control_flow)

    def __repr__(self) -> str:
        return f"<Connection to {self.config!r}: {self.state.value}>"


UNPICKLED: Final[Unpickled[Connection]] = Unpickled()
"""One for the process, as the connections in it are."""


def _unpickle(config: Server, fingerprint: str, control_flow: ControlFlow) -> Connection:
    def make(home: asyncio.AbstractEventLoop) -> tuple[Connection, Close]:
        made = Connection(config, control_flow=control_flow, home=home)
        return made, made._sessions.close  # pyright: ignore[reportPrivateUsage]

    return UNPICKLED.connection(config, fingerprint, make)


def _guarded(emit: Emit | None, server: str) -> Emit:
    """What tells a listener of events, whatever the listener does. It holds no connection."""
    if emit is None:
        return unheard

    def tell(event: Event) -> None:
        try:
            emit(event)
        except Exception:
            _log.exception("a listener of server '%s' raised", server)

    return tell
