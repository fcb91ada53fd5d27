"""Objects of other libraries that a declaration is given: checked without importing the library they come from."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import isroutine
from typing import Final

from toolgraft.config.oauth import Bearer, OAuth, OAuthGrant
from toolgraft.config.takes import named
from toolgraft.errors import ConfigError

_CLIENT: Final = ("session", "call_tool", "list_tools", "read_resource")
_SERVERS: Final = (("mcp", "MCPServer"), ("mcp", "Server"))
_FASTMCP_SERVER: Final = 'Stdio("fastmcp", "run", "server.py"), or run it by its transport "http" and write Http(url)'

INSTEAD: Final[Mapping[tuple[str, str], str]] = {
    ("mcp", "MCPServer"): "InProcess(server)",
    ("mcp", "Server"): "InProcess(server)",
    ("mcp", "Client"): "Held(client) inside of its `async with`, or declare its server: Stdio, Http, Sse or InProcess",
    ("mcp", "ClientSession"): "declare its server: Stdio, Http, Sse or InProcess; or Custom(transport_factory)",
    ("mcp", "StdioServerParameters"): "Stdio(command, *args, env=..., cwd=...)",
    ("mcp", "SseServerParameters"): "Sse(url, headers=...)",
    ("mcp", "StreamableHttpParameters"): "Http(url, headers=...)",
    ("fastmcp", "FastMCP"): _FASTMCP_SERVER,
    ("fastmcp", "Client"): "declare its server: Stdio, Http or Sse; or enter an mcp.Client and write Held(client)",
    ("agents", "MCPServerStdio"): "Stdio(command, *args, env=..., cwd=...)",
    ("agents", "MCPServerSse"): "Sse(url, headers=...)",
    ("agents", "MCPServerStreamableHttp"): "Http(url, headers=...)",
    ("agents", "MCPServerManager"): "declare its servers: Stdio, Http or Sse",
    ("agents", "HostedMCPTool"): "it goes into the agent's tools, since the model's provider calls its server",
    (
        "langchain_mcp_adapters",
        "MultiServerMCPClient",
    ): "its connections as a dict, or Stdio, Http and Sse",
    ("toolgraft", "Toolbox"): "the servers that it was made of",
    ("toolgraft", "Graft"): "the servers that it was made of",
    ("toolgraft", "Grafted"): "its tools are the agent's already: tools=[*these, *others]",
    ("langchain_core", "BaseTool"): "a tool goes to the agent beside those of servers: [*my_tools, *tools]",
    ("agents", "FunctionTool"): "a tool goes to the agent beside those of servers: [*my_tools, *tools]",
}
"""By package and class: what to write in place of an object of it."""


def instead_of(value: object) -> str | None:
    """Return what to write in place of an object of another library, or None where it is not known here."""
    for each in type(value).__mro__:
        told = INSTEAD.get((each.__module__.partition(".")[0], each.__name__))
        if told is not None:
            return told
    return None


def auth(field: str, value: object) -> object:
    """Take what signs requests: a declaration of ours, or an `httpx2.Auth`, which is told by its flow.

    httpx2 is not imported for a declaration.
    """
    if value == "oauth":
        return OAuth()
    if isinstance(value, OAuthGrant | Bearer):
        return value
    kind = value if isinstance(value, type) else type(value)
    signs, name = hasattr(kind, "async_auth_flow"), kind.__name__
    if value is None or (signs and kind is not value and not _is_of(value, "httpx")):
        return value
    if _is_of(value, "httpx"):
        raise ConfigError(f"{field} is an httpx2.Auth, and this is of httpx, its forerunner: write httpx2.{name}(...)")
    if isinstance(value, tuple):
        raise ConfigError(f"{field} is an httpx2.Auth, not a tuple: write httpx2.BasicAuth(user, password)")
    if signs:
        raise ConfigError(f"{field} is an httpx2.Auth, not {named(value)}: make one of it, {name}(...)")
    if isinstance(value, type) and issubclass(value, OAuthGrant | Bearer):
        raise ConfigError(f"{field} is made of it, not {named(value)}: write {name}(...)")
    how = "OAuth() signs in, Bearer(token) takes a token that you have"
    raise ConfigError(f'{field} is "oauth", OAuth(...), Bearer(...) or an httpx2.Auth, not {named(value)}; {how}')


def client_maker(field: str, value: object) -> object:
    """Take what makes HTTP clients: a function, because a client that was closed cannot be used again."""
    made = value if isinstance(value, type) else None
    if value is not None and _is_of(value, "httpx"):
        raise ConfigError(f"{field} makes an httpx2.AsyncClient, and this is of httpx, its forerunner: import httpx2")
    if value is not None and not callable(value):
        remedy = f"write {field}=lambda **options: httpx2.AsyncClient(**options)"
        raise ConfigError(f"{field} is a function that makes a client, not {named(value)}: {remedy}")
    if made is not None and not hasattr(made, "aclose"):
        raise ConfigError(f"{field} makes an httpx2.AsyncClient, not a {made.__name__}")
    return value


def transport_maker(field: str, value: object) -> object:
    """Take what makes transports: a function, because a transport cannot be used twice."""
    if callable(value):
        return value
    told = instead_of(value)
    hint = f": write {told}" if told else f": write {field}=lambda: ..., since a transport cannot be used twice"
    raise ConfigError(f"{field} is a function that makes a transport, not {named(value)}{hint}")


def server_object(field: str, value: object) -> object:
    """Take a server of this process."""
    if not isinstance(value, type) and _is_one_of(value, _SERVERS):
        return value
    hint = f": write {value.__name__}(...)" if isinstance(value, type) and _is_one_of(value, _SERVERS) else ""
    if told := instead_of(value):
        hint = f" of the package {_package(value)}: write {told}"
    elif isroutine(value):
        hint = ": call what makes the server"
    wanted = "an mcp.server.MCPServer, or a low-level mcp.server.Server, that has been made"
    raise ConfigError(f"{field} is {wanted}, not {named(value)}{hint}")


def entered_client(field: str, value: object) -> object:
    """Take a client that somebody else has entered: an `mcp.Client`, or one that has its methods."""
    kind = type(value)
    if all(hasattr(kind, name) for name in _CLIENT) and not _is_of(value, "fastmcp"):
        return value
    told = "async with mcp.Client(...) as client, and Held(client)"
    if kind.__name__ == "ClientSession":
        told = f"a bare session cannot be lent; {INSTEAD['mcp', 'ClientSession']}, or {told}"
    elif not isinstance(value, type):
        told = instead_of(value) or told
    origin = f" of the package {_package(value)}" if instead_of(value) else ""
    raise ConfigError(f"{field} is an mcp.Client that has been entered, not {named(value)}{origin}: write {told}")


def _package(value: object) -> str:
    return type(value).__module__.partition(".")[0]


def _is_one_of(value: object, names: tuple[tuple[str, str], ...]) -> bool:
    kind = value if isinstance(value, type) else type(value)
    return any((each.__module__.partition(".")[0], each.__name__) in names for each in kind.__mro__)


def _is_of(value: object, package: str) -> bool:
    kind = value if isinstance(value, type) else type(value)
    return any(each.__module__.partition(".")[0] == package for each in kind.__mro__)
