"""The connection to one server, to be called from any task, loop and thread."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, Self, TypeVar, cast
from uuid import uuid4

import mcp_types as types

from toolgraft.calls import Call, Deadline
from toolgraft.config.options import CallContext
from toolgraft.config.servers import Server
from toolgraft.connection import loops
from toolgraft.connection.asking import ControlFlow, steers_nothing
from toolgraft.connection.calling import Caller, checked_arguments, checked_meta
from toolgraft.connection.elicitation import Questions
from toolgraft.connection.era import REMEMBERED, EraMemory
from toolgraft.connection.events import Emit, Event, ListCut
from toolgraft.connection.in_flight import InFlight
from toolgraft.connection.keeper import Keeper, closed
from toolgraft.connection.listing import Listing, NotAList, all_pages
from toolgraft.connection.ongoing import Ongoing
from toolgraft.connection.sessions import Sessions
from toolgraft.connection.state import State
from toolgraft.connection.unpickled import Close, Unpickled, fingerprint
from toolgraft.errors import CallError, ProtocolError

T = TypeVar("T")

_log: Final = logging.getLogger("toolgraft")


def _unheard(event: Event) -> None:
    """Nobody listens, as to sessions of single callers, which come and go."""


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
            control_flow: Which exceptions of the `elicit` function are how the host steers a run.
            home: The loop that it is to live in; None for the one that opens it.
        """
        self.config = config
        self._control_flow = control_flow
        in_flight = Ongoing()
        questions = Questions(config, in_flight, control_flow)
        memory = era or REMEMBERED
        self._emit = _guarded(emit, config.name)

        def keeper(who: CallContext, emit: Emit, *, watch: bool) -> Keeper:
            return Keeper(config, era=memory, emit=emit, elicit=questions.legacy, watch=watch, who=who)

        self._keeper = keeper(CallContext(config.name), self._emit, watch=watch)
        self._sessions = Sessions(self._keeper, lambda who: keeper(who, _unheard, watch=False))
        self._caller = Caller(self._sessions, questions, in_flight)
        self._home = home

    @property
    def state(self) -> State:
        """Where it stands."""
        return self._keeper.state

    @property
    def protocol_version(self) -> str | None:
        """The protocol version spoken, or None before it was opened."""
        link = self._keeper.link
        return link.told.version if link else None

    @property
    def server_info(self) -> Mapping[str, Any]:
        """What the server says of itself, as on the wire. For people only: it is a claim."""
        link = self._keeper.link
        return link.told.info if link else {}

    @property
    def instructions(self) -> str | None:
        """How the server says it is to be used."""
        link = self._keeper.link
        return link.told.instructions if link else None

    @property
    def pid(self) -> int | None:
        """The process id of a server that we started, or None."""
        link = self._keeper.link
        return link.child.pid if link and link.child else None

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
        await self._at_home(self._keeper.linked)

    async def close(self) -> None:
        """Leave the server; a process of ours ends. From any task, loop or thread, any number of times."""
        home = self._home
        if home is None or (home is not loops.running_loop() and not loops.HOMES.run(home)):
            self._keeper.abandon()  # whatever lived in that loop ended with it
            return
        if home is loops.running_loop():
            closing = home.create_task(self._sessions.close())
            await asyncio.shield(closing)
        else:
            await loops.across(home, self._sessions.close, self._what)

    async def list_tools(self, refresh: bool = False) -> Listing:
        """The tools by wire name, from memory while that holds, unless `refresh`.

        Raises:
            ConnectError: The server could not be reached, or its answer is no list.
            ClosedError: The connection is closed.
        """
        return await self._at_home(lambda: self._keeper.listing(refresh=refresh))

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
        """
        record = InFlight(call.context, call.ref, arguments=call.arguments, on_progress=call.on_progress)
        params = types.CallToolRequestParams(
            name=call.ref.tool,
            arguments=checked_arguments(record, call.arguments),
            _meta=cast("types.RequestParamsMeta", checked_meta(record, call.meta)) if call.meta else None,
        )
        request = types.CallToolRequest(params=params)
        repeatable = call.safety.repeatable
        if self._home is loops.running_loop():
            return await self._caller.request(request, record, call.deadline, repeatable=repeatable)
        return await self._at_home(lambda: self._caller.request(request, record, call.deadline, repeatable=repeatable))

    async def read_resource(self, uri: str, *, context: CallContext | None = None) -> Mapping[str, Any]:
        """A resource as it came over the wire (MCP: ReadResourceResult). Raises as `call` does.

        Args:
            uri: Its URI.
            context: Who reads, for headers made per call; None for nobody in particular.
        """
        return await self._ask(types.ReadResourceRequest(params=types.ReadResourceRequestParams(uri=uri)), context)

    async def get_prompt(self, name: str, arguments: Mapping[str, str] | None = None) -> Mapping[str, Any]:
        """A prompt as it came over the wire (MCP: GetPromptResult). Raises as `call` does."""
        params = types.GetPromptRequestParams(name=name, arguments=dict(arguments or {}))
        return await self._ask(types.GetPromptRequest(params=params))

    async def list_prompts(self) -> tuple[Mapping[str, Any], ...]:
        """Every prompt, as on the wire. Raises as `call` does."""
        return await self._everything("prompts", types.ListPromptsRequest)

    async def list_resources(self) -> tuple[Mapping[str, Any], ...]:
        """Every resource, as on the wire. Raises as `call` does."""
        return await self._everything("resources", types.ListResourcesRequest)

    async def list_resource_templates(self) -> tuple[Mapping[str, Any], ...]:
        """Every resource template, as on the wire. Raises as `call` does."""
        return await self._everything("resourceTemplates", types.ListResourceTemplatesRequest)

    def wait(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine in the home loop and block this thread until it is done.

        One that was never opened has no home yet: it gets a loop in a thread of its own.

        Raises:
            ClosedError: The home loop is gone, or is run by this very thread.
        """
        if self.state is State.CLOSED:
            raise closed(self.config.name)
        if self._home is None:
            self._home = loops.loop_of_its_own(self._what)
        return loops.wait(self._home, make, self._what)

    async def _ask(self, request: types.Request[Any, Any], context: CallContext | None = None) -> Mapping[str, Any]:
        limit = Deadline(self.config.timeout, f"{type(self.config).__name__}(timeout=...)")
        record = InFlight(context or CallContext(self.config.name))
        return await self._at_home(lambda: self._caller.request(request, record, limit, repeatable=True))

    async def _everything(
        self, key: str, kind: Callable[..., types.PaginatedRequest[Any]]
    ) -> tuple[Mapping[str, Any], ...]:
        async def page(cursor: str | None) -> Mapping[str, Any]:
            return await self._ask(kind(params=types.PaginatedRequestParams(cursor=cursor)))

        try:
            members, cut, _ = await all_pages(page, key)
        except NotAList as error:
            raise CallError(None, f"server '{self.config.name}': {error}") from error
        except ProtocolError as error:
            if error.code == types.METHOD_NOT_FOUND:  # what it has no method for, it has none of
                return ()
            raise
        for reason in cut:
            _log.warning("server '%s': %s", self.config.name, reason)
            self._emit(ListCut(self.config.name, reason))
        return tuple(cast("Mapping[str, Any]", each) for each in members if isinstance(each, dict))

    async def _at_home(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine in the home loop; the first to come makes its loop the home."""
        here = asyncio.get_running_loop()
        if self._home is None or (self._home.is_closed() and self.state is State.NEW):
            self._home = loops.HOMES.settle(here)
        if self._home is here:
            return await make()
        if self.state is State.CLOSED:
            raise closed(self.config.name)
        return await loops.across(self._home, make, self._what)

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
        return _unheard

    def tell(event: Event) -> None:
        try:
            emit(event)
        except Exception:
            _log.exception("a listener of server '%s' raised", server)

    return tell
