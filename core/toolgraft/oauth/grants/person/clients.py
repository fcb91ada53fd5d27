"""As which client a person signs in: the one that is given, else a published one, else one that is registered (MCP)."""

from __future__ import annotations

from toolgraft.config.oauth import OAuth
from toolgraft.config.token_store import TokenKey
from toolgraft.errors import OAuthError
from toolgraft.oauth.grants.grant import Means
from toolgraft.oauth.values import AuthorizationServer, Client, read_client, written_client
from toolgraft.oauth.wire.client_authentication import method_for
from toolgraft.oauth.wire.registration import register


def given(declared: OAuth, at: AuthorizationServer) -> Client | None:
    """The client that the declaration names, by its id or by its metadata document where that is taken; else None."""
    if declared.client_id is not None:
        method = declared.client_auth or method_for(declared.client_secret, at.client_auth_methods)
        return Client(declared.client_id, declared.client_secret, method, "given")
    if declared.client_metadata_url is not None and at.takes_client_documents:
        return Client(declared.client_metadata_url, kind="document")
    return None


async def registered(means: Means, at: AuthorizationServer) -> Client | None:
    """The client that was registered before, while its secret is taken; else None."""
    kept = await means.store.read(_key(means, at))
    client = read_client(kept.value) if kept else None
    return None if client is None or client.expired else client


async def newly_registered(
    declared: OAuth, means: Means, at: AuthorizationServer, redirect_uri: str, scope: str | None
) -> Client:
    """Register a client, and keep it.

    Raises:
        OAuthError: None can be registered there.
    """
    if at.registration_endpoint is None:
        reason = f"its authorization server {at.issuer!r} registers no clients by itself"
        remedy = "register one there and give its id: OAuth(client_id=..., redirect_uri=...)"
        raise OAuthError(means.fetch.name, "no_client", f"{reason}: {remedy}")
    client = await register(means.fetch, at, client_name=declared.client_name, redirect_uri=redirect_uri, scope=scope)
    kept = await means.store.read(_key(means, at))
    await means.store.swap(_key(means, at), kept.version if kept else None, written_client(client))
    return client


async def forget(means: Means, at: AuthorizationServer, client: Client) -> None:
    """Keep a registration no longer that the authorization server does not know any more."""
    kept = await means.store.read(_key(means, at))
    if kept is not None and client.kind == "registered" and read_client(kept.value) in (client, None):
        await means.store.swap(_key(means, at), kept.version, None)


def _key(means: Means, at: AuthorizationServer) -> TokenKey:
    return TokenKey("client", means.server, at.issuer)
