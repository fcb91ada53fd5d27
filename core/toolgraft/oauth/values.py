"""What is known once somebody has signed in, and how it is written down."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from pydantic import TypeAdapter, ValidationError

ClientKind: TypeAlias = Literal["given", "document", "registered"]
"""Where a client comes from: its owner's declaration, its metadata document (CIMD), or our registration (RFC 7591)."""

_LEEWAY: Final = 30.0
_LEEWAY_SHARE: Final = 0.1
"""A token is renewed this many seconds, or this part of its life, before it expires, whichever is shorter."""

_SECRET_LEEWAY: Final = 60.0


@dataclass(frozen=True, slots=True, repr=False)
class Client:
    """Who we are to an authorization server.

    Attributes:
        id: Client id.
        secret: Its secret, or None.
        method: How the token endpoint is told who asks, e.g. `client_secret_basic` (RFC 7591).
        kind: Where it comes from.
        redirect_uri: What it is registered with; None where it has none, or that is not known.
        secret_expires_at: Unix time in seconds, or None.
    """

    id: str
    secret: str | None = None
    method: str = "none"
    kind: ClientKind = "given"
    redirect_uri: str | None = None
    secret_expires_at: float | None = None

    @property
    def expired(self) -> bool:
        """Whether its secret is not taken any more, or will soon not be."""
        return self.secret_expires_at is not None and self.secret_expires_at - _SECRET_LEEWAY <= time.time()


@dataclass(frozen=True, slots=True, repr=False)
class Tokens:
    """What was granted (RFC 6749 section 5.1).

    Attributes:
        access: Access token; empty where it is known to be refused.
        refresh: Refresh token, or None.
        expires_at: Unix time in seconds, or None where that was not said.
        granted_at: Unix time in seconds.
        scope: Granted scopes with blanks between; None where nothing is known of them.
        kind: How it is shown: `Bearer`, `DPoP`.
        key: The private key that it is bound to, as a JWK in JSON; None where whoever bears it is let in.
    """

    access: str
    refresh: str | None = None
    expires_at: float | None = None
    granted_at: float = 0.0
    scope: str | None = None
    kind: str = "Bearer"
    key: str | None = None

    @property
    def usable(self) -> bool:
        """Whether the access token may still be taken."""
        if not self.access or self.expires_at is None:
            return bool(self.access)
        return time.time() < self.expires_at - min(_LEEWAY, _LEEWAY_SHARE * (self.expires_at - self.granted_at))

    def covers(self, scope: str | None) -> bool:
        """Whether all of these scopes are granted, as far as is known."""
        return set((scope or "").split()) <= set((self.scope or "").split())


@dataclass(frozen=True, slots=True)
class AuthorizationServer:
    """What an authorization server says of itself (RFC 8414, OpenID Connect Discovery), as far as it is used.

    Attributes:
        issuer: Its identifier, as it writes it.
        token_endpoint: Where tokens are given.
        authorization_endpoint: Where a person signs in.
        registration_endpoint: Where clients are registered (RFC 7591).
        revocation_endpoint: Where tokens are given back (RFC 7009).
        scopes: Those that it knows.
        challenge_methods: Those of PKCE (RFC 7636).
        client_auth_methods: How clients tell who they are, at its token endpoint; None where it does not say.
        grant_types: Those that it knows; None where it does not say.
        takes_client_documents: A client may be the URL of its metadata document.
        sends_issuer: It says who it is when it sends the browser back (RFC 9207).
        dpop_algorithms: Signatures of proofs of possession that it takes (RFC 9449); empty where it takes none.
    """

    issuer: str
    token_endpoint: str
    authorization_endpoint: str | None = None
    registration_endpoint: str | None = None
    revocation_endpoint: str | None = None
    scopes: tuple[str, ...] = ()
    challenge_methods: tuple[str, ...] = ()
    client_auth_methods: tuple[str, ...] | None = None
    grant_types: tuple[str, ...] | None = None
    takes_client_documents: bool = False
    sends_issuer: bool = False
    dpop_algorithms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class SignedIn:
    """All that is needed to call a server and to renew what that takes, without asking anybody.

    Attributes:
        tokens: What was granted.
        client: To which client.
        at: By which authorization server.
        resource: For what (RFC 8707); None where the server named no resource.
        since: Unix time in seconds, when the grant was made; renewing changes nothing of that.
    """

    tokens: Tokens
    client: Client
    at: AuthorizationServer
    resource: str | None = None
    since: float = 0.0

    def without_tokens(self) -> SignedIn:
        """The same, with nothing that could be renewed; which scopes were granted is still known."""
        return replace(self, tokens=replace(self.tokens, access="", refresh=None, expires_at=None))


_SIGNED_IN: Final = TypeAdapter(SignedIn)
_CLIENT: Final = TypeAdapter(Client)


def written(signed_in: SignedIn) -> str:
    """Write it as JSON text. It holds secrets."""
    return _SIGNED_IN.dump_json(signed_in).decode()


def read(text: str) -> SignedIn | None:
    """Read what was written; None for what no version of ours wrote."""
    try:
        return _SIGNED_IN.validate_json(text)
    except ValidationError:
        return None


def written_client(client: Client) -> str:
    """Write a registration as JSON text. It holds a secret."""
    return _CLIENT.dump_json(client).decode()


def read_client(text: str) -> Client | None:
    """Read a registration; None for what no version of ours wrote."""
    try:
        return _CLIENT.validate_json(text)
    except ValidationError:
        return None


def joined_scopes(*scopes: str | None) -> str | None:
    """All of these scopes, each once, in the order in which they come; None for none."""
    return " ".join(dict.fromkeys(word for scope in scopes for word in (scope or "").split())) or None
