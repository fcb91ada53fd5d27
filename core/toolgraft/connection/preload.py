"""Loads what connections stand on, before one opens: modules are files, and reading them would hold the loop up."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from toolgraft.config.oauth import OAuthGrant
from toolgraft.config.servers import Remote, Server


def preload(servers: Iterable[Server]) -> None:
    """Load the MCP client, and for servers that are reached by URL the HTTP client. To be called off the loop."""
    servers = tuple(servers)
    import_module("toolgraft.connection.wire.kinds")
    if any(isinstance(server, Remote) and _sealed(server) for server in servers):
        import_module("toolgraft.oauth.store.sealed")
    if any(isinstance(server, Remote) for server in servers):
        import httpx2

        httpx2.AsyncHTTPTransport(verify=False)  # it imports what it stands on when the first one is made


def _sealed(server: Remote) -> bool:
    """Whether the tokens of a server are sealed."""
    return isinstance(server.auth, OAuthGrant) and server.auth.store == "keyring"
