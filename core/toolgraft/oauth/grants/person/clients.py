"""As which client a person signs in: the one that is given, else a published one, else one that is registered (MCP)."""

from __future__ import annotations

from toolgraft.config.oauth import OAuth
from toolgraft.errors import OAuthError
from toolgraft.oauth.grants.grant import Means
from toolgraft.oauth.grants.registrations import keep
from toolgraft.oauth.values import AuthorizationServer, Client
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
    await keep(means, at, client)
    return client
