"""Gathers what plugins add to a graft. pluggy finds and orders the hooks, this makes their answers typed and guarded.

A plugin that was asked for raises when it fails; one that was merely found is recorded, logged and left out.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pluggy

from toolgraft import hookspecs
from toolgraft.config.servers import Http, Server, Sse
from toolgraft.discovery import Found, adapter_names, found_plugins, load_adapter
from toolgraft.errors import PluginError
from toolgraft.policies import Policy
from toolgraft.result import AnyPart, Part

if TYPE_CHECKING:
    import httpx2

    from toolgraft.calls import Middleware

__all__ = ["PluginProblem", "Plugins", "adapter_names", "load_adapter", "load_plugins"]

T = TypeVar("T")

_log = logging.getLogger("toolgraft.plugins")
_MOST_PROBLEMS = 100


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
        self._problems: list[PluginProblem] = []
        for each in reversed(found):  # pluggy calls the one registered last first
            self._guard(each.name, "", lambda each=each: self._register_found(each))
        for name, plugin in reversed(self._asked.items()):
            self._guard(name, "", lambda name=name, plugin=plugin: self._register(name, plugin))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the plugins that take part, sorted."""
        return tuple(sorted(name for name, _ in self._manager.list_name_plugin()))

    @property
    def problems(self) -> tuple[PluginProblem, ...]:
        """What was left out so far, and why."""
        return tuple(self._problems)

    def policies(self, server: Server) -> tuple[Policy, ...]:
        """Return the policies of all plugins for a server.

        Raises:
            PluginError: A plugin that was asked for failed.
        """
        return self._gather("toolgraft_policies", server)

    def middleware(self, server: Server) -> tuple[Middleware, ...]:
        """Return the middleware of all plugins for a server, outermost first.

        Raises:
            PluginError: A plugin that was asked for failed.
        """
        return self._gather("toolgraft_middleware", server)

    def part(self, block: Mapping[str, Any]) -> AnyPart | None:
        """Return the first part a plugin makes of an unknown content block, or None.

        Never raises: the tool has run, and its result is not lost to a plugin. A failure is recorded and logged.
        """
        return self._first("toolgraft_part", _check_part, block=block)

    def auth(self, server: Server) -> httpx2.Auth | None:
        """Return the first auth a plugin has for a server; only asked for HTTP servers that were given none.

        Raises:
            PluginError: A plugin that was asked for failed.
        """
        if not isinstance(server, Http | Sse) or server.auth is not None:
            return None
        return self._first("toolgraft_auth", _check_auth, server=server)

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
            _check_hooks(self._manager, plugin)
        except TypeError:
            self._manager.unregister(plugin, name)
            raise

    def _gather(self, hook: str, server: Server) -> tuple[Any, ...]:
        answers = self._each(hook, _check_functions, server=server)
        return tuple(function for answer in answers for function in answer)

    def _first(self, hook: str, check: Callable[[object], T], **arguments: object) -> T | None:
        return next(iter(self._each(hook, check, **arguments)), None)

    def _each(self, hook: str, check: Callable[[object], T], **arguments: object) -> Iterable[T]:
        """Yield each plugin's checked answer. One plugin at a time, so that one cannot take the others with it."""
        caller: pluggy.HookCaller = getattr(self._manager.hook, hook)
        for implementation in reversed(caller.get_hookimpls()):
            given = [arguments[name] for name in implementation.argnames]

            def answer(function: Callable[..., object] = implementation.function, given: list[object] = given) -> Any:
                returned = function(*given)
                return None if returned is None else check(returned)

            checked = self._guard(implementation.plugin_name, hook, answer)
            if checked is not None:
                yield checked

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


def load_plugins(asked: Iterable[object] = (), *, discover: bool = True) -> Plugins:
    """Gather the plugins of one graft.

    Args:
        asked: Plugin objects or modules, or names of installed ones. They must load and work.
        discover: Whether installed plugins that nobody asked for take part too.

    Raises:
        PluginError: A plugin that was asked for does not load, or no installed one has the name.
    """
    wanted = list(asked)
    found = found_plugins() if discover or any(isinstance(each, str) for each in wanted) else ()
    chosen: dict[str, object] = {}
    for each in wanted:
        if isinstance(each, str):
            chosen[each] = _load(each, found)
        else:
            chosen[_name(each, {*chosen, *(known.name for known in found)})] = each
    return Plugins(chosen, [each for each in found if each.name not in chosen] if discover else ())


def _name(plugin: object, taken: Iterable[str]) -> str:
    """Return what an object is called in messages; two of one class get a number."""
    name = str(getattr(plugin, "__name__", None) or type(plugin).__name__)
    numbered = (f"{name}#{number}" for number in count(2))
    return name if name not in taken else next(each for each in numbered if each not in taken)


def _load(name: str, found: Sequence[Found]) -> object:
    for each in found:
        if each.name == name:
            try:
                return each.load()
            except (Exception, SystemExit) as error:
                raise PluginError(f"plugin '{name}' does not load: {type(error).__name__}: {error}") from error
    known = ", ".join(each.name for each in found) or "none"
    raise PluginError(f"no plugin '{name}' is installed; installed are: {known}")


def _check_hooks(manager: pluggy.PluginManager, plugin: object) -> None:
    callers = manager.get_hookcallers(plugin) or []
    if not callers:
        raise TypeError("it has no hooks; mark its functions with @toolgraft.hookspecs.hookimpl")
    for caller in callers:
        if not caller.has_spec():
            known = ", ".join(name for name in vars(hookspecs) if name.startswith("toolgraft_"))
            raise TypeError(f"there is no hook {caller.name}; the hooks are {known}")
        if any(each.wrapper or each.hookwrapper for each in caller.get_hookimpls() if each.plugin is plugin):
            raise TypeError(
                f"{caller.name} is a hook wrapper; each plugin is called on its own, so it would wrap nothing"
            )


def _check_functions(answer: object) -> tuple[Callable[..., Any], ...]:
    if not isinstance(answer, list | tuple):
        raise TypeError(f"it must return a list of functions, not {type(answer).__name__}")
    functions = tuple(cast("Sequence[object]", answer))
    for each in functions:
        if not callable(each):
            raise TypeError(f"it must return a list of functions, and there is {type(each).__name__} in it")
    return cast("tuple[Callable[..., Any], ...]", functions)


def _check_part(answer: object) -> AnyPart:
    if not isinstance(answer, Part):
        raise TypeError(f"it must return a part of toolgraft.result or None, not {type(answer).__name__}")
    return cast("AnyPart", answer)


def _check_auth(answer: object) -> httpx2.Auth:
    import httpx2  # here, because an answer is rare and the import is not light

    if not isinstance(answer, httpx2.Auth):
        raise TypeError(f"it must return an httpx2.Auth or None, not {type(answer).__name__}")
    return answer
