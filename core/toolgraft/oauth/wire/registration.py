"""Registering a client with an authorization server (RFC 7591)."""

from __future__ import annotations

import json
from typing import Any, Final

from toolgraft.errors import OAuthError
from toolgraft.oauth.values import AuthorizationServer, Client
from toolgraft.oauth.wire.client_authentication import BY_SECRET, METHODS
from toolgraft.oauth.wire.fetching import Fetch
from toolgraft.oauth.wire.members import seconds, text
from toolgraft.oauth.wire.said import said

_WHAT: Final = "the registration of a client"
_JSON: Final = {"content-type": "application/json"}


async def register(
    fetch: Fetch, at: AuthorizationServer, *, client_name: str, redirect_uri: str, scope: str | None
) -> Client:
    """Register a client that people sign in with.

    Raises:
        OAuthError: It is refused, or what was registered cannot be used.
    """
    endpoint = at.registration_endpoint or ""
    wanted = _method(at)
    metadata: dict[str, Any] = {
        "client_name": client_name,
        "redirect_uris": [redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "application_type": "native",
    }
    if wanted is not None:
        metadata["token_endpoint_auth_method"] = wanted
    if scope is not None:
        metadata["scope"] = scope
    answer = await fetch.post(endpoint, _WHAT, json.dumps(metadata).encode(), _JSON)
    raw = answer.json()
    if answer.status >= 500 or answer.status == 429:
        raise OAuthError(fetch.name, "unavailable", f"{_WHAT} is not possible now: HTTP {answer.status}")
    client_id = text(raw, "client_id") if raw and answer.status in (200, 201) else None
    if raw is None or client_id is None:
        reason = f"{_WHAT} is refused, HTTP {answer.status}{said(raw)}; register one yourself: OAuth(client_id=...)"
        raise OAuthError(fetch.name, "registration_refused", reason)
    secret = text(raw, "client_secret")
    method = text(raw, "token_endpoint_auth_method") or (wanted or (BY_SECRET[0] if secret else "none"))
    if method not in METHODS or (method in BY_SECRET and secret is None):
        reason = f"{_WHAT} gave one that tells who it is by {method[:60]!r}, which we cannot"
        raise OAuthError(fetch.name, "registration_refused", reason)
    expires = seconds(raw, "client_secret_expires_at") if secret else None
    return Client(client_id, secret, method, "registered", redirect_uri, expires or None)  # 0 is for ever


def _method(at: AuthorizationServer) -> str | None:
    """The method to ask for: none, as fits a program that people run, where that is taken; None leaves it to them."""
    if at.client_auth_methods is None:
        return None
    return next((method for method in METHODS if method in at.client_auth_methods), None)
