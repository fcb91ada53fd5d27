"""Which servers a command is about: a config file, or servers named on the command line."""

from __future__ import annotations

import getpass
import os
import re
import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from toolgraft.cli.consent import FLAG, agreed, still
from toolgraft.cli.terminal import remark
from toolgraft.cli.visible import one_line
from toolgraft.config import AnyServer, Http, Sse, Stdio
from toolgraft.config.documents.inputs import Input
from toolgraft.config.documents.loading import load
from toolgraft.config.redact import redact_text
from toolgraft.errors import ConfigError

USUAL: Final = ("mcp.json", ".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json")
"""Where a config file is looked for when none is named, in this order."""

ConfigArgument: TypeAlias = Annotated[
    Path | None,
    typer.Argument(metavar="CONFIG", help="An mcp.json, as Claude, Cursor or VS Code write it.", show_default=False),
]
ServerOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--server",
        metavar="SERVER",
        help="A server: a URL, 'stdio: COMMAND ARGS' or 'sse: URL'; NAME= in front gives it a name. May be repeated.",
        show_default=False,
    ),
]
StdioOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--stdio",
        metavar="COMMAND",
        help="A server to start, e.g. --stdio 'uvx mcp-server-git'. No shell is used. May be repeated.",
        show_default=False,
    ),
]
HttpOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--http", metavar="URL", help="A server to reach by Streamable HTTP. May be repeated.", show_default=False
    ),
]
VerboseOption: TypeAlias = Annotated[
    bool, typer.Option("--verbose", "-v", help="Tell more: reasons, and logs with what the servers write.")
]

TrustOption: TypeAlias = Annotated[
    bool, typer.Option(FLAG, help="Start the servers of a config file that was found here, without asking.")
]

_NAMED: Final = re.compile(r"(?P<name>[\w.-]+)=(?=https?://|stdio:|sse:)")
_MISNAMED: Final = re.compile(r"[\w.-]+=\S")


@dataclass(frozen=True, slots=True)
class Sources:
    """What the command line says about servers.

    Attributes:
        config: Path of a config file, or None.
        server: Values of `--server`.
        stdio: Values of `--stdio`.
        http: Values of `--http`.
        trust_found: Whether a config file that is found, not named, is used without asking.
    """

    config: Path | None = None
    server: Sequence[str] = ()
    stdio: Sequence[str] = ()
    http: Sequence[str] = ()
    trust_found: bool = False

    @property
    def given(self) -> bool:
        """Whether it says anything."""
        return bool(self.config or self.server or self.stdio or self.http)

    def servers(self) -> list[AnyServer]:
        """Return the servers; where nothing was said, those of the usual config file.

        Raises:
            ConfigError: There is none, one is wrong, or nobody agreed to a config file that was found.
        """
        loaded = self._of_file()
        declared = [
            *map(parse_server, self.server),
            *(_stdio(value, "--stdio", "") for value in self.stdio),
            *(_remote(Http, value, "--http", "") for value in self.http),
        ]
        return [*loaded, *_apart(declared, {server.name for server in loaded})]

    def _of_file(self) -> list[AnyServer]:
        if self.given:
            return _loaded(self.config) if self.config else []
        found = _usual_config()
        before = agreed(found, trusted=self.trust_found)
        servers = _loaded(found)
        still(found, before)
        return servers


def parse_server(value: str) -> AnyServer:
    """Read a value of `--server`. A bare word is never run.

    Raises:
        ConfigError: It is neither a URL nor marked as a command.
    """
    named = _NAMED.match(value)
    name = named["name"] if named else ""
    rest = value[named.end() :] if named else value
    kind, colon, target = rest.partition(":")
    if colon and kind == "stdio":
        return _stdio(target, "--server", name)
    if colon and kind == "sse":
        return _remote(Sse, target.strip(), "--server", name)
    if rest.startswith(("http://", "https://")):
        return _remote(Http, rest, "--server", name)
    name, mark, command = value.partition("=") if _MISNAMED.match(value) else ("", "", value)
    write = f"{name}{mark}stdio: {redact_text(command)}"
    message = f"'{redact_text(command)}' is no URL; write '{write}' if it is a command to start"
    raise ConfigError(message, where="--server")


def _stdio(value: str, where: str, name: str) -> AnyServer:
    try:
        words = shlex.split(value)
    except ValueError as error:
        raise ConfigError(f"the command cannot be split into words: {error}", where=where) from None
    if not words:
        raise ConfigError("the command is empty", where=where)
    return Stdio(*words, name=name)


def _remote(kind: type[Http | Sse], url: str, where: str, name: str) -> AnyServer:
    try:
        return kind(url, name=name)
    except ConfigError as error:
        raise ConfigError(str(error), where=where) from None


def _apart(servers: Iterable[AnyServer], taken: set[str]) -> list[AnyServer]:
    """Number servers that would have one name."""
    apart: list[AnyServer] = []
    for server in servers:
        numbered = (f"{server.name}-{number}" for number in count(2))
        name = server.name if server.name not in taken else next(each for each in numbered if each not in taken)
        taken.add(name)
        apart.append(server if name == server.name else replace(server, name=name))
    return apart


def _usual_config() -> Path:
    for name in USUAL:
        if Path(name).is_file():
            remark(f"servers of {name}")
            return Path(name)
    looked = ", ".join(USUAL)
    raise ConfigError(f"no servers: name a config file or use --stdio, --http or --server (looked for {looked})")


def _loaded(path: Path) -> list[AnyServer]:
    loaded = load(path, inputs=_ask if sys.stdin.isatty() else None)
    for name in loaded.disabled:
        remark(f"server '{name}' is disabled in {path}")
    if not loaded.servers:
        raise ConfigError("no server in it is enabled", where=str(path))
    return list(loaded.servers)


def _ask(wanted: Input) -> str:
    """Ask the person at the terminal for a value of the config file."""
    known = os.environ.get(wanted.variable)
    if known is not None:
        return known
    choice = f" ({', '.join(wanted.options)})" if wanted.options else ""
    default = f" [{wanted.default}]" if wanted.default and not wanted.password else ""
    prompt = one_line(f"{wanted.description or wanted.id}{choice}{default}") + ": "
    if wanted.password:
        return getpass.getpass(prompt) or wanted.default
    print(prompt, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().rstrip("\n") or wanted.default
