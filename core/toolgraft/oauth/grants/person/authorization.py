"""What a person's browser is sent with, and what of its return is taken (RFC 6749, RFC 7636, RFC 8707, RFC 9207)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
from mcp.client.auth import PKCEParameters

from toolgraft.errors import OAuthError, OAuthProblem
from toolgraft.oauth.values import AuthorizationServer, Client
from toolgraft.oauth.wire.said import shown

_TOKENS: Final = ("access_token", "refresh_token", "id_token")


@dataclass(frozen=True, slots=True, repr=False)
class Authorization:
    """One asking for a code, from sending the browser to its return.

    Attributes:
        server: Name of the MCP server.
        at: Where a person signs in.
        client: For which client.
        redirect_uri: Where the browser is sent back to.
        scope: What is asked for.
        resource: For which server.
        state: Ties the return to this asking.
        pkce: Ties the code to whoever asked for it.
    """

    server: str
    at: AuthorizationServer
    client: Client
    redirect_uri: str
    scope: str | None
    resource: str | None
    state: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    pkce: PKCEParameters = field(default_factory=PKCEParameters.generate)

    def url(self, endpoint: httpx2.URL) -> str:
        """Where the browser is sent, at an endpoint that was checked."""
        asked = {
            "response_type": "code",
            "client_id": self.client.id,
            "redirect_uri": self.redirect_uri,
            "state": self.state,
            "code_challenge": self.pkce.code_challenge,
            "code_challenge_method": "S256",
        }
        if self.resource is not None:
            asked["resource"] = self.resource
        if self.scope:
            asked["scope"] = self.scope
            if "offline_access" in self.scope.split():
                asked["prompt"] = "consent"  # OpenID Connect Core section 11
        before = endpoint.query.decode("ascii")
        query = "&".join(part for part in (before, urlencode(asked)) if part)
        return str(endpoint.copy_with(query=query.encode("ascii")))

    def code(self, returned: str) -> str:
        """The code in the URL that the browser was sent back to.

        Raises:
            OAuthError: It is of another asking or of another server, brings tokens along, or says no.
        """
        split = urlsplit(returned)
        given = parse_qs(split.query, keep_blank_values=True)
        if any(name in given or name in parse_qs(split.fragment) for name in _TOKENS):
            raise self._error("token_in_url", "the browser came back with a token in its URL, which is not taken")
        state, issuer = _only(given.get("state")), _only(given.get("iss"))
        if state is None or not secrets.compare_digest(state.encode(), self.state.encode()):
            raise self._error("state_mismatch", "the browser came back with another state than it was sent with")
        if issuer is not None and issuer != self.at.issuer:
            told = f"the browser came back from {shown(issuer)!r}, and was sent to {self.at.issuer!r}"
            raise self._error("issuer_mismatch", told)
        if issuer is None and ("iss" in given or self.at.sends_issuer):
            told = f"the browser came back without saying that it is from {self.at.issuer!r}, which always says it"
            raise self._error("issuer_mismatch", told)
        if "error" in given:
            told = " ".join(given["error"] + given.get("error_description", []))
            denied = given["error"] == ["access_denied"]
            problem: OAuthProblem = "access_denied" if denied else "authorization_refused"
            raise OAuthError(self.server, problem, f"the sign-in was refused: {shown(told)}")
        code = _only(given.get("code"))
        if not code:
            raise OAuthError(self.server, "authorization_refused", "the browser came back without a code")
        return code

    def form(self, code: str) -> dict[str, str]:
        """What a code is traded with for tokens."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": self.pkce.code_verifier,
        }
        if self.resource is not None:
            form["resource"] = self.resource
        return form

    def _error(self, problem: OAuthProblem, reason: str) -> OAuthError:
        return OAuthError(self.server, problem, f"{reason}; nothing was signed in")


def _only(values: list[str] | None) -> str | None:
    return values[0] if values is not None and len(values) == 1 else None
