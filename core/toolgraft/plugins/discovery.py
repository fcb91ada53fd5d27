"""What installed packages offer by entry point: plugins (`toolgraft`) and adapters (`toolgraft.adapters`)."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from toolgraft.errors import MissingExtraError, PluginError
from toolgraft.tools.framework import Adapter
from toolgraft.tools.scripted import RunApproved, RunScripted

PLUGINS = "toolgraft"
ADAPTERS = "toolgraft.adapters"


@dataclass(frozen=True, slots=True)
class Found:
    """One entry point of an installed distribution.

    Attributes:
        name: Its name.
        distribution: Name of the distribution that brings it.
        value: What it points to, as `module:attribute`.
    """

    name: str
    distribution: str
    value: str

    @property
    def module(self) -> str:
        """The module that it points into."""
        return self.value.partition(":")[0].strip()

    def load(self) -> Any:
        """Import and return the object."""
        from importlib.metadata import EntryPoint  # here, because it is not light and most imports never ask

        return EntryPoint(self.name, self.value, "").load()


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


def load_scripted(name: str) -> RunScripted[Any]:
    """Import and return the scripted run of an adapter: `run_scripted` in the module `scripted` beside it.

    Raises:
        MissingExtraError: A package that it needs is not installed.
        PluginError: There is no such adapter, or it has no scripted run.
    """
    return cast("RunScripted[Any]", _beside_adapter(name, "run_scripted", "scripted run"))


def load_approved(name: str) -> RunApproved[Any]:
    """Import and return the scripted run of an adapter that pauses for a yes: `run_approved`. Raises as the other."""
    return cast("RunApproved[Any]", _beside_adapter(name, "run_approved", "scripted run that pauses"))


def _beside_adapter(name: str, function: str, what: str) -> object:
    from importlib import import_module

    wanted = name.replace("-", "_")
    for each in _entry_points(ADAPTERS):
        if each.name.replace("-", "_") == wanted:
            try:
                return getattr(import_module(f"{each.module}.scripted"), function)
            except MissingExtraError:
                raise
            except (ImportError, AttributeError) as error:
                raise PluginError(f"adapter '{name}' has no {what}: {error}") from error
    raise PluginError(f"no adapter '{name}' is installed")


def _load_adapter(found: Found) -> Adapter[Any]:
    try:
        adapter = found.load()
    except MissingExtraError:
        raise
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == found.module.partition(".")[0]:
            raise PluginError(f"adapter '{found.name}' of {found.distribution} does not load: {error}") from error
        extra = found.name.replace("_", "-") if found.distribution == "toolgraft" else ""
        raise MissingExtraError(extra, package=found.distribution) from error
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        raise PluginError(f"adapter '{found.name}' of {found.distribution} does not load: {reason}") from error
    if isinstance(adapter, type) or not isinstance(adapter, Adapter):
        raise PluginError(f"adapter '{found.name}' of {found.distribution} is no toolgraft.adapter.Adapter instance")
    return adapter  # pyright: ignore[reportUnknownVariableType]


def _entry_points(group: str) -> tuple[Found, ...]:
    return _scanned(group, tuple(_state(folder) for folder in sys.path))


@lru_cache(maxsize=8)
def _scanned(group: str, _: tuple[tuple[str, int], ...]) -> tuple[Found, ...]:
    """Read the metadata of every installed distribution, once until something is installed or the path changes.

    It takes longer than all else that it takes to connect to a server.
    """
    from importlib.metadata import entry_points  # here, as above

    entries = entry_points(group=group)
    found = (Found(each.name, each.dist.name if each.dist else "an unknown package", each.value) for each in entries)
    return tuple(sorted(found, key=lambda each: (each.name, each.distribution)))


def _state(folder: str) -> tuple[str, int]:
    """A folder, and when something in it was last added or removed."""
    try:
        return folder, os.stat(folder or os.curdir).st_mtime_ns
    except OSError:
        return folder, 0
