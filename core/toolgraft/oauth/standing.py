"""Who is signed in where, without any secret; and signing out, which gives tokens back (RFC 7009)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from toolgraft.config.token_store import TokenKey, TokenStore
from toolgraft.errors import OAuthError
from toolgraft.oauth.values import SignedIn, read
from toolgraft.oauth.wire.client_authentication import by_secret
from toolgraft.oauth.wire.fetching import Fetch

_WHAT: Final = "giving tokens back"
_FORM: Final = {"content-type": "application/x-www-form-urlencoded"}

_log: Final = logging.getLogger("toolgraft")


@dataclass(frozen=True, slots=True)
class Standing:
    """One sign-in.

    Attributes:
        server: URL of the MCP server.
        identity: Whose it is; empty where callers are not told apart.
        issuer: The authorization server.
        scope: What was granted, or None where that is not known.
        since: Unix time in seconds, when somebody signed in.
        until: Unix time in seconds, when the access token expires; None where that is not known.
        renewable: It is renewed then, without asking anybody.
        live: The access token may still be taken.
    """

    server: str
    identity: str
    issuer: str
    scope: str | None
    since: float
    until: float | None
    renewable: bool
    live: bool


async def standings(store: TokenStore, server: str | None = None) -> Sequence[Standing]:
    """All sign-ins that a store keeps, or those at one server."""
    found: list[Standing] = []
    for key in await store.keys(server):
        signed_in = await _of(store, key)
        if signed_in is None or not (signed_in.tokens.access or signed_in.tokens.refresh):
            continue
        tokens = signed_in.tokens
        found.append(
            Standing(
                server=key.server,
                identity=key.identity,
                issuer=key.issuer,
                scope=tokens.scope,
                since=signed_in.since,
                until=tokens.expires_at,
                renewable=tokens.refresh is not None,
                live=tokens.usable,
            )
        )
    return found


async def sign_out(store: TokenStore, server: str, fetch: Fetch) -> int:
    """Give back and forget all tokens for a server, whosesoever they are; our registration stays.

    Returns:
        How many sign-ins there were.
    """
    gone = 0
    for key in await store.keys(server):
        kept = await store.read(key) if key.kind == "tokens" else None
        if kept is None:
            continue
        signed_in = read(kept.value)
        await store.swap(key, kept.version, None)
        if signed_in is not None and (signed_in.tokens.access or signed_in.tokens.refresh):
            gone += 1
            await _revoked(fetch, signed_in)
    return gone


async def _revoked(fetch: Fetch, signed_in: SignedIn) -> None:
    """Give a grant back, where its authorization server takes that; it is forgotten here in any case."""
    at, tokens = signed_in.at, signed_in.tokens
    if at.revocation_endpoint is None:
        return
    hint = "refresh_token" if tokens.refresh else "access_token"
    form, headers = {"token": tokens.refresh or tokens.access, "token_type_hint": hint}, dict(_FORM)
    await by_secret(signed_in.client, at, form, headers)
    try:
        answer = await fetch.post(at.revocation_endpoint, _WHAT, urlencode(form).encode(), headers)
        if answer.status != 200:
            _log.warning("server '%s': %s is answered with HTTP %d", fetch.name, _WHAT, answer.status)
    except OAuthError as error:
        _log.warning("%s", error)


async def _of(store: TokenStore, key: TokenKey) -> SignedIn | None:
    kept = await store.read(key) if key.kind == "tokens" else None
    return read(kept.value) if kept is not None else None
