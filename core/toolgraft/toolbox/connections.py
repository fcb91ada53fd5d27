"""The connections behind a toolbox: opened side by side, closed side by side, listed into one catalogue."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from anyio import CancelScope

from toolgraft.approval import Gate
from toolgraft.connection import Event, ListChanged, Listed, Listing, Reconnected, Refused, ToolRenamed
from toolgraft.connection.connection import Connection
from toolgraft.connection.loops import home_loop
from toolgraft.connection.wire.control_flow import steers_nothing
from toolgraft.errors import ClosedError, ServersRequiredError, ToolgraftError
from toolgraft.plugins import Plugins
from toolgraft.policies.filter import require_named
from toolgraft.toolbox.catalogue import Catalogue, Member, compile_catalogue, policies_for, take_up
from toolgraft.tools.once import Once
from toolgraft.tools.route import Route
from toolgraft.tools.visibility import Visibility

if TYPE_CHECKING:
    from toolgraft.config import AnyServer, Server
    from toolgraft.options import Options
    from toolgraft.spec import ToolSpec

_log: Final = logging.getLogger("toolgraft")


class Connections:
    """The servers of one toolbox that are connected, and the catalogue of their tools. Lives in one event loop.

    Attributes:
        catalogue: The tools served now; replaced as a whole.
        failures: Server name to the error that ended its start.
        plugins: The plugins of this toolbox.
        closed: Nothing is connected any more.
    """

    def __init__(self, servers: Mapping[str, AnyServer], options: Options, plugins: Plugins) -> None:
        self.catalogue = Catalogue()
        self.failures: Mapping[str, ToolgraftError] = {}
        self.plugins = plugins
        self.closed = False
        self._servers = servers
        self._options = options
        self._watchers: list[Callable[[], None]] = []
        self._members: dict[str, Member] = {}
        self._connections: set[Connection] = set()
        self._home = home_loop.HOMES.settle(asyncio.get_running_loop())
        self._turn = asyncio.Lock()
        self._gate = asyncio.Semaphore(max(options.at_once, 1))
        self._relisting: set[asyncio.Task[None]] = set()
        self._told: set[str] = set()

    async def open(self) -> None:
        """Connect the servers that are not connected yet, and serve their tools.

        Raises:
            ServersRequiredError: A required server fails.
            ClosedError: It was closed meanwhile.
            ConfigError: A rule names a tool that its server, or for the whole no server, lists.
        """
        async with self._turn:  # or two at once would each start the same server
            failures: dict[str, ToolgraftError] = {}
            missing = [server for name, server in self._servers.items() if name not in self._members]
            await _side_by_side([self._join(server, failures) for server in missing])
        self._require_open()
        if not self._servers:
            _log.warning("no servers were given, so that there are no tools")
        self.failures = {server.name: failures[server.name] for server in missing if server.name in failures}
        required = {name: error for name, error in self.failures.items() if self._servers[name].required}
        if required:
            raise ServersRequiredError(required)
        if self.failures and not self._members:
            _log.warning("none of the servers could be reached, so that there are no tools; see toolbox.failures")
        if not self.failures:  # else one of those may list it
            require_named(self._options.approve, (member.listing for member in self._members.values()))
        self._compile()

    async def refresh(self) -> None:
        """List every connected server anew, and try the others again. Raises as `open` does."""
        await self._at_home(self._refresh)

    def watch(self, changed: Callable[[], None]) -> None:
        """Have `changed` called, in the home loop, after the list of tools has changed."""
        self._watchers.append(changed)

    def connection(self, name: str) -> Connection | None:
        """The open connection to a server, or None."""
        member = self._members.get(name)
        return member.route.connection if member is not None else None

    @property
    def connected(self) -> dict[str, Connection]:
        """The open connections, by server name, in the order of the declarations."""
        return {name: self._members[name].route.connection for name in self._servers if name in self._members}

    def warnings(self) -> dict[str, tuple[str, ...]]:
        """What was odd about servers' lists and rules, by server name; only servers of which something was."""
        alike = self.catalogue.look_alikes
        told = {
            name: (*member.listing.warnings, *member.odd, *alike.get(name, ()))
            for name, member in self._members.items()
        }
        return {name: warnings for name, warnings in told.items() if warnings}

    async def close(self) -> None:
        """Close all connections at once; none is left behind, whatever one of them raises, or is still opening."""
        self.closed = True
        self._members = {}
        closing = self._at_home(self._close) if home_loop.HOMES.run(self._home) else self._close()
        await _to_the_end(closing)

    async def _close(self) -> None:
        if self._home is home_loop.running_loop():  # else they ended with it
            for task in self._relisting:
                task.cancel()
        await _side_by_side([connection.close() for connection in self._connections])

    async def _at_home(self, make: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a coroutine in the loop that this lives in, whichever loop asks.

        Raises:
            ClosedError: That loop has ended.
        """
        if self._home is home_loop.running_loop():
            await make()
        else:
            await home_loop.across(self._home, make, "the toolbox")

    async def _refresh(self) -> None:
        await _side_by_side([self._relist(name) for name in self._members])
        await self.open()

    def _compile(self) -> None:
        """Make the catalogue anew from what the servers list, in the order of their declaration."""
        before = self.catalogue
        members = [self._members[name] for name in self._servers if name in self._members]
        self.catalogue = compile_catalogue(members, self._options, before)
        self._tell_decisions(before, members)
        if self.catalogue.tools != before.tools:
            for changed in self._watchers:
                changed()

    def _tell_decisions(self, before: Catalogue, members: Sequence[Member]) -> None:
        """Tell those who listen what was decided on the lists since; what no list can have was told by its reader."""
        now = self.catalogue
        for member in members:
            name, tell = member.route.server.name, member.route.connection.tell
            told = {*before.refused, *member.listing.refused}
            for refusal in now.refused:
                if refusal.ref.server == name and refusal not in told:
                    tell(Refused(name, refusal))
            for renamed in now.renamed:
                if renamed.ref.server == name and renamed not in before.renamed:
                    tell(ToolRenamed(name, renamed))
            served = _wire_names(now, name)
            if name not in self._told or served != _wire_names(before, name):
                self._told.add(name)
                tell(Listed(name, served))

    async def _join(self, server: AnyServer, failures: dict[str, ToolgraftError]) -> None:
        async with self._gate:
            self._require_open()
            ready = self.plugins.with_auth(server)
            layers = (*self.plugins.middleware(ready), *self._options.middleware)  # may raise
            policies = policies_for(ready, self.plugins.policies(ready), self._options)
            connection = Connection(
                ready,
                emit=self._heard,
                watch=self._options.live,
                control_flow=self._options.control_flow or steers_nothing,
            )
            self._connections.add(connection)
            try:
                listing = await self._listed(connection, failures)
                if listing is not None and not self.closed:
                    visibility = self._visibility(ready, connection)
                    innermost = (self._gate_of(ready, connection), Once())
                    route = Route(ready, connection, layers, self.plugins.part, innermost, visibility)
                    self._members[server.name] = member = take_up(route, policies, listing)
                    for odd in member.odd:
                        _log.warning("%s", odd)
            finally:
                if server.name not in self._members:
                    await connection.close()
                    self._connections.discard(connection)

    def _gate_of(self, server: Server, connection: Connection) -> Gate:
        """The gate before the calls of one server."""

        def current(tool: str) -> ToolSpec | None:
            member = self._members.get(server.name)
            served = member.judged.served if member is not None else ()
            return next((spec for spec in served if spec.ref.tool == tool), None)

        options, steers = self._options, self._options.control_flow or steers_nothing
        return Gate(server, options.approve, options.approver, current, steers, connection.tell)

    def _visibility(self, server: Server, connection: Connection) -> Visibility:
        rules = (server.visible, self._options.visible)
        steers = self._options.control_flow or steers_nothing
        return Visibility(tuple(rule for rule in rules if rule is not None), steers, connection.tell)

    async def _listed(self, connection: Connection, failures: dict[str, ToolgraftError]) -> Listing | None:
        try:
            await connection.open()
            return await connection.list_tools()
        except ToolgraftError as error:
            if not self.closed:
                _log.warning("%s", error)
                failures[connection.config.name] = error
            return None

    def _require_open(self) -> None:
        if self.closed:
            raise ClosedError("the toolbox was closed while its servers were started")

    async def _relist(self, name: str, *, refresh: bool = True) -> bool:
        """Take up what a server lists now, if it can be had and suits the filters; what it had stays else.

        One server's list must not keep those of the others from being taken up.
        """
        try:
            listing = await self._members[name].route.connection.list_tools(refresh=refresh)
            if (member := self._members.get(name)) is None:  # closed meanwhile
                return False
            taken = take_up(member.route, member.policies, listing, member.known)
        except ToolgraftError as error:
            if not self.closed:
                _log.warning("the tool list of server '%s' stays as it was: %s", name, error)
            return False
        self._members[name] = taken
        return True

    def _heard(self, event: Event) -> None:
        if isinstance(event, ListChanged | Reconnected) and event.server in self._members:
            task = self._home.create_task(self._take_up(event.server))
            self._relisting.add(task)
            task.add_done_callback(self._relisting.discard)
        if self._options.on_event is not None:
            self._options.on_event(event)

    async def _take_up(self, name: str) -> None:
        """Serve what a server lists now; the connection has re-listed already, so that this costs no request."""
        try:
            if name in self._members and await self._relist(name, refresh=False):
                self._compile()
        except Exception:
            _log.exception("the changed tool list of server '%s' could not be served", name)


def _wire_names(catalogue: Catalogue, server: str) -> tuple[str, ...]:
    return tuple(tool.spec.ref.tool for tool in catalogue.tools if tool.spec.ref.server == server)


async def _side_by_side(work: Sequence[Coroutine[Any, Any, object]]) -> None:
    """Run all, wait for all, then raise the first error; cancelled, it cancels all and waits for them."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    except asyncio.CancelledError:
        for task in tasks:
            task.cancel()
        with CancelScope(shield=True):  # a cancelled scope of anyio interrupts every wait
            await asyncio.gather(*tasks, return_exceptions=True)
        raise
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome


async def _to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Run all of it, also when this is cancelled meanwhile: what is left half closed stays behind as a process."""
    task = asyncio.ensure_future(work)
    with CancelScope(shield=True):
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])  # a second cancellation is taken at its word
            raise
