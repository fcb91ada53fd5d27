"""Brings together the plugins that a user asks for and those that are installed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from toolgraft.errors import PluginError
from toolgraft.plugins.discovery import Found, found_plugins
from toolgraft.plugins.gather import Plugins


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
