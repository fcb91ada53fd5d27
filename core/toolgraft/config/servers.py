"""The servers that can be grafted, one frozen dataclass for each way to reach one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from inspect import Parameter, Signature
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, Unpack, get_args
from urllib.parse import urlsplit

from toolgraft.config import objects, wellformed
from toolgraft.config.options import CallContext, Headers
from toolgraft.config.redact import redact_command, redact_text, redact_url
from toolgraft.config.server import Server, ServerOptions
from toolgraft.errors import ConfigError

if TYPE_CHECKING:
    import ssl

    import httpx2
    from mcp import Client
    from mcp.client import Transport
    from mcp.server import MCPServer
    from mcp.server import Server as LowLevelServer

__all__ = ["AnyServer", "Custom", "Held", "Http", "InProcess", "Server", "ServerOptions", "Sse", "Stdio"]

StandardError: TypeAlias = Literal["log", "inherit", "discard"] | Path
"""Where a child's standard error goes: to the log, to ours, nowhere, or to a file."""

_PLAIN = re.compile(r"[\w@./\\][\w@./\\:+-]*\Z")  # neither an option, nor NAME=value, nor a line of code


class StdioOptions(ServerOptions, total=False):
    """The keyword arguments of `Stdio`."""

    args: Sequence[str]
    env: Mapping[str, str]
    inherit_env: bool | Sequence[str]
    cwd: str | Path | None
    stderr: StandardError


@dataclass(frozen=True, init=False, repr=False)
class Stdio(Server):
    """A server started as a child process, spoken to over its standard input and output.

    `Stdio("uvx", "mcp-server-git", name="git")`: the command and its arguments are never given to a shell.

    Attributes:
        command: The program.
        args: Its arguments.
        env: Variables on top of the base set (HOME, LOGNAME, PATH, SHELL, TERM, USER, or Windows' own).
        inherit_env: Names of further variables to pass on, or True for all of them.
        cwd: Working directory. In it, in `command` and in `stderr`, `~` is the home folder.
        stderr: Where its standard error goes: to the log (the default), to ours, nowhere, or to a file.
    """

    transport: ClassVar[str] = "stdio"

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    inherit_env: bool | Sequence[str] = False
    cwd: str | Path | None = None
    stderr: StandardError = "log"

    def __init__(
        self, command: str | PathLike[str], *arguments: str | PathLike[str], **options: Unpack[StdioOptions]
    ) -> None:
        given: dict[str, Any] = dict(options)
        given["command"] = command
        given["args"] = (*arguments, *wellformed.arguments("args", given.get("args", ())))
        for each in fields(self):
            if each.name in given:
                value = given.pop(each.name)
            elif each.default is not MISSING:
                value = each.default
            else:
                value = each.default_factory() if each.default_factory is not MISSING else None
            self._set(each.name, value)
        self.__post_init__()

    def __post_init__(self) -> None:
        self._set("command", wellformed.program(wellformed.argument("command", self.command)))
        self._set("args", wellformed.arguments("args", self.args))
        self._set("env", wellformed.environment("env", self.env))
        if not isinstance(self.inherit_env, bool):
            self._set("inherit_env", wellformed.names("inherit_env", self.inherit_env))
        if isinstance(self.stderr, Path):
            self._set("stderr", self.stderr.expanduser())
        else:
            wellformed.one_of("stderr", self.stderr, get_args(StandardError)[0])
        if self.cwd is not None:
            wellformed.kind("cwd", self.cwd, (str, PathLike), "a path")
            self._set("cwd", type(self.cwd)(wellformed.home(self.cwd)))
        super().__post_init__()

    @property
    def target(self) -> str:
        """The command line, with secret-looking values hidden."""
        return redact_command(self.command, self.args)

    def _derived_name(self) -> str:
        """The first argument that could be the server, as in `uvx mcp-server-git`, else the program."""
        plain = (arg for arg in self.args if _PLAIN.match(arg) and redact_text(arg) == arg)
        return Path(next(plain, self.command)).stem[:64] or "server"


@dataclass(frozen=True, repr=False)
class Remote(Server):
    """A server that is reached by its URL: what `Http` and `Sse` have in common. Make one of those."""

    url: str
    headers: Headers = field(default_factory=dict[str, str], kw_only=True, hash=False)
    auth: httpx2.Auth | None = field(default=None, kw_only=True)
    verify: bool | str | ssl.SSLContext = field(default=True, kw_only=True)
    cert: str | tuple[str, str] | None = field(default=None, kw_only=True)
    proxy: str | None = field(default=None, kw_only=True)
    http_client: Callable[..., httpx2.AsyncClient] | None = field(default=None, kw_only=True)
    identity: Callable[[CallContext], str] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        wellformed.url("url", self.url)
        if not callable(self.headers):
            self._set("headers", wellformed.headers("headers", self.headers))
        if self.proxy is not None:
            wellformed.proxy("proxy", self.proxy)
        objects.auth("auth", self.auth)
        objects.client_maker("http_client", self.http_client)
        if isinstance(self.verify, str):
            self._set("verify", wellformed.home(self.verify))
        if self.cert is not None:
            paths = (self.cert,) if isinstance(self.cert, str) else self.cert
            homes = tuple(map(wellformed.home, paths))
            self._set("cert", homes[0] if isinstance(self.cert, str) else homes)
        if self.identity is not None and not callable(self.identity):
            raise ConfigError(f"identity is a function of a CallContext, not a {type(self.identity).__name__}")
        super().__post_init__()

    @property
    def target(self) -> str:
        """The URL, without user info, query and fragment."""
        return redact_url(self.url)

    def _derived_name(self) -> str:
        return urlsplit(self.url).hostname or "server"


@dataclass(frozen=True, repr=False)
class Http(Remote):
    """A server reached by Streamable HTTP (MCP: transports).

    Attributes:
        url: Its endpoint.
        headers: Fixed headers, or a function of the `CallContext` that gives them for each request.
        auth: An `httpx2.Auth`, e.g. the SDK's OAuth provider.
        verify: False, a CA bundle's path, or an SSL context.
        cert: Client certificate: a path, or (certificate, key).
        proxy: Proxy URL.
        http_client: Makes the `httpx2.AsyncClient` in place of ours; called with the keyword arguments that
            ours would have had.
        identity: A key of the caller, e.g. the user's id: cookies and sessions of one are never used for another.
            Without it, callers are told apart by what the `headers` function gives them, but for headers that belong
            to one request, such as `X-Request-Id` and `traceparent`. Give it where tokens change often, since each
            new one counts as a new caller.
        max_sse_event_size: Bytes of one server-sent event; the result limit when None.
    """

    transport: ClassVar[str] = "http"

    max_sse_event_size: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True, repr=False)
class Sse(Remote):
    """A server reached by the deprecated HTTP+SSE transport.

    Attributes:
        url: Its endpoint.
        headers: Fixed headers, or a function of the `CallContext` that gives them for each request.
        auth: An `httpx2.Auth`, e.g. the SDK's OAuth provider.
        verify: False, a CA bundle's path, or an SSL context.
        cert: Client certificate: a path, or (certificate, key).
        proxy: Proxy URL.
        http_client: Makes the `httpx2.AsyncClient` in place of ours; called with the keyword arguments that
            ours would have had.
        identity: Gives a key for each caller, as in `Http`.
    """

    transport: ClassVar[str] = "sse"


@dataclass(frozen=True, repr=False)
class InProcess(Server):
    """A server object in this very process, for tests and for tools of your own.

    Attributes:
        server: An `mcp.server.MCPServer` or low-level `mcp.server.Server`.
    """

    transport: ClassVar[str] = "in process"

    server: MCPServer[Any] | LowLevelServer[Any]

    def __post_init__(self) -> None:
        objects.server_object("server", self.server)
        super().__post_init__()

    @property
    def target(self) -> str:
        """`in process`."""
        return self.transport

    def _derived_name(self) -> str:
        return self.server.name or "in-process"


@dataclass(frozen=True, repr=False)
class Custom(Server):
    """A server reached by a transport of your own.

    Attributes:
        transport_factory: Gives a new `mcp` transport (an async context manager of a read and a write stream)
            for each connection; a transport cannot be used twice.
    """

    transport: ClassVar[str] = "custom transport"

    transport_factory: Callable[[], Transport]

    def __post_init__(self) -> None:
        if not callable(self.transport_factory):
            raise ConfigError("transport_factory is a function that makes a transport, not a transport")
        super().__post_init__()

    @property
    def target(self) -> str:
        """`custom transport`."""
        return self.transport

    def _derived_name(self) -> str:
        return getattr(self.transport_factory, "__name__", "custom").strip("<>") or "custom"


@dataclass(frozen=True, repr=False)
class Held(Server):
    """A client that you have already entered. It is never closed and never reconnected by us.

    Attributes:
        client: The entered `mcp.Client`.
    """

    transport: ClassVar[str] = "held client"

    client: Client = field(hash=False)  # compared by its value, and has no hash

    def __post_init__(self) -> None:
        objects.entered_client("client", self.client)
        super().__post_init__()

    @property
    def target(self) -> str:
        """`held client`."""
        return self.transport

    def _derived_name(self) -> str:
        return "held"


def _signature(kind: type[Stdio]) -> Signature:
    """Tell all that `Stdio` takes, by name; what a type checker reads stands on its `__init__`."""
    words = Parameter("arguments", Parameter.VAR_POSITIONAL, annotation="str | PathLike[str]")
    command = Parameter("command", Parameter.POSITIONAL_OR_KEYWORD, annotation="str | PathLike[str]")
    named = [
        Parameter(
            each.name,
            Parameter.KEYWORD_ONLY,
            annotation=each.type,
            default={} if each.default is MISSING else each.default,
        )
        for each in fields(kind)
        if each.name not in ("command", "args")
    ]
    return Signature([command, words, *named])


Stdio.__signature__ = _signature(Stdio)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]

AnyServer: TypeAlias = Stdio | Http | Sse | InProcess | Custom | Held
