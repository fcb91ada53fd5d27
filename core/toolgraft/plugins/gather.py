"""The plugins of one graft, asked one by one, so that none can take the others with it.

A plugin that was asked for raises when it fails; one that was merely found is recorded, logged and left out.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeVar

import pluggy

from toolgraft import hookspecs
from toolgraft.config.servers import AnyServer, Auth, Remote, Server
from toolgraft.errors import PluginError
from toolgraft.plugins.checks import check_auth, check_functions, check_hooks, check_part
from toolgraft.plugins.discovery import Found
from toolgraft.policies import Policy
from toolgraft.policies.policy import parted
from toolgraft.result import AnyPart
from toolgraft.spec import Refusal, ToolSpec

if TYPE_CHECKING:
    from toolgraft.calls import Middleware

T = TypeVar("T")

_log: Final = logging.getLogger("toolgraft.plugins")
_MOST_PROBLEMS: Final = 100


@dataclass(frozen=True, slots=True)
class PluginProblem:
    """A plugin, or one hook of it, that was left out.

    Attributes:
        plugin: Name of its entry point, or of the object that was handed in.
        hook: The hook that failed, or empty when the plugin as a whole did not load.
        reason: One sentence.
    """

    plugin: str
    hook: str
    reason: str

    def __str__(self) -> str:
        return f"plugin '{self.plugin}'{f', hook {self.hook}' if self.hook else ''}: {self.reason}"


class Plugins:
    """The plugins of one graft. Made by `load_plugins`.

    Answers come in the order in which plugins were asked for, then found ones by name; pluggy's `tryfirst` and
    `trylast` move one to the front or the back.
    """

    def __init__(self, asked: Mapping[str, object] | None = None, found: Sequence[Found] = ()) -> None:
        self._manager = pluggy.PluginManager("toolgraft")
        self._manager.add_hookspecs(hookspecs)
        self._asked = dict(asked or {})
        self._found = tuple(found)
        self._problems: list[PluginProblem] = []
        for each in reversed(self._found):  # pluggy calls the one registered last first
            self._guard(each.name, "", partial(self._register_found, each))
        for name, plugin in reversed(self._asked.items()):
            self._guard(name, "", partial(self._register, name, plugin))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the plugins that take part, sorted."""
        return tuple(sorted(name for name, _ in self._manager.list_name_plugin()))

    @property
    def problems(self) -> tuple[PluginProblem, ...]:
        """What was left out so far, and why."""
        return tuple(self._problems)

    def policies(self, server: Server) -> tuple[Policy, ...]:
        """Return the policies of all plugins for a server. They are guarded as the hooks are.

        Raises:
            PluginError: A plugin that was asked for failed; a policy of it raises the same when it is run.
        """
        answers = self._each("toolgraft_policies", check_functions, server=server)
        return tuple(partial(self._run, plugin, policy) for plugin, policies in answers for policy in policies)

    def middleware(self, server: Server) -> tuple[Middleware, ...]:
        """Return the middleware of all plugins for a server, outermost first.

        Raises:
            PluginError: A plugin that was asked for failed.
        """
        answers = self._each("toolgraft_middleware", check_functions, server=server)
        return tuple(layer for _, layers in answers for layer in layers)

    def part(self, block: Mapping[str, Any]) -> AnyPart | None:
        """Return the first part that a plugin makes of an unknown content block, or None.

        Never raises: the tool has run, and its result is not lost to a plugin. A failure is recorded and logged.
        """
        return next((part for _, part in self._each("toolgraft_part", check_part, block=block)), None)

    def auth(self, server: Server) -> Auth:
        """Return the first auth a plugin has for a server; only asked for HTTP servers that were given none.

        Raises:
            PluginError: A plugin that was asked for failed.
        """
        if not isinstance(server, Remote) or server.auth is not None:
            return None
        return next((auth for _, auth in self._each("toolgraft_auth", check_auth, server=server)), None)

    def with_auth(self, server: AnyServer) -> AnyServer:
        """Return the declaration with the auth that a plugin has for it, if any. Raises as `auth` does."""
        auth = self.auth(server)
        return replace(server, auth=auth) if auth is not None and isinstance(server, Remote) else server

    def _register_found(self, found: Found) -> None:
        plugin = found.load()
        if not any(plugin is each for each in self._asked.values()):
            self._register(found.name, plugin)

    def _register(self, name: str, plugin: object) -> None:
        if isinstance(plugin, type):
            raise TypeError(f"it is a class; hand in an instance, {plugin.__name__}()")
        if self._manager.has_plugin(name):
            raise ValueError("another installed package has a plugin of this name")
        if self._manager.is_registered(plugin):
            raise ValueError("it is there already, under another name")
        self._manager.register(plugin, name)
        try:
            check_hooks(self._manager, plugin)
        except TypeError:
            self._manager.unregister(plugin, name)
            raise

    def _each(self, hook: str, check: Callable[[object], T], **arguments: object) -> Iterator[tuple[str, T]]:
        """Yield the name and the checked answer of each plugin that has one."""
        caller: pluggy.HookCaller = getattr(self._manager.hook, hook)
        for implementation in reversed(caller.get_hookimpls()):
            given = [arguments[name] for name in implementation.argnames]
            ask = partial(_ask, partial(implementation.function, *given), check)
            answer = self._guard(implementation.plugin_name, hook, ask)
            if answer is not None:
                yield implementation.plugin_name, answer

    def _run(self, plugin: str, policy: Policy, specs: Sequence[ToolSpec]) -> Sequence[ToolSpec | Refusal]:
        given, name = tuple(specs), f"a policy of plugin '{plugin}'"
        parts = self._guard(plugin, "toolgraft_policies", lambda: parted(policy(given), given, name))
        return given if parts is None else (*parts[0], *parts[1])

    def _guard(self, plugin: str, hook: str, work: Callable[[], T]) -> T | None:
        try:
            return work()
        except (Exception, SystemExit) as error:  # a module that exits on import is no reason to end the program
            problem = PluginProblem(plugin, hook, f"{type(error).__name__}: {error}")
            if plugin in self._asked and hook != "toolgraft_part":
                raise PluginError(str(problem)) from error
            self._record(problem, error)
            return None

    def _record(self, problem: PluginProblem, error: BaseException) -> None:
        if problem not in self._problems and len(self._problems) < _MOST_PROBLEMS:
            self._problems.append(problem)
            _log.warning("%s; it is left out", problem, exc_info=error)

    def __reduce__(self) -> tuple[Callable[..., Plugins], tuple[object, ...]]:
        """Pickle as what the plugins were made of; a module goes by its name."""
        modules = {name: each.__name__ for name, each in self._asked.items() if isinstance(each, ModuleType)}
        objects = {name: None if name in modules else each for name, each in self._asked.items()}
        return _again, (objects, modules, self._found)


def _ask(hook: Callable[[], object], check: Callable[[object], T]) -> T | None:
    answer = hook()
    return None if answer is None else check(answer)


def _again(objects: Mapping[str, object], modules: Mapping[str, str], found: Sequence[Found]) -> Plugins:
    asked = {name: import_module(modules[name]) if name in modules else each for name, each in objects.items()}
    return Plugins(asked, found)
