"""A toolbox seen through one framework: the list of its own tools, kept as long as the `with` lasts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypedDict, TypeVar

from toolgraft.config import AnyServer, load
from toolgraft.toolbox import Options, Toolbox

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolgraft.adapter import Adapter
    from toolgraft.bound import BoundTool
    from toolgraft.connection import Event
    from toolgraft.schema import Strictness

T = TypeVar("T")

Source: TypeAlias = "AnyServer | str | Path | Mapping[str, Any]"
"""A server, the path of an `mcp.json`, or such a file's content as a dict."""


class GraftOptions(TypedDict, total=False):
    """The keyword arguments that every framework's `graft` takes; see `toolgraft.Options`."""

    strict: Strictness
    live: bool
    plugins: Sequence[object]
    discover_plugins: bool
    description_limit: int | None
    at_once: int
    on_event: Callable[[Event], None] | None


def connect(*sources: Source, options: Options | None = None) -> Toolbox:
    """Make a toolbox of servers and config files; enter it with `async with`.

    Raises:
        ConfigError: A declaration or a config file is wrong.
    """
    return Toolbox(servers_of(sources), options)


def servers_of(sources: Sequence[Source]) -> list[AnyServer]:
    """Bring declarations, config files and config dicts to one list of servers, in their order."""
    servers: list[AnyServer] = []
    for source in sources:
        servers += [source] if isinstance(source, AnyServer) else load(source)
    return servers


class Grafted(list[T], Generic[T]):
    """A framework's own tools, in an ordinary list that also knows its toolbox.

    Attributes:
        toolbox: Servers, failures, refused tools, and calls without the framework.
    """

    def __init__(self, tools: Sequence[T], toolbox: Toolbox) -> None:
        super().__init__(tools)
        self.toolbox = toolbox


class Graft(Generic[T]):
    """Opens servers and gives their tools to one framework. Enter it once, by `async with` or by `with`."""

    def __init__(self, adapter: Adapter[T], sources: Sequence[Source], options: Options) -> None:
        self._adapter = adapter
        self._toolbox = Toolbox(servers_of(sources), options)
        self._made: dict[BoundTool, T] = {}
        self._stack: ExitStack | None = None

    async def __aenter__(self) -> Grafted[T]:
        await self._toolbox.__aenter__()
        tools = Grafted(self._tools(), self._toolbox)
        if self._toolbox.options.live:

            def changed() -> None:
                tools[:] = self._tools()

            self._toolbox.watch(changed)
        return tools

    async def __aexit__(self, *raised: object) -> None:
        await self._toolbox.close()

    def __enter__(self) -> Grafted[T]:
        from anyio.from_thread import start_blocking_portal  # here, for a light import

        from toolgraft.connection.processes import LIVING

        LIVING.guard()  # here: signals can only be caught from the main thread, and servers start in the portal's
        with ExitStack() as stack:
            portal = stack.enter_context(start_blocking_portal(name="toolgraft"))
            tools = portal.call(self.__aenter__)
            stack.callback(portal.call, self._toolbox.close)
            self._stack = stack.pop_all()
        return tools

    def __exit__(self, *raised: object) -> None:
        stack, self._stack = self._stack, None
        if stack is not None:
            stack.close()

    def _tools(self) -> list[T]:
        """The framework's tools; one that has not changed stays the same object."""
        made = self._made
        self._made = {tool: made.get(tool) or self._adapter.to_tool(tool) for tool in self._toolbox.tools}
        return list(self._made.values())
