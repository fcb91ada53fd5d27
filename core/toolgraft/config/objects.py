"""Objects of other libraries that a declaration is given: checked without importing the library they come from."""

from __future__ import annotations

from toolgraft.errors import ConfigError

_CLIENT = ("session", "call_tool", "list_tools", "read_resource")


def auth(field: str, value: object) -> None:
    """Check what signs requests: an `httpx2.Auth`, told by its flow, since httpx2 is not imported for a declaration."""
    if value is None or (hasattr(value, "async_auth_flow") and not _is_of(value, "httpx")):
        return
    name = (value if isinstance(value, type) else type(value)).__name__
    if _is_of(value, "httpx"):
        raise ConfigError(f"{field} is an httpx2.Auth, and this is of httpx, its forerunner: write httpx2.{name}(...)")
    if isinstance(value, tuple):
        raise ConfigError(f"{field} is an httpx2.Auth, not a tuple: write httpx2.BasicAuth(user, password)")
    token = 'a token goes into headers={"Authorization": "Bearer ..."}'
    raise ConfigError(f"{field} is an httpx2.Auth, not a {name}; {token}")


def client_maker(field: str, value: object) -> None:
    """Check what makes HTTP clients: a function, because a client that was closed cannot be used again."""
    if value is None:
        return
    if _is_of(value, "httpx"):
        raise ConfigError(f"{field} makes an httpx2.AsyncClient, and this is of httpx, its forerunner: import httpx2")
    if not callable(value):
        remedy = f"write {field}=lambda **options: httpx2.AsyncClient(**options)"
        raise ConfigError(f"{field} is a function that makes a client, not a {type(value).__name__}: {remedy}")


def server_object(field: str, value: object) -> None:
    """Check a server of this process."""
    wanted = f"{field} is an mcp.server.MCPServer, or a low-level mcp.server.Server, that has been made"
    if isinstance(value, type):
        raise ConfigError(f"{wanted}, not the class {value.__name__}: write {value.__name__}(...)")
    if _is_of(value, "fastmcp") and not hasattr(value, "create_initialization_options"):
        instead = 'Stdio("fastmcp", "run", "server.py"), or run it by its transport "http" and write Http(url)'
        raise ConfigError(f"{wanted}, not a {type(value).__name__} of the package fastmcp: write {instead}")
    if not hasattr(value, "name"):
        raise ConfigError(f"{wanted}, not {'None' if value is None else f'a {type(value).__name__}'}")


def entered_client(field: str, value: object) -> None:
    """Check a client that somebody else has entered: an `mcp.Client`, or one that has its methods."""
    kind = type(value)
    if all(hasattr(kind, name) for name in _CLIENT) and not _is_of(value, "fastmcp"):
        return
    name = value.__name__ if isinstance(value, type) else type(value).__name__
    instead = "write async with mcp.Client(...) as client, and Held(client)"
    if _is_of(value, "fastmcp"):
        instead = f"a client of fastmcp cannot be lent; declare its server as Stdio, Http or InProcess, or {instead}"
    elif name == "ClientSession":
        instead = f"a bare session cannot be lent; declare its server, Custom(transport_factory), or {instead}"
    raise ConfigError(f"{field} is an mcp.Client that has been entered, not a {name}: {instead}")


def _is_of(value: object, package: str) -> bool:
    kind = value if isinstance(value, type) else type(value)
    return any(each.__module__.partition(".")[0] == package for each in kind.__mro__)
