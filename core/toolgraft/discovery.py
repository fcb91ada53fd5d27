"""What installed packages offer by entry point: plugins (`toolgraft`) and adapters (`toolgraft.adapters`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toolgraft.adapter import Adapter
from toolgraft.errors import MissingExtraError, PluginError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PLUGINS = "toolgraft"
ADAPTERS = "toolgraft.adapters"


@dataclass(frozen=True, slots=True)
class Found:
    """One entry point of an installed distribution.

    Attributes:
        name: Its name.
        distribution: Name of the distribution that brings it.
        module: The module that it points into.
        load: Imports and returns the object.
    """

    name: str
    distribution: str
    module: str
    load: Callable[[], Any] = field(repr=False, compare=False)


def found_plugins() -> tuple[Found, ...]:
    """Return the installed plugins, by name. Nothing is imported yet."""
    return _entry_points(PLUGINS)


def adapter_names() -> tuple[str, ...]:
    """Return the names of all registered adapters, sorted, whether or not their frameworks are installed."""
    return tuple(dict.fromkeys(each.name for each in _entry_points(ADAPTERS)))


def load_adapter(name: str) -> Adapter[Any]:
    """Import and return the adapter of a framework; only this one is imported.

    Args:
        name: Entry-point name, e.g. `langchain`; `-` and `_` are the same.

    Raises:
        MissingExtraError: A package that the adapter needs is not installed.
        PluginError: There is no such adapter, it does not load, or it is not an `Adapter`.
    """
    wanted = name.replace("-", "_")
    for each in _entry_points(ADAPTERS):
        if each.name.replace("-", "_") == wanted:
            return _load_adapter(each)
    raise PluginError(f"no adapter '{name}' is installed; installed are: {', '.join(adapter_names()) or 'none'}")


def _load_adapter(found: Found) -> Adapter[Any]:
    try:
        adapter = found.load()
    except MissingExtraError:
        raise
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == found.module.partition(".")[0]:
            raise PluginError(f"adapter '{found.name}' of {found.distribution} does not load: {error}") from error
        raise MissingExtraError(found.name.replace("_", "-"), package=found.distribution) from error
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        raise PluginError(f"adapter '{found.name}' of {found.distribution} does not load: {reason}") from error
    if isinstance(adapter, type) or not isinstance(adapter, Adapter):
        raise PluginError(f"adapter '{found.name}' of {found.distribution} is no toolgraft.adapter.Adapter instance")
    return adapter  # pyright: ignore[reportUnknownVariableType]


def _entry_points(group: str) -> tuple[Found, ...]:
    from importlib.metadata import entry_points  # here, because it is not light and most imports never ask

    found = (_found(each) for each in entry_points(group=group))
    return tuple(sorted(found, key=lambda each: (each.name, each.distribution)))


def _found(entry: EntryPoint) -> Found:
    distribution = entry.dist.name if entry.dist else "an unknown package"
    return Found(entry.name, distribution, entry.module, entry.load)
