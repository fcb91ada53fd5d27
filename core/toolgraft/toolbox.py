"""Many servers, one list of tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from toolgraft.errors import ClosedError, ConfigError, ServersRequiredError, ToolgraftError, UnknownToolError

if TYPE_CHECKING:
    from toolgraft.bound import BoundTool
    from toolgraft.config import AnyServer
    from toolgraft.connection import Event
    from toolgraft.plugins import PluginProblem
    from toolgraft.result import ToolResult
    from toolgraft.roster import Roster
    from toolgraft.schema import Strictness
    from toolgraft.spec import Refusal


@dataclass(frozen=True, slots=True)
class Options:
    """What holds for a whole toolbox. Each is a keyword argument of `connect` and `graft`.

    Attributes:
        strict: Which tools get an OpenAI strict schema: `"natural"` those that keep their shape, `"full"` nearly
            all, by encodings that are undone on the way back, False none.
        live: Keep the yielded list current in place when a server changes its tools. A tool that has changed is a
            new object there: what you have set on the old one (an approval, a timeout) is not set on it.
        plugins: Plugin objects or names of installed ones; these must load.
        discover_plugins: Whether installed plugins that nobody asked for take part.
        description_limit: Longest description given to the model, in characters; None gives them whole.
        at_once: How many servers are started at the same time.
        on_event: Told of what happens to connections. Called on the toolbox's event loop; it must return soon.
    """

    strict: Strictness = "natural"
    live: bool = False
    plugins: Sequence[object] = ()
    discover_plugins: bool = True
    description_limit: int | None = None
    at_once: int = 32
    on_event: Callable[[Event], None] | None = field(default=None, repr=False)


class Toolbox:
    """The tools of many servers, there between `async with` and its end.

    Attributes:
        servers: The declarations, by name.
        options: What holds for all of it.
        failures: Server name to the error that ended its start. The other servers work; `refresh` tries again.
    """

    def __init__(self, servers: Sequence[AnyServer], options: Options | None = None) -> None:
        twins = [name for name, times in Counter(server.name for server in servers).items() if times > 1]
        if twins:
            raise ConfigError(f"two servers are called '{twins[0]}': give each a name of its own with name=")
        self.servers: Mapping[str, AnyServer] = {server.name: server for server in servers}
        self.options = options or Options()
        self.failures: Mapping[str, ToolgraftError] = {}
        self._roster: Roster | None = None
        self._watchers: list[Callable[[], None]] = []

    @property
    def tools(self) -> list[BoundTool]:
        """The tools that are served, as a list of your own."""
        return list(self._open.catalogue.tools)

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """The tools that are not served, and why."""
        return self._open.catalogue.refused

    @property
    def plugin_problems(self) -> tuple[PluginProblem, ...]:
        """Installed plugins that were left out, and why."""
        return self._open.plugins.problems

    async def __aenter__(self) -> Self:
        from toolgraft.roster import Roster  # here, so that `import toolgraft` does not load the MCP client

        if self._roster is not None:
            raise ClosedError("the toolbox is open already")
        self._roster = Roster(self.options, self._recompile)
        try:
            await self._connect(self._roster)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections. May be called from any task, loop and thread, and more than once."""
        roster, self._roster = self._roster, None
        if roster is not None:
            await roster.close()

    async def refresh(self) -> None:
        """List every server anew, and try the failed ones again. May be called from any task, loop and thread.

        Raises:
            ServersRequiredError: A required server fails again.
            ClosedError: The toolbox is closed, or was closed meanwhile.
        """
        roster = self._open
        await roster.at_home(lambda: self._refresh(roster))

    def owns(self, tool: BoundTool) -> bool:
        """Whether a tool is one of this toolbox's, also one that its server no longer lists."""
        return self._open.connections().get(tool.spec.ref.server) is tool.connection

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
        return await self.find(name).call(arguments, timeout=timeout)

    def watch(self, changed: Callable[[], None]) -> None:
        """Have `changed` called, on the toolbox's event loop, after the list of tools has changed."""
        self._watchers.append(changed)

    @property
    def _open(self) -> Roster:
        if self._roster is None:
            raise ClosedError("the toolbox is closed: use its tools inside the `with` that opened it")
        return self._roster

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # it holds connections, and frameworks copy lists of tools

    def __copy__(self) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (list(self.servers.values()), self.options)  # elsewhere, it is not open yet

    async def _refresh(self, roster: Roster) -> None:
        await roster.relist()
        await self._connect(roster)

    async def _connect(self, roster: Roster) -> None:
        self.failures = await roster.open(self.servers.values())
        required = {name: error for name, error in self.failures.items() if self.servers[name].required}
        if required:
            raise ServersRequiredError(required)
        self._recompile()

    def _recompile(self) -> None:
        roster = self._open
        before = roster.catalogue
        roster.compile(self.servers)
        if roster.catalogue.tools != before.tools:
            for changed in self._watchers:
                changed()
