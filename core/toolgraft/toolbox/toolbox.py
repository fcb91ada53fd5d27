"""Many servers, one list of tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Self

from toolgraft.config.takes import named
from toolgraft.errors import ArgumentsError, ClosedError, ConfigError, ToolgraftError, UnknownToolError
from toolgraft.host_loop import require_asyncio
from toolgraft.options import Options
from toolgraft.toolbox.context import ServerContext
from toolgraft.toolbox.unentered import OF_A_TOOLBOX, Unentered

if TYPE_CHECKING:
    from toolgraft.config import AnyServer
    from toolgraft.connection.connection import Connection
    from toolgraft.plugins import PluginProblem
    from toolgraft.result import ToolResult
    from toolgraft.spec import Refusal, Renamed
    from toolgraft.toolbox.connections import Connections
    from toolgraft.tools.bound import BoundTool


class Toolbox(ServerContext, Unentered):
    """The tools of many servers, there between `async with` and its end.

    Attributes:
        servers: The declarations, by name.
        options: What holds for all of it.
    """

    _entering = "async with connect(...) as toolbox"
    _told = OF_A_TOOLBOX

    def __init__(
        self, servers: Sequence[AnyServer] | Callable[[], Sequence[AnyServer]], options: Options | None = None
    ) -> None:
        """Take the servers, or what reads them: then they are read on entering, in a thread of their own."""
        self._read = servers if callable(servers) else None
        self.servers: Mapping[str, AnyServer] = {} if callable(servers) else by_name(servers)
        self.options = options or Options()
        self._connections: Connections | None = None

    @property
    def tools(self) -> list[BoundTool]:
        """The tools that are served, as a list of your own."""
        return list(self._open.catalogue.tools)

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """Every tool that a server lists and that is not served, and why: a defect, a filter, a policy."""
        return self._open.catalogue.refused

    @property
    def renamed(self) -> tuple[Renamed, ...]:
        """Every tool that is served under another name than its server has for it, and why."""
        return self._open.catalogue.renamed

    @property
    def failures(self) -> Mapping[str, ToolgraftError]:
        """Server name to the error that ended its start. The other servers work; `refresh` tries again."""
        return self._connections.failures if self._connections is not None else {}

    @property
    def warnings(self) -> Mapping[str, tuple[str, ...]]:
        """What was odd, by server name: that its tool list does not end and was cut, that a rule stands for no tool."""
        return self._open.warnings()

    @property
    def plugin_problems(self) -> tuple[PluginProblem, ...]:
        """Installed plugins that were left out, and why."""
        return self._open.plugins.problems

    async def __aenter__(self) -> Self:
        import asyncio  # here, for a light import

        require_asyncio()
        self._require_unopened()
        make = await asyncio.to_thread(self._prepare)
        self._require_unopened()  # meanwhile
        self._connections = make()
        try:
            await self._connections.open()
        except BaseException:
            await self.close()
            raise
        return self

    def _require_unopened(self) -> None:
        if self._connections is not None and not self._connections.closed:
            raise ClosedError("the toolbox is open already")

    def _prepare(self) -> Callable[[], Connections]:
        """Do, in a thread, what reads files and would hold the loop up: load the MCP client, configs and plugins."""
        from toolgraft.connection.preload import preload
        from toolgraft.plugins import load_plugins
        from toolgraft.toolbox.connections import (
            Connections,  # here, so that `import toolgraft` does not load the MCP client
        )

        if self._read is not None:
            self.servers, self._read = by_name(self._read()), None
        preload(self.servers.values())
        plugins = load_plugins(self.options.plugins, discover=self.options.discover_plugins)
        return lambda: Connections(self.servers, self.options, plugins)

    def __enter__(self) -> NoReturn:
        raise TypeError(f"it lives in an event loop: {self._entering}; without one, `with graft(...)` of a framework")

    def __exit__(self, *raised: object) -> None:
        """Never reached."""

    async def __aexit__(self, *raised: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections. May be called from any task, loop and thread, and more than once."""
        if self._connections is not None and not self._connections.closed:
            await self._connections.close()

    async def refresh(self) -> None:
        """List every server anew, and try the failed ones again. May be called from any task, loop and thread.

        Raises:
            ServersRequiredError: A required server fails again.
            ClosedError: The toolbox is closed, or was closed meanwhile.
        """
        await self._open.refresh()

    def connection(self, server: str) -> Connection:
        """Return the connection to a server: its state, prompts and resources, also where it has no tools.

        Args:
            server: The name of its declaration.

        Raises:
            ConfigError: No server has that name, or it is not connected; `failures` says why.
        """
        found = self._open.connection(server)
        if found is None:
            failure = self.failures.get(server)
            known = ", ".join(self.servers) or "none"
            raise ConfigError(str(failure) if failure else f"no server is called '{server}'; there are: {known}")
        return found

    def owns(self, tool: BoundTool) -> bool:
        """Whether a tool is one of this toolbox's, also one that its server no longer lists."""
        return self._open.connection(tool.spec.ref.server) is tool.connection

    def find(self, name: str) -> BoundTool:
        """Find a tool by its public name, or by `server.tool` with the wire name.

        Raises:
            UnknownToolError: No such tool is served.
        """
        tools = self._open.catalogue.tools
        found = [tool for tool in tools if tool.spec.name == name] or [
            tool for tool in tools if str(tool.spec.ref) == name
        ]
        if len(found) == 1:
            return found[0]
        if found:  # server `a.b` with tool `c`, and server `a` with tool `b.c`
            names = " or ".join(tool.spec.name for tool in found)
            raise UnknownToolError(None, f"'{name[:100]}' may be a tool of either of two servers: call it {names}")
        import difflib  # here, for a light import

        close = difflib.get_close_matches(
            name, [each for tool in tools for each in (tool.spec.name, str(tool.spec.ref))]
        )
        hint = f"did you mean {' or '.join(close)}?" if close else f"{len(tools)} tools are served"
        raise UnknownToolError(None, f"no tool '{name[:100]}' is served; {hint}")

    async def call(self, name: str, arguments: Mapping[str, Any], *, timeout: float | None = None) -> ToolResult:
        """Call a tool by its public name or by `server.tool`.

        Args:
            name: See `find`.
            arguments: As a model would write them.
            timeout: Seconds for this call, before the server's own limit.

        Raises:
            CallError: The call failed; the subclass says how and whether it may have run.
        """
        tool = self.find(name)
        if not isinstance(arguments, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentsError(tool.spec.ref, [f"/: wanted a dict of arguments, got {named(arguments)}"])
        return await tool.call(arguments, timeout=timeout)

    def watch(self, changed: Callable[[], None]) -> None:
        """Have `changed` called, on the toolbox's event loop, after the list of tools has changed."""
        self._open.watch(changed)

    def _where_its_tools_are(self) -> str:
        if self._connections is None:
            return super()._where_its_tools_are()
        return "its tools are `toolbox.tools`, and one is called by `await toolbox.call(name, arguments)`"

    @property
    def _connected(self) -> Mapping[str, Connection]:
        return self._open.connected

    @property
    def _open(self) -> Connections:
        if self._connections is None or self._connections.closed:
            raise ClosedError("the toolbox is closed: use its tools inside the `with` that opened it")
        return self._connections

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # it holds connections, and frameworks copy lists of tools

    def __copy__(self) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (list(self.servers.values()), self.options)  # elsewhere, it is not open yet


def by_name(servers: Sequence[AnyServer]) -> dict[str, AnyServer]:
    """Bring servers under their names.

    Raises:
        ConfigError: Two have the same.
    """
    twins = [name for name, times in Counter(server.name for server in servers).items() if times > 1]
    if twins:
        raise ConfigError(f"two servers are called '{twins[0]}': give each a name of its own with name=")
    return {server.name: server for server in servers}
