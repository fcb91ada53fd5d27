"""The servers that can be grafted, one frozen dataclass for each way to reach one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from inspect import Parameter, Signature
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, Unpack
from urllib.parse import urlsplit

from toolgraft.config import objects, takes, wellformed
from toolgraft.config.oauth import Bearer, OAuthGrant
from toolgraft.config.options import CallContext, Headers, StandardError
from toolgraft.config.redact import redact_command, redact_text, redact_url
from toolgraft.config.server import Server, ServerOptions
from toolgraft.config.takes import Take
from toolgraft.errors import ConfigError

if TYPE_CHECKING:
    import ssl
    from typing import Literal

    import httpx2
    from mcp import Client
    from mcp.client import Transport
    from mcp.server import MCPServer
    from mcp.server import Server as LowLevelServer

Auth: TypeAlias = "httpx2.Auth | OAuthGrant | Bearer | Literal['oauth'] | None"
"""What signs the requests to a server."""

__all__ = ["AnyServer", "Auth", "Custom", "Held", "Http", "InProcess", "Server", "ServerOptions", "Sse", "Stdio"]

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
    _takes: ClassVar[Mapping[str, Take]] = {
        "command": lambda field, value: wellformed.program(wellformed.argument(field, value)),
        "args": wellformed.arguments,
        "env": wellformed.environment,
        "inherit_env": takes.unless(lambda given: isinstance(given, bool), wellformed.names),
        "cwd": wellformed.folder,
        "stderr": wellformed.standard_error,
    }

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

    _takes: ClassVar[Mapping[str, Take]] = {
        "url": wellformed.url,
        "headers": takes.unless(callable, wellformed.headers),
        "auth": objects.auth,
        "verify": wellformed.trusted,
        "cert": wellformed.certificate,
        "proxy": wellformed.proxy,
        "http_client": objects.client_maker,
        "identity": takes.function("of a CallContext"),
    }

    url: str
    headers: Headers = field(default_factory=dict[str, str], kw_only=True, hash=False)
    auth: Auth = field(default=None, kw_only=True)
    verify: bool | str | ssl.SSLContext = field(default=True, kw_only=True)
    cert: str | tuple[str, str] | None = field(default=None, kw_only=True)
    proxy: str | None = field(default=None, kw_only=True)
    http_client: Callable[..., httpx2.AsyncClient] | None = field(default=None, kw_only=True)
    identity: Callable[[CallContext], str] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        given = () if callable(self.headers) else self.headers
        if self.auth is not None and "authorization" in {name.lower() for name in given}:
            raise ConfigError("headers has Authorization, and auth makes one: keep one of the two")

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
        auth: `OAuth()` or `"oauth"` to sign in; for a service, `ClientCredentials(...)`, `EnterpriseManaged(...)` or
            `WorkloadIdentity(...)`; `Bearer(...)` for a token that you have; or an `httpx2.Auth`.
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
    _takes: ClassVar[Mapping[str, Take]] = {
        "max_sse_event_size": takes.count("a number of bytes", least=1, none="the limit of a result")
    }

    max_sse_event_size: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True, repr=False)
class Sse(Remote):
    """A server reached by the deprecated HTTP+SSE transport.

    Attributes:
        url: Its endpoint.
        headers: Fixed headers, or a function of the `CallContext` that gives them for each request.
        auth: `OAuth()` or `"oauth"` to sign in; for a service, `ClientCredentials(...)`, `EnterpriseManaged(...)` or
            `WorkloadIdentity(...)`; `Bearer(...)` for a token that you have; or an `httpx2.Auth`.
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
    _takes: ClassVar[Mapping[str, Take]] = {"server": objects.server_object}

    server: MCPServer[Any] | LowLevelServer[Any]

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
    _takes: ClassVar[Mapping[str, Take]] = {"transport_factory": objects.transport_maker}

    transport_factory: Callable[[], Transport]

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
    _takes: ClassVar[Mapping[str, Take]] = {"client": objects.entered_client}

    client: Client = field(hash=False)  # compared by its value, and has no hash

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
