"""Reads servers from an `mcp.json`, as Claude, Cursor, VS Code and others write it."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from toolgraft.config.entry import Entry, read_entry
from toolgraft.config.expand import Scope, workspace_of
from toolgraft.config.fields import called, closest
from toolgraft.config.inputs import Inputs, InputSource, declared_inputs
from toolgraft.config.jsonc import read_json
from toolgraft.config.redact import redact_command
from toolgraft.config.servers import AnyServer
from toolgraft.errors import ConfigError

_log = logging.getLogger("toolgraft.config")
_ROOTS = ("mcpServers", "servers")
_NO_ENTRIES = ("inputs", "$schema")


@dataclass(frozen=True)
class Loaded:
    """What a config holds. Iterating gives the servers.

    Attributes:
        servers: The servers, in the file's order.
        disabled: Names of those that are switched off.
        warnings: What had no effect or was doubtful, a sentence each; they were logged too.
    """

    servers: tuple[AnyServer, ...]
    disabled: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[AnyServer]:
        return iter(self.servers)

    def __len__(self) -> int:
        return len(self.servers)


def load(
    source: str | os.PathLike[str] | Mapping[str, Any],
    *,
    inputs: InputSource | None = None,
    environ: Mapping[str, str] | None = None,
    workspace: str | os.PathLike[str] | None = None,
) -> Loaded:
    """Read servers from a config file, or from a dict of the same shape.

    Takes `{"mcpServers": {name: entry}}` (Claude, Cursor, Gemini, Windsurf …), VS Code's `{"servers": …, "inputs": …}`
    and a bare `{name: entry}`, with or without comments and trailing commas. `${VAR}`, `${VAR:-default}`, `${env:VAR}`,
    `${input:id}`, `${workspaceFolder}` and `${userHome}` are replaced in command, args, env, envFile, cwd, url and
    headers. Nothing is started or connected.

    Args:
        source: Path of the file, or its content. A string is never run as a command.
        inputs: Values for `${input:id}`: by id, or a function that asks for one. Else the environment variable
            `TOOLGRAFT_INPUT_<ID>` or the declared default is taken.
        environ: Environment variables for `${VAR}`; those of this process by default.
        workspace: The folder of `${workspaceFolder}` and relative paths; by default the file's own, or the one above
            where that is `.vscode` or the like.

    Raises:
        ConfigError: The file or an entry is wrong. It names file, server and field, and lists all faulty entries.
    """
    file = None if isinstance(source, Mapping) else _file(source)
    where = str(file) if file else "servers"
    root = _root(read_json(file) if file else source, where)
    environ = os.environ if environ is None else environ
    declared = declared_inputs(root["inputs"], f"{where}: inputs") if "inputs" in root else {}
    scope = Scope(environ, Inputs(declared, inputs, environ), Path(workspace) if workspace else workspace_of(file))
    read = _read_all(_entries(root, where), scope)
    loaded = Loaded(
        servers=tuple(entry.server for entry in read.values() if entry.server is not None),
        disabled=tuple(name for name, entry in read.items() if entry.server is None),
        warnings=tuple(_slips(root, where)) + tuple(each for entry in read.values() for each in entry.warnings),
    )
    if loaded.warnings:
        _log.warning("%s", "\n".join(loaded.warnings))
    return loaded


def _file(source: str | os.PathLike[str]) -> Path:
    path = Path(source).expanduser()
    try:
        if str(source) and path.exists():
            return path
    except (OSError, ValueError):  # too long for a path, or not one at all
        pass
    text = str(source).strip()
    shown = redact_command("", text.split()).strip()[:80]
    if text.startswith("{"):
        raise ConfigError("a string is the path of a config file; give its content as a dict: load(json.loads(text))")
    if text.startswith(("http://", "https://")):
        raise ConfigError(f"'{shown}' is a URL, not a config file; declare the server as Http(url)")
    if len(text.split()) > 1:
        example = 'Stdio("uvx", "mcp-server-git")'
        raise ConfigError(f"'{shown}' is not a file, and is never run; declare a command as {example}")
    raise ConfigError(f"there is no file '{shown}' (from {Path.cwd()})")


def _root(value: object, where: str) -> Mapping[str, Any]:
    """Return the object that has the servers: the whole, or VS Code's `mcp` settings in it."""
    if not isinstance(value, Mapping):
        raise ConfigError(f'must hold an object, {{"mcpServers": …}}, not {called(value)}', where=where)
    root = cast("Mapping[str, Any]", value)
    settings = root.get("mcp")
    if isinstance(settings, Mapping) and "servers" in settings and not any(key in root for key in _ROOTS):
        return cast("Mapping[str, Any]", settings)
    return root


def _entries(root: Mapping[str, Any], where: str) -> Iterator[tuple[str, object, str]]:
    """Yield name, entry and place of each server.

    Raises:
        ConfigError: There is no map of servers, or a name is in two of them.
    """
    sections: dict[str, object] = {key: root[key] for key in _ROOTS if key in root}
    if not sections:
        sections = {"": _bare(root, where)}
    seen: set[str] = set()
    for key, section in sections.items():
        if not isinstance(section, Mapping):
            raise ConfigError(f"must be an object of servers by name, not {called(section)}", where=f"{where}: {key}")
        for name, entry in cast("Mapping[str, object]", section).items():
            place = f"{where}: {key}.{name}" if key else f"{where}: {name}"
            if name in seen:
                raise ConfigError("a server of this name stands under 'mcpServers' too; rename one", where=place)
            seen.add(name)
            yield name, entry, place


def _bare(root: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    entries = {name: each for name, each in root.items() if name not in _NO_ENTRIES}
    slip = next((f"; '{name}' looks like '{near}'" for name in entries if (near := _root_slip(name, entries))), "")
    if entries and not slip and all(isinstance(each, Mapping) for each in entries.values()):
        return entries
    if "command" in root or "url" in root:
        slip = '; it is one server\'s entry: put it under a name, {"mcpServers": {"name": {…}}}'
    raise ConfigError(f"has no servers: neither 'mcpServers' nor 'servers' is there{slip}", where=where)


def _root_slip(name: str, entries: Mapping[str, Any]) -> str | None:
    entry = entries[name]
    is_server = isinstance(entry, Mapping) and ("command" in entry or "url" in entry)
    return None if is_server else closest(name, _ROOTS)


def _slips(root: Mapping[str, Any], where: str) -> Iterator[str]:
    """Say which top-level keys are probably meant to be one of ours. Others are a host's own settings."""
    if not any(key in root for key in _ROOTS):
        return
    for name in root:
        near = closest(name, (*_ROOTS, *_NO_ENTRIES))
        if near is not None and name not in (*_ROOTS, *_NO_ENTRIES):
            yield f"{where}: '{name[:80]}' is not known; did you mean '{near}'?"


def _read_all(entries: Iterable[tuple[str, object, str]], scope: Scope) -> dict[str, Entry]:
    read: dict[str, Entry] = {}
    faults: list[ConfigError] = []
    for name, raw, where in entries:
        try:
            read[name] = read_entry(name, raw, scope, where)
        except ConfigError as error:
            faults.append(error)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        lines = "".join(f"\n  - {error}" for error in faults)
        raise ConfigError(f"{len(faults)} entries are wrong:{lines}")
    return read
