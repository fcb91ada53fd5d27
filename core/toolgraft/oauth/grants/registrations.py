"""The clients that were registered for us, as long as their authorization server knows them."""

from __future__ import annotations

from typing import Final

from toolgraft.config.token_store import TokenKey
from toolgraft.oauth.grants.grant import Means
from toolgraft.oauth.values import AuthorizationServer, Client, read_client, written_client

UNKNOWN: Final = frozenset({"invalid_client", "unauthorized_client"})
"""How a token endpoint says that it does not know a client, or not any more."""


async def registered(means: Means, at: AuthorizationServer) -> Client | None:
    """The client that was registered before, while its secret is taken; else None."""
    kept = await means.store.read(_key(means, at))
    client = read_client(kept.value) if kept else None
    return None if client is None or client.expired else client


async def keep(means: Means, at: AuthorizationServer, client: Client) -> None:
    """Keep a registration, in the place of one before."""
    kept = await means.store.read(_key(means, at))
    await means.store.swap(_key(means, at), kept.version if kept else None, written_client(client))


async def forget(means: Means, at: AuthorizationServer, client: Client) -> None:
    """Keep a registration no longer that the authorization server does not know any more."""
    kept = await means.store.read(_key(means, at))
    if kept is not None and client.kind == "registered" and read_client(kept.value) in (client, None):
        await means.store.swap(_key(means, at), kept.version, None)


def _key(means: Means, at: AuthorizationServer) -> TokenKey:
    return TokenKey("client", means.server, at.issuer)
