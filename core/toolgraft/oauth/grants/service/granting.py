"""What is the same for all grants of services: whom to ask, for what; and what is signed in then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from toolgraft.config.service import Credential, ServiceGrant
from toolgraft.errors import OAuthError
from toolgraft.oauth.grants.disclosure import require_meant
from toolgraft.oauth.grants.grant import Means, Wanted
from toolgraft.oauth.grants.scopes import issuer_of, needed
from toolgraft.oauth.grants.service.credentials import is_for_any
from toolgraft.oauth.values import AuthorizationServer, Client, SignedIn
from toolgraft.oauth.wire.client_authentication import ClientAuthentication
from toolgraft.oauth.wire.discovery import authorization_server, protected_resource
from toolgraft.oauth.wire.token_endpoint import Refused


@dataclass(frozen=True, slots=True)
class Place:
    """Where tokens are asked for, and for what.

    Attributes:
        at: The authorization server.
        resource: What they are for (RFC 8707).
        scope: Their scopes with blanks between, or None.
    """

    at: AuthorizationServer
    resource: str
    scope: str | None

    def form(self, **grant: str) -> Mapping[str, str]:
        """A grant, with what it is for."""
        return {**grant, "resource": self.resource, **({"scope": self.scope} if self.scope else {})}


async def place_of(declared: ServiceGrant, means: Means, wanted: Wanted, credential: Credential | None = None) -> Place:
    """Find out where to ask.

    Args:
        declared: What the declaration says.
        means: What there is to work with.
        wanted: What tokens are for.
        credential: What is shown there.

    Raises:
        OAuthError: What the server or its authorization server say is refused.
    """
    found = await protected_resource(means.fetch, means.server, wanted.challenge)
    issuer = issuer_of(means.fetch.name, declared.issuer, found, wanted)
    at = await authorization_server(means.fetch, issuer, means.server)
    if is_for_any(credential):
        require_meant(declared, means, at)
    resource = found.resource if found is not None else means.server
    return Place(at, resource, needed(declared.scope, None if declared.scope else found, wanted))


async def granted(
    means: Means, place: Place, client: Client, authenticate: ClientAuthentication, form: Mapping[str, str]
) -> SignedIn:
    """Ask for tokens, once.

    Raises:
        OAuthError: There are none to be had.
    """
    try:
        tokens = await means.token_endpoint(authenticate).ask(place.at, client, form)
    except Refused as refused:
        raise OAuthError(means.fetch.name, "token_refused", refused.reason) from None
    if tokens.scope is None:
        tokens = replace(tokens, scope=place.scope)  # RFC 6749 section 5.1: what was asked for
    return SignedIn(tokens, client, place.at, place.resource, tokens.granted_at)
