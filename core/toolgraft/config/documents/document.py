"""A config file or dict as it is written: where it stands, and the entries of its servers."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from toolgraft.config.documents.expand import workspace_of
from toolgraft.config.documents.fields import closest, object_of, printable
from toolgraft.config.documents.jsonc import read_json, read_text
from toolgraft.config.documents.shapes import OTHERS, ROOTS, root_of, sections
from toolgraft.config.redact import redact_command, redact_text
from toolgraft.config.servers import Server
from toolgraft.errors import ConfigError

_WANTED = 'an object, {"mcpServers": …}'
_PROGRAMS = {".py": "sys.executable", ".js": '"node"', ".mjs": '"node"', ".ts": '"npx", "tsx"', ".sh": '"sh"'}
_NO_ENTRIES = ("inputs", "$schema")


@dataclass(frozen=True, repr=False)
class Document:
    """A config before anything in it is replaced.

    Attributes:
        file: The file, or None for a dict.
        where: What errors call it.
        root: The object that has the servers.
    """

    file: Path | None
    where: str
    root: Mapping[str, Any]

    @property
    def workspace(self) -> Path:
        """The folder that it speaks of."""
        return workspace_of(self.file)

    def entries(self) -> Iterator[tuple[str, object, str]]:
        """Yield name, entry and place of each server.

        Raises:
            ConfigError: There is no map of servers, or a name is in two of them.
        """
        return _entries(self.root, self.where)

    def slips(self) -> Iterator[str]:
        """Say which top-level keys are probably meant to be one of ours. Others are a host's own settings."""
        return _slips(self.root, self.where)


def open_document(source: str | os.PathLike[str] | Mapping[str, Any]) -> Document:
    """Read a config file, or take a dict of the same shape.

    Raises:
        ConfigError: It is no file, no JSON (or TOML, by its ending), or no object.
    """
    file = None if isinstance(source, Mapping) else _file(source)
    where = str(file) if file else "servers"
    return Document(file, where, root_of(object_of(_content(file) if file else source, _WANTED, where)))


def _file(source: str | os.PathLike[str]) -> Path:
    path = Path(source).expanduser()
    if (program := _PROGRAMS.get(path.suffix)) is not None:
        told = f'"{redact_text(str(source))}"'
        raise ConfigError(f"{told} is a program, not a config file; declare it as Stdio({program}, {told})")
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


def _content(file: Path) -> object:
    if file.suffix in (".yaml", ".yml"):
        remedy = "give its content as a dict, load(yaml.safe_load(text))"
        raise ConfigError(f"is YAML, which is not read here; {remedy}", where=str(file))
    if file.suffix != ".toml":
        return read_json(file)
    import tomllib  # here, because few configs are TOML

    try:
        return tomllib.loads(read_text(file))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"is no TOML: {error}", where=str(file)) from error


def _entries(root: Mapping[str, Any], where: str) -> Iterator[tuple[str, object, str]]:
    seen: dict[str, str] = {}
    for key, servers in sections(root, where) or [("", list(_bare(root, where).items()))]:
        for name, entry in servers:
            shown = printable(name, 128)
            place = f"{where}: {key}.{shown}" if key else f"{where}: {shown}"
            if name in seen:
                reason = f"a server of this name stands under '{seen[name]}' too; rename one"
                raise ConfigError(reason, where=place)
            seen[name] = key
            yield name, entry, place


def _bare(root: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    entries = {name: each for name, each in root.items() if name not in _NO_ENTRIES}
    slips = (f"; '{printable(name)}' looks like '{near}'" for name in entries if (near := _root_slip(name, entries)))
    slip = next(slips, "")
    if entries and not slip and all(isinstance(each, Mapping | Server) for each in entries.values()):
        return entries
    if "command" in root or "url" in root:
        slip = '; it is one server\'s entry: put it under a name, {"mcpServers": {"name": {…}}}'
    there = ", ".join(f"'{printable(name)}'" for name in islice(root, 5)) or "nothing"
    read = f"there is {there}{' …' if len(root) > 5 else ''}; read are also {OTHERS}"
    raise ConfigError(f"has no servers: neither 'mcpServers' nor 'servers' is there{slip}; {read}", where=where)


def _root_slip(name: str, entries: Mapping[str, Any]) -> str | None:
    entry = entries[name]
    is_server = isinstance(entry, Mapping) and ("command" in entry or "url" in entry)
    return None if is_server else closest(name, ROOTS)


def _slips(root: Mapping[str, Any], where: str) -> Iterator[str]:
    if not any(key in root for key in ROOTS):
        return
    for name in root:
        near = closest(name, (*ROOTS, *_NO_ENTRIES))
        if near is not None and name not in (*ROOTS, *_NO_ENTRIES):
            yield f"{where}: '{printable(name)}' is not known; did you mean '{near}'?"
