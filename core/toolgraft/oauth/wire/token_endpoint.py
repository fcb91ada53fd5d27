"""What is asked of a token endpoint, and what it answers (RFC 6749 sections 4.1.3, 5 and 6)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from toolgraft.config import wellformed
from toolgraft.errors import OAuthError
from toolgraft.oauth.values import AuthorizationServer, Client, SignedIn, Tokens
from toolgraft.oauth.wire.client_authentication import ClientAuthentication
from toolgraft.oauth.wire.fetching import Answer, Fetch
from toolgraft.oauth.wire.members import seconds, text
from toolgraft.oauth.wire.presentation import Presentation
from toolgraft.oauth.wire.said import said

_WHAT: Final = "the token endpoint"
_FORM: Final = {"content-type": "application/x-www-form-urlencoded"}
_KINDS: Final = {"bearer": "Bearer", "dpop": "DPoP"}
_WHILE: Final = frozenset({408, 425, 429})
"""4xx that say nothing of what was asked."""
_LATER: Final = frozenset({"temporarily_unavailable", "server_error", "slow_down"})


class Refused(Exception):
    """What was presented is refused for good (RFC 6749 section 5.2).

    Attributes:
        code: `invalid_grant`, `invalid_client` and their kind.
        reason: What was said, without secrets.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


@dataclass(frozen=True, slots=True)
class TokenEndpoint:
    """Asks for tokens.

    Attributes:
        fetch: Makes the requests.
        authenticate: Tells which client asks.
        presentation: What is shown beside that.
    """

    fetch: Fetch
    authenticate: ClientAuthentication
    presentation: Presentation

    async def ask(
        self, at: AuthorizationServer, client: Client, form: Mapping[str, str], key: str | None = None
    ) -> Tokens:
        """Ask for tokens by a grant.

        Args:
            at: Whom.
            client: For which client.
            form: The grant, with its `grant_type`.
            key: What it is bound to; else tokens are bound to a new one, where they are bound at all.

        Raises:
            Refused: They are refused for good.
            OAuthError: There is no answer now, or one that gives no token.
        """
        key = key or self._new_key(at)
        answer = await self._post(at, client, form, key)
        if self.presentation.learns_at_token_endpoint(at.token_endpoint, answer):
            answer = await self._post(at, client, form, key)
        if answer.status in (200, 201) and (raw := answer.json()) is not None and "error" not in raw:
            return replace(self._tokens(raw, form), key=key)
        raw = answer.json()
        if answer.status >= 500 or answer.status in _WHILE or raw is None or (code := text(raw, "error")) is None:
            reason = f"{_WHAT} answers with HTTP {answer.status}{said(raw)}; what is signed in is kept"
            raise OAuthError(self.fetch.name, "unavailable", reason)
        if code in _LATER or code in self.presentation.problems:
            raise OAuthError(self.fetch.name, "unavailable", f"{_WHAT} says {code}; what is signed in is kept")
        raise Refused(code, f"{_WHAT} refuses it{said(raw)}")

    async def renew(self, signed_in: SignedIn) -> SignedIn:
        """Spend a refresh token (RFC 6749 section 6), for the same scope and resource.

        Raises:
            Refused: It is refused for good.
            OAuthError: There is no answer now, or one that gives no token.
        """
        before = signed_in.tokens
        form = {"grant_type": "refresh_token", "refresh_token": before.refresh or ""}
        if before.scope:
            form["scope"] = before.scope
        if signed_in.resource is not None:
            form["resource"] = signed_in.resource
        tokens = await self.ask(signed_in.at, signed_in.client, form, before.key)
        return replace(signed_in, tokens=replace(tokens, refresh=tokens.refresh or before.refresh))

    def _new_key(self, at: AuthorizationServer) -> str | None:
        try:
            return self.presentation.new_key(at.dpop_algorithms)
        except ValueError as error:
            reason = f"its authorization server {at.issuer!r} binds no token to a key of ours: {error}"
            raise OAuthError(self.fetch.name, "token_invalid", reason) from None

    async def _post(self, at: AuthorizationServer, client: Client, form: Mapping[str, str], key: str | None) -> Answer:
        sent = dict(form)
        headers = {**_FORM, **self.presentation.at_token_endpoint(at.token_endpoint, key)}
        await self.authenticate(client, at, sent, headers)
        return await self.fetch.post(at.token_endpoint, _WHAT, urlencode(sent).encode(), headers)

    def _tokens(self, raw: Mapping[str, Any], form: Mapping[str, str]) -> Tokens:
        access, kind = text(raw, "access_token"), _KINDS.get((text(raw, "token_type") or "Bearer").lower())
        if access is None or kind is None or not wellformed.sendable(access):
            reason = f"{_WHAT} answers without a token that can be used"
            raise OAuthError(self.fetch.name, "token_invalid", reason)
        if kind != self.presentation.kind:
            remedy = "ask for it by dpop=True" if kind == "DPoP" else "whoever has it could use it, so it is not used"
            reason = f"{_WHAT} gives a {kind} token where a {self.presentation.kind} token was asked for: {remedy}"
            raise OAuthError(self.fetch.name, "token_invalid", reason)
        now, lifetime = time.time(), seconds(raw, "expires_in")
        return Tokens(
            access=access,
            refresh=text(raw, "refresh_token"),
            expires_at=None if lifetime is None else now + lifetime,
            granted_at=now,
            scope=text(raw, "scope") or form.get("scope"),
            kind=kind,
        )
