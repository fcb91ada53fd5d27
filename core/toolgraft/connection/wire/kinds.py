"""From a server's declaration to what opens it: the one place that asks for the kind of a server."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toolgraft.config.servers import Custom, Held, Http, InProcess, Remote, Server, Sse, Stdio
from toolgraft.connection.wire.bounds import Bounds
from toolgraft.connection.wire.custom import custom
from toolgraft.connection.wire.http.identities import Identities
from toolgraft.connection.wire.http.sse import sse
from toolgraft.connection.wire.http.streamable_http import streamable_http
from toolgraft.connection.wire.in_process import in_process
from toolgraft.connection.wire.probed import probed
from toolgraft.connection.wire.stdio.child import Child
from toolgraft.connection.wire.stdio.stdio import stdio

if TYPE_CHECKING:
    from mcp import Client

    from toolgraft.config.options import CallContext
    from toolgraft.connection.wire.opener import Opener, Streams


def opener(config: Server, who: CallContext) -> Opener:
    """What opens one connection to a server.

    Args:
        config: Its declaration.
        who: Whom it is opened for.
    """
    match config:
        case Stdio():
            return _Process(config, Child(config))
        case Http():
            return _StreamableHttp(config, who)
        case Sse():
            return _Sse(config, who)
        case InProcess():
            return _InProcess(config)
        case Custom():
            return _Custom(config)
        case Held():
            return _Held(config)
        case _:
            raise TypeError(f"no way to reach {type(config).__name__}")


def identities(config: Server) -> Identities | None:
    """Tells the callers of a server apart, where they are apart on the wire."""
    if not isinstance(config, Remote):
        return None
    known = Identities(config)
    return None if known.alike else known


@dataclass(frozen=True, slots=True)
class _Way:
    """What most ways have in common: nothing to add."""

    @property
    def mirrors_headers(self) -> bool:
        return False

    @property
    def child(self) -> Child | None:
        return None

    @property
    def held(self) -> Client | None:
        return None

    def explain(self, cause: BaseException) -> str | None:
        return None


@dataclass(frozen=True, slots=True)
class _Process(_Way):
    config: Stdio
    process: Child

    @property
    def child(self) -> Child:
        return self.process

    def open(self) -> AbstractAsyncContextManager[Streams]:
        return stdio(self.config, self.process, Bounds.of(self.config))

    def explain(self, cause: BaseException) -> str | None:
        if isinstance(cause, PermissionError):
            return f"not allowed to run it: {cause.filename or cause}"
        if not isinstance(cause, FileNotFoundError | NotADirectoryError):
            return None
        if self.config.cwd is not None and not Path(self.config.cwd).is_dir():
            return f"no such folder: {self.config.cwd} (cwd)"
        program, *more = self.config.command.split(" ", 1)  # what follows may hold a secret
        apart = f"; give a command and its arguments apart: Stdio({program!r}, ...)" if more else ""
        return f"no such command: {program!r} is not on the PATH of the server{apart}"


@dataclass(frozen=True, slots=True)
class _StreamableHttp(_Way):
    config: Http
    who: CallContext

    @property
    def mirrors_headers(self) -> bool:
        return True

    def open(self) -> AbstractAsyncContextManager[Streams]:
        return streamable_http(self.config, self.who, Bounds.of(self.config))


@dataclass(frozen=True, slots=True)
class _Sse(_Way):
    config: Sse
    who: CallContext

    def open(self) -> AbstractAsyncContextManager[Streams]:
        return probed(sse(self.config, self.who, Bounds.of(self.config)), self.config.connect_timeout)


@dataclass(frozen=True, slots=True)
class _InProcess(_Way):
    config: InProcess

    def open(self) -> AbstractAsyncContextManager[Streams]:
        return in_process(self.config.server)


@dataclass(frozen=True, slots=True)
class _Custom(_Way):
    config: Custom

    def open(self) -> AbstractAsyncContextManager[Streams]:
        return probed(custom(self.config), self.config.connect_timeout)


@dataclass(frozen=True, slots=True)
class _Held(_Way):
    config: Held

    @property
    def held(self) -> Client:
        return self.config.client

    def open(self) -> AbstractAsyncContextManager[Streams]:
        raise TypeError("a held client is open already")

    def explain(self, cause: BaseException) -> str | None:
        return f"{cause}: lend it inside of its own `async with`" if isinstance(cause, RuntimeError) else None
