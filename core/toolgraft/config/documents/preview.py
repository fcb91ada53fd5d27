"""What a config file would start, reach and read, told from what is written in it: for a person who is to agree to it.

Nothing is expanded, no variable and no input is read, and nothing is left out of the text: what a person does not see,
they have not agreed to. All of it is ASCII, so that no letter passes for another and nothing steers the terminal.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlsplit

from toolgraft.config.documents.document import open_document
from toolgraft.config.documents.expand import Scope
from toolgraft.config.documents.inputs import Inputs
from toolgraft.config.documents.named_files import Contents, named_contents
from toolgraft.config.redact import redact_command, redact_text
from toolgraft.errors import ConfigError

_URL: Final = ("url", "httpUrl", "serverUrl")
_ENV_FILE: Final = ("envFile", "env_file")
_REFERENCE: Final = re.compile(r"(?<!\$)\$\{(?:env:)?([^}:]+)[^}]*\}")


@dataclass(frozen=True, repr=False)
class Told:
    """What is told of one server.

    Attributes:
        name: Its name.
        command: Program and arguments, empty for a server that is reached by URL.
        fields: What else stands in its entry, by field.
        notes: What follows from that, a sentence each: files that are read, variables that go to a host.
    """

    name: str
    command: tuple[str, ...]
    fields: Mapping[str, object]
    notes: tuple[str, ...]

    def lines(self, *, hide: bool) -> Iterator[str]:
        """Yield it line by line.

        Args:
            hide: Leave out what may be a secret; else all is told as it is written.
        """
        yield ascii_text(self.name)
        if self.command:
            words = redact_command(self.command[0], self.command[1:]) if hide else shlex.join(self.command)
            yield f"  starts: {ascii_text(words)}"
        for name, value in self.fields.items():
            label = "reaches" if name in _URL else ascii_text(name)
            yield f"  {label}: {_outline(value) if hide else _written(value)}"
        for note in self.notes:
            yield f"  {ascii_text(note)}"


@dataclass(frozen=True, repr=False)
class Preview:
    """What a config file would do.

    Attributes:
        path: The file, without links on the way.
        contents: What it holds, and the files that its servers name.
        servers: What is told of each server that is not switched off.
    """

    path: Path
    contents: Contents
    servers: tuple[Told, ...]

    def text(self, *, hide: bool) -> str:
        """Return all of it; see `Told.lines`."""
        return "\n".join(line for server in self.servers for line in server.lines(hide=hide))


def preview(path: Path, environ: Mapping[str, str]) -> Preview:
    """Tell what a config file would do, without doing any of it.

    Args:
        path: The file.
        environ: Environment variables; only to find an `envFile` whose path has one in it.

    Raises:
        ConfigError: It cannot be read, or has no servers in it.
    """
    document = open_document(path)
    scope = Scope(environ, Inputs({}, {}, {}), lambda: document.workspace)
    told: list[Told] = []
    entries: list[Mapping[str, Any]] = []
    env_files: list[Path] = []
    for name, raw, _ in document.entries():
        entry = cast("Mapping[str, Any]", raw) if isinstance(raw, Mapping) else {"": raw}
        if entry.get("disabled") is True or entry.get("enabled") is False:
            continue
        env_file = _env_file(entry, scope)
        env_files += [env_file] if env_file else []
        entries.append(entry)
        told.append(_told(name, entry, document.workspace, env_file))
    named = named_contents(entries, env_files, scope)
    written = json.dumps(document.root, default=str).encode()
    own = {str(path.resolve()): hashlib.sha256(written).hexdigest()}
    return Preview(path.resolve(), Contents({**own, **named.digests}, named.whole), tuple(told))


def ascii_text(text: str) -> str:
    """Return text in printable ASCII on one line; other characters are spelled out."""
    return text if text.isascii() and text.isprintable() else json.dumps(text)[1:-1].replace("\x7f", "\\u007f")


def _told(name: str, entry: Mapping[str, Any], workspace: Path, env_file: Path | None) -> Told:
    args = entry.get("args")
    listed = cast("list[object]", args) if isinstance(args, list) else []
    command = (str(entry["command"]), *map(str, listed)) if isinstance(entry.get("command"), str) else ()
    shown = ("command", "args") if command and (args is None or isinstance(args, list)) else ()
    fields = {key: value for key, value in entry.items() if key not in shown}
    return Told(name, command, fields, tuple(_notes(entry, workspace, env_file)))


def _notes(entry: Mapping[str, Any], workspace: Path, env_file: Path | None) -> Iterator[str]:
    read = sorted({found[1] for found in _REFERENCE.finditer(json.dumps(entry, default=str))})
    url = next((entry[name] for name in _URL if isinstance(entry.get(name), str)), None)
    if url is not None and read:
        yield f"sends to {_host(url)}: the values of {', '.join(read)}"
    elif read:
        yield f"gives to the program: the values of {', '.join(read)}"
    if entry.get("inherit_env") is True:
        yield "gives to the program: all environment variables"
    if env_file is not None:
        outside = "" if env_file.is_relative_to(workspace.resolve()) else f", which is OUTSIDE of {workspace}"
        yield f"reads the file {env_file}{outside}"


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2] or "the host of its URL"
    except ValueError:
        return "the host of its URL"


def _env_file(entry: Mapping[str, Any], scope: Scope) -> Path | None:
    named = next((entry[name] for name in _ENV_FILE if isinstance(entry.get(name), str)), None)
    if not named:
        return None
    try:
        return Path(os.path.realpath(scope.path(scope.expand(named, "envFile"))))
    except (ConfigError, OSError, ValueError):
        return Path(named)  # loading it says what is wrong with it


def _written(value: object) -> str:
    return ascii_text(value) if isinstance(value, str) else json.dumps(value, default=str)


def _outline(value: object) -> str:
    """Tell of a value what can be told without a secret: names of variables and headers, words that look harmless."""
    if isinstance(value, Mapping):
        return ", ".join(ascii_text(str(key)) for key in cast("Mapping[object, object]", value))
    if isinstance(value, list):
        return ascii_text(redact_command("", map(str, cast("list[object]", value))).strip())
    return ascii_text(redact_text(value if isinstance(value, str) else json.dumps(value, default=str)))
