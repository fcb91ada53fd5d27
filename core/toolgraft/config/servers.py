"""The servers that can be grafted, one frozen dataclass for each way to reach one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Unpack

from toolgraft.config.options import Checks, Elicit, Era, Headers, Limits, OnError, OutputCheck
from toolgraft.config.redact import redact_command, redact_url
from toolgraft.errors import ConfigError

if TYPE_CHECKING:
    import ssl

    import httpx2
    from mcp import Client
    from mcp.client import Transport
    from mcp.server import MCPServer
    from mcp.server import Server as LowLevelServer


@dataclass(frozen=True, kw_only=True, repr=False)
class Server:
    """What any server may be told.

    Attributes:
        name: What it is called in names, errors and logs; taken from the target when left out.
        required: Whether `graft` raises when it fails, instead of going on with the others.
        trust: Whether its hints are believed. Untrusted hints can only tighten, never loosen.
        only: Wire names or `*` patterns of the tools to serve; empty means all.
        without: Wire names or `*` patterns of tools not to serve.
        prefix: True gives public names `mcp__<server>__<tool>`, a string gives `<string>_<tool>`.
        timeout: Seconds for one call, all input rounds together, or None for no limit. A person's time is
            not counted.
        tool_timeouts: The same by wire name, before `timeout`.
        connect_timeout: Seconds for starting, handshake and first tool list.
        era: Protocol to speak; `"auto"` probes and remembers.
        bind: Arguments the model does not see and cannot set, by name; they are added to each call of a
            tool that takes them. A value may be a function of the `CallContext`.
        errors: Whether failed calls go to the model (the default) or are raised.
        checks: What is done with arguments before a call.
        limits: How much of a result is taken and shown.
        tool_limits: The same by wire name, before `limits`.
        output_check: What happens to a result that misses its output schema.
        repeatable: Wire names or `*` patterns of tools that may be sent again after a lost answer, by your word.
        elicit: Asks a person when the server needs input; None declines and does not offer it.
        follow_links: How many linked resources of one result are read and put in its place; 0 leaves links.
        client_info: Name and version to introduce ourselves with.
    """

    name: str = ""
    required: bool = False
    trust: bool = False
    only: Sequence[str] = ()
    without: Sequence[str] = ()
    prefix: bool | str = False
    timeout: float | None = 300.0
    tool_timeouts: Mapping[str, float | None] = field(default_factory=dict[str, "float | None"])
    connect_timeout: float = 60.0
    era: Era = "auto"
    bind: Mapping[str, Any] = field(default_factory=dict[str, Any])
    errors: OnError = "model"
    checks: Checks = Checks()
    limits: Limits = Limits()
    tool_limits: Mapping[str, Limits] = field(default_factory=dict[str, Limits])
    output_check: OutputCheck = "warn"
    repeatable: Sequence[str] = ()
    elicit: Elicit | None = None
    follow_links: int = 0
    client_info: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        for listing in ("only", "without", "repeatable"):
            value = getattr(self, listing)
            if isinstance(value, str):
                raise ConfigError(f"{listing} is a list of names, not a string: write {listing}=[{value!r}]")
            object.__setattr__(self, listing, tuple(value))
        if self.connect_timeout <= 0 or (self.timeout is not None and self.timeout <= 0):
            raise ConfigError("timeout and connect_timeout are seconds above 0; None lifts the call limit")
        object.__setattr__(self, "name", self.name or self._derived_name())

    @property
    def target(self) -> str:
        """The command or URL, without secrets."""
        raise NotImplementedError

    def _derived_name(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.target!r}, name={self.name!r})"


class ServerOptions(TypedDict, total=False):
    """The fields of `Server`, for signatures that pass them on."""

    name: str
    required: bool
    trust: bool
    only: Sequence[str]
    without: Sequence[str]
    prefix: bool | str
    timeout: float | None
    tool_timeouts: Mapping[str, float | None]
    connect_timeout: float
    era: Era
    bind: Mapping[str, Any]
    errors: OnError
    checks: Checks
    limits: Limits
    tool_limits: Mapping[str, Limits]
    output_check: OutputCheck
    repeatable: Sequence[str]
    elicit: Elicit | None
    follow_links: int
    client_info: tuple[str, str] | None


class StdioOptions(ServerOptions, total=False):
    """The keyword arguments of `Stdio`."""

    args: Sequence[str]
    env: Mapping[str, str]
    inherit_env: bool | Sequence[str]
    cwd: str | Path | None
    stderr: Literal["log", "inherit", "discard"] | Path


@dataclass(frozen=True, init=False, repr=False)
class Stdio(Server):
    """A server started as a child process, spoken to over its standard input and output.

    `Stdio("uvx", "mcp-server-git", name="git")`: the command and its arguments are never given to a shell.

    Attributes:
        command: The program.
        args: Its arguments.
        env: Variables on top of the base set (HOME, LOGNAME, PATH, SHELL, TERM, USER, or Windows' own).
        inherit_env: Names of further variables to pass on, or True for all of them.
        cwd: Working directory.
        stderr: Where its standard error goes: to the log (the default), to ours, nowhere, or to a file.
    """

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    inherit_env: bool | Sequence[str] = False
    cwd: str | Path | None = None
    stderr: Literal["log", "inherit", "discard"] | Path = "log"

    def __init__(self, command: str, *arguments: str, **options: Unpack[StdioOptions]) -> None:
        given: dict[str, Any] = dict(options)
        given["command"] = command
        given["args"] = (*arguments, *given.get("args", ()))
        for each in fields(self):
            if each.name in given:
                value = given.pop(each.name)
            elif each.default is not MISSING:
                value = each.default
            else:
                value = each.default_factory() if each.default_factory is not MISSING else None
            object.__setattr__(self, each.name, value)
        if given:
            raise TypeError(f"Stdio() got an unexpected keyword argument {next(iter(given))!r}")
        self.__post_init__()

    def __post_init__(self) -> None:
        if not self.command or any(space in self.command for space in "\n\0"):
            raise ConfigError("command is empty or not a program's name")
        super().__post_init__()

    @property
    def target(self) -> str:
        """The command line, with secret-looking values hidden."""
        return redact_command(self.command, self.args)

    def _derived_name(self) -> str:
        last = next((arg for arg in self.args if not arg.startswith("-")), self.command)
        return Path(last).stem or "server"


@dataclass(frozen=True, repr=False)
class _Remote(Server):
    url: str
    headers: Headers = field(default_factory=dict[str, str], kw_only=True)
    auth: httpx2.Auth | None = field(default=None, kw_only=True)
    verify: bool | str | ssl.SSLContext = field(default=True, kw_only=True)
    cert: str | tuple[str, str] | None = field(default=None, kw_only=True)
    proxy: str | None = field(default=None, kw_only=True)
    http_client: Callable[..., httpx2.AsyncClient] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise ConfigError(f"url must begin with http:// or https://, not {redact_url(self.url)[:40]!r}")
        super().__post_init__()

    @property
    def target(self) -> str:
        """The URL, without user info, query and fragment."""
        return redact_url(self.url)

    def _derived_name(self) -> str:
        return redact_url(self.url).split("//", 1)[-1].split("/", 1)[0].split(":", 1)[0] or "server"


@dataclass(frozen=True, repr=False)
class Http(_Remote):
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
        max_sse_event_size: Bytes of one server-sent event; the result limit when None.
    """

    max_sse_event_size: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True, repr=False)
class Sse(_Remote):
    """A server reached by the deprecated HTTP+SSE transport. Fields as in `Http`."""


@dataclass(frozen=True, repr=False)
class InProcess(Server):
    """A server object in this very process, for tests and for tools of your own.

    Attributes:
        server: An `mcp.server.MCPServer` or low-level `mcp.server.Server`.
    """

    server: MCPServer[Any] | LowLevelServer[Any]

    @property
    def target(self) -> str:
        """`in process`."""
        return "in process"

    def _derived_name(self) -> str:
        return self.server.name


@dataclass(frozen=True, repr=False)
class Custom(Server):
    """A server reached by a transport of your own.

    Attributes:
        transport_factory: Gives a new `mcp` transport (an async context manager of a read and a write stream)
            for each connection; a transport cannot be used twice.
    """

    transport_factory: Callable[[], Transport]

    @property
    def target(self) -> str:
        """`custom transport`."""
        return "custom transport"

    def _derived_name(self) -> str:
        return getattr(self.transport_factory, "__name__", "custom").strip("<>") or "custom"


@dataclass(frozen=True, repr=False)
class Held(Server):
    """A client that you have already entered. It is never closed and never reconnected by us.

    Attributes:
        client: The entered `mcp.Client`.
    """

    client: Client

    @property
    def target(self) -> str:
        """`held client`."""
        return "held client"

    def _derived_name(self) -> str:
        return "held"


AnyServer: TypeAlias = Stdio | Http | Sse | InProcess | Custom | Held
