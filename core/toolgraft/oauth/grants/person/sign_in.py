"""A person signs in: authorization code with PKCE (MCP: authorization; OAuth 2.1)."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

from toolgraft.config.oauth import OAuth
from toolgraft.errors import OAuthError
from toolgraft.oauth.grants.disclosure import require_meant
from toolgraft.oauth.grants.grant import Means, Wanted
from toolgraft.oauth.grants.person.authorization import Authorization
from toolgraft.oauth.grants.person.browser import show
from toolgraft.oauth.grants.person.clients import given, newly_registered
from toolgraft.oauth.grants.person.returning import Returning, returning
from toolgraft.oauth.grants.registrations import UNKNOWN, forget, registered
from toolgraft.oauth.grants.scopes import issuer_of, scope_of
from toolgraft.oauth.values import AuthorizationServer, SignedIn
from toolgraft.oauth.wire.client_authentication import ClientAuthentication, by_secret
from toolgraft.oauth.wire.discovery import authorization_server, protected_resource
from toolgraft.oauth.wire.token_endpoint import Refused


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at a browser.

    Attributes:
        declared: What the declaration says.
    """

    declared: OAuth

    @property
    def attended(self) -> bool:
        """It takes a person."""
        return True

    @property
    def of(self) -> str:
        """They are the person's."""
        return ""

    @property
    def authenticate(self) -> ClientAuthentication:
        """By the client's secret, if it has one."""
        return by_secret

    async def obtain(self, means: Means, wanted: Wanted) -> SignedIn:
        """Have somebody sign in.

        Raises:
            OAuthError: Nobody did, or what the server or its authorization server say is refused.
        """
        name, declared = means.fetch.name, self.declared
        found = await protected_resource(means.fetch, means.server, wanted.challenge)
        issuer = issuer_of(name, declared.issuer, found, wanted)
        at = await authorization_server(means.fetch, issuer, means.server)
        if declared.client_secret is not None:
            require_meant(declared, means, at)
        endpoint = means.fetch.guard.checked(self._page(name, at), "the page to sign in at")
        scope = scope_of(declared.scope, found, at, wanted)
        resource = found.resource if found else means.server
        async with AsyncExitStack() as stack:
            client = given(declared, at) or await registered(means, at)
            back = await returning(name, declared, client, stack)
            if client is None or (client.kind == "registered" and client.redirect_uri != back.redirect_uri):
                client = await newly_registered(declared, means, at, back.redirect_uri, scope)
            asked = Authorization(name, at, client, back.redirect_uri, scope, resource)
            async with wanted.asking():
                code = asked.code(await self._answer(asked, asked.url(endpoint), back))
        try:
            tokens = await means.token_endpoint(self.authenticate).ask(at, client, asked.form(code))
        except Refused as refused:
            if refused.code in UNKNOWN:
                await forget(means, at, client)
            raise OAuthError(name, "token_refused", refused.reason) from None
        if tokens.scope is None:
            tokens = replace(tokens, scope=scope)  # RFC 6749 section 5.1: what was asked for
        return SignedIn(tokens, client, at, resource, tokens.granted_at)

    def _page(self, name: str, at: AuthorizationServer) -> str:
        """Where a person signs in, of an authorization server that a code is safe with.

        Raises:
            OAuthError: There is none, it may not protect codes, or nobody is to be asked.
        """
        declared = self.declared
        if "S256" not in at.challenge_methods and not (declared.assume_pkce and not at.challenge_methods):
            reason = f"its authorization server {at.issuer!r} does not say that it protects codes (PKCE, S256)"
            remedy = "" if at.challenge_methods else "; OAuth(assume_pkce=True) goes on all the same"
            raise OAuthError(name, "pkce_missing", f"{reason}{remedy}")
        if at.authorization_endpoint is None:
            reason = f"its authorization server {at.issuer!r} names no page to sign in at"
            raise OAuthError(name, "metadata_invalid", reason)
        if declared.ask == "never" and declared.redirect is None:
            reason = "somebody has to sign in and nobody is to be asked (ask='never')"
            raise OAuthError(name, "nobody_to_ask", f"{reason}: do it ahead, by `toolgraft login`")
        return at.authorization_endpoint

    async def _answer(self, asked: Authorization, url: str, back: Returning) -> str:
        """The URL that the browser came back with."""
        declared = self.declared
        limit = asyncio.timeout(declared.timeout)
        back.expects(asked.state)
        try:
            async with limit:
                if declared.redirect is not None:
                    await declared.redirect(url)
                else:
                    await show(url, asked.server, in_browser=declared.ask == "browser")
                return await back.heard()
        except TimeoutError:
            if not limit.expired():
                raise
            others = f"; {back.strangers} other requests came instead" if back.strangers else ""
            reason = f"nobody signed in within {declared.timeout:g} s{others}"
            raise OAuthError(asked.server, "not_answered", reason) from None
