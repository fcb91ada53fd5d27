"""A toolbox seen through one framework: the list of its own tools, kept as long as the `with` lasts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from inspect import isroutine
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar, Unpack

from toolgraft.config import AnyServer, load, takes
from toolgraft.config.misplaced import elsewhere
from toolgraft.config.objects import instead_of
from toolgraft.config.takes import named
from toolgraft.config.wellformed import chosen as chosen_of
from toolgraft.errors import ConfigError
from toolgraft.filters import Chosen, filters_of, is_pattern
from toolgraft.host_loop import in_a_loop, require_no_gevent
from toolgraft.options import GraftOptions, Options, options_of, tells_options
from toolgraft.toolbox.toolbox import Toolbox
from toolgraft.toolbox.unentered import OF_A_LIST, Unentered
from toolgraft.tools.framework import Approving, Steering

if TYPE_CHECKING:
    from toolgraft.toolbox.background import Background
    from toolgraft.tools.bound import BoundTool
    from toolgraft.tools.framework import Adapter

T = TypeVar("T")

_log: Final = logging.getLogger("toolgraft")

Source: TypeAlias = "AnyServer | str | Path | Mapping[str, Any]"
"""A server, the path of an `mcp.json`, or such a file's content as a dict."""


@tells_options()
def connect(*sources: Source, options: Options | None = None, **given: Unpack[GraftOptions]) -> Toolbox:
    """Make a toolbox of servers and config files; enter it with `async with`.

    Args:
        sources: Servers, paths of `mcp.json` files, or such files' content as dicts.
        options: What holds for all of it, at once.
        **given: The same one by one, see below; these win.

    Raises:
        ConfigError: A declaration or a config file is wrong. In an event loop, files are read on entering.
    """
    changed: dict[str, Any] = dict(given)
    made = options_of(changed)
    if options is not None:
        takes.kind(Options, "Options(...)")("options", options)
        made = replace(options, **changed)
    return Toolbox(declared(sources), made)


def declared(sources: Sequence[Source]) -> list[AnyServer] | Callable[[], list[AnyServer]]:
    """Bring sources to servers, or, where an event loop runs and there are files to read, to what reads them.

    To read a file, or to ask for the working folder, holds a loop up; guards against that raise an error.
    """
    if all(isinstance(source, AnyServer) for source in sources) or not in_a_loop():
        return servers_of(sources)
    for source in sources:
        if not isinstance(source, AnyServer | str | PathLike | Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(_no_source(source))
    return lambda: servers_of(sources)


def servers_of(sources: Sequence[Source]) -> list[AnyServer]:
    """Bring declarations, config files and config dicts to one list of servers, in their order."""
    servers: list[AnyServer] = []
    for source in sources:
        if isinstance(source, AnyServer):
            servers.append(source)
        elif isinstance(source, str | PathLike | Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            servers += load(source)
        else:
            raise ConfigError(_no_source(source))
    return servers


def _no_source(given: object) -> str:
    what = "a server, the path of a config file, or its content as a dict"
    if isinstance(given, type):
        return f"wanted {what}, not the class {given.__name__}: call it, {given.__name__}(...)"
    kind = named(given)
    if told := instead_of(given):
        return f"wanted {what}, not {kind}: write {told}"
    if isroutine(given):
        return f"wanted {what}, not {kind}: a tool of your own goes to the agent beside them, [*my_tools, *tools]"
    if hasattr(given, "__iter__"):
        return f"wanted {what}, not {kind}: give its members one by one, graft(*servers)"
    return f"wanted {what}, not {kind}"


def _steered(options: Options, adapter: object) -> Options:
    """The options, with the control flow and the approver of the adapter's framework where the caller names none."""
    steers = options.control_flow or (adapter.steers if isinstance(adapter, Steering) else None)
    approver = options.approver or (adapter.approver if isinstance(adapter, Approving) else None)
    return replace(options, control_flow=steers, approver=approver)


class Grafted(list[T], Generic[T]):
    """A framework's own tools, in an ordinary list that also knows its toolbox.

    Attributes:
        toolbox: Servers, failures, refused tools, and calls without the framework.
        followed: An agent follows its changes, or its user was told that none does.
    """

    def __init__(self, tools: Sequence[T], toolbox: Toolbox) -> None:
        super().__init__(tools)
        self.toolbox = toolbox
        self.followed = False

    def only(self, chosen: Chosen) -> list[T]:
        """Choose among the tools, e.g. for one of several agents: `tools.only(tagged("billing") | "search")`.

        Args:
            chosen: Names on the wire, `*` patterns and filters, or one filter.

        Returns:
            A list of its own, which does not change with this one.

        Raises:
            ConfigError: No tool that is served has a name that is in it.
        """
        filters = filters_of(chosen_of("only(...)", chosen))
        specs = {tool.spec.name: tool.spec for tool in self.toolbox.tools}
        wire_names = {spec.ref.tool for spec in specs.values()}
        for name in (name for each in filters for name in each.names):
            if not is_pattern(name) and name not in wire_names:
                known = ", ".join(sorted(wire_names)[:20]) or "none"
                raise ConfigError(f"no server has a tool {name!r} named in only(...) that is served; there are {known}")
        own = ((tool, specs.get(_name(tool) or "")) for tool in self)
        return [tool for tool, spec in own if spec is not None and any(each.keeps(spec) for each in filters)]

    if not TYPE_CHECKING:  # to a type checker, it has what a list has

        def __getattr__(self, name):
            raise elsewhere(self, name, OF_A_LIST)


class Graft(Unentered, Generic[T]):
    """Opens servers and gives their tools to one framework. Enter it once, by `async with` or by `with`."""

    _entering = "async with graft(...) as tools"

    def __init__(
        self, adapter: Adapter[T], sources: Sequence[Source], options: Options, *, followed_by: str = ""
    ) -> None:
        """Prepare; nothing is started.

        Args:
            adapter: Makes the framework's tools.
            sources: Servers, config files, or the content of such.
            options: What holds for all of it.
            followed_by: What an agent needs to follow a live list, where the framework copies the list.
        """
        self._adapter = adapter
        self._followed_by = followed_by
        self._toolbox = Toolbox(declared(sources), _steered(options, adapter))
        self._made: dict[BoundTool, T] = {}
        self._background: Background | None = None

    async def __aenter__(self) -> Grafted[T]:
        await self._toolbox.__aenter__()
        tools = Grafted(self._tools(), self._toolbox)
        if self._toolbox.options.live:
            self._toolbox.watch(lambda: self._changed(tools))
        return tools

    async def __aexit__(self, *raised: object) -> None:
        await self._toolbox.close()

    def __enter__(self) -> Grafted[T]:
        from toolgraft.toolbox.background import Background  # here, for a light import

        require_no_gevent()
        self._background = background = Background(self._leave)
        try:
            return background.call(self.__aenter__)
        except BaseException:
            self._leave()
            raise

    def __exit__(self, *raised: object) -> None:
        self._leave()

    def _leave(self) -> None:
        """Close what `__enter__` opened; in a fork it is the parent's to close."""
        background, self._background = self._background, None
        if background is None or background.inherited:
            return
        try:
            background.call(self._toolbox.close)
        finally:
            background.close()

    def _changed(self, tools: Grafted[T]) -> None:
        """Bring the list up to date; what its user put into it besides stays, and keeps its name."""
        before = list(self._made.values())
        own = [tool for tool in tools if not _is_in(tool, before)]
        names = {_name(tool) for tool in own} - {None}
        now = self._tools()
        for tool in now:
            if _name(tool) in names and not _is_in(tool, before):
                _log.warning(
                    "a new tool %r is left out of the live list, which has one of this name of your own", _name(tool)
                )
        tools[:] = [*(tool for tool in now if _name(tool) not in names), *own]
        if self._followed_by and not tools.followed:
            tools.followed = True  # said once
            _log.warning("a live list has changed, and agents made before do not see it: %s", self._followed_by)

    def _tools(self) -> list[T]:
        """The framework's tools; one that has not changed stays the same object."""
        made = self._made
        self._made = {tool: made.get(tool) or self._adapter.to_tool(tool) for tool in self._toolbox.tools}
        return list(self._made.values())


def _is_in(tool: object, tools: Sequence[object]) -> bool:
    return any(tool is each for each in tools)


def _name(tool: object) -> str | None:
    return getattr(tool, "name", None)
