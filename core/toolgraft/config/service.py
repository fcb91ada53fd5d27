"""How a program signs in by itself, with nobody at a browser. Only said here, not done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, ClassVar, Literal, TypeAlias, cast, get_args

from toolgraft.config import takes
from toolgraft.config.oauth import KeptIn, OAuthGrant, https_url, text
from toolgraft.config.takes import Take, named
from toolgraft.config.token_store import MemoryStore, TokenStore
from toolgraft.errors import ConfigError

Algorithm: TypeAlias = Literal["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""A signature with a private key (RFC 7518 section 3.1, RFC 8037)."""

SecretAuth: TypeAlias = Literal["client_secret_basic", "client_secret_post"]
"""How a token endpoint is told a secret (RFC 7591, `token_endpoint_auth_method`)."""

_BY_CURVE: Mapping[str, Algorithm] = {"secp256r1": "ES256", "secp384r1": "ES384", "secp521r1": "ES512"}


@dataclass(frozen=True, repr=False)
class PrivateKey:
    """The private key of a client, which tells the token endpoint who it is (RFC 7523 section 2.2, `private_key_jwt`).

    Attributes:
        pem: The key in PEM form, not encrypted.
        algorithm: The signature; without it, as fits the key: RS256, ES256, ES384, ES512 or EdDSA.
        key_id: Its id (`kid`) at the authorization server, where that has several of this client.
        audience: For whom it is signed; without it, the issuer of the authorization server.
    """

    pem: str = field(hash=False)
    algorithm: Algorithm | None = None
    key_id: str | None = None
    audience: str | None = None

    def __post_init__(self) -> None:
        given = None if self.algorithm is None else takes.one_of(Algorithm)("algorithm", self.algorithm)
        fitting = _algorithms(self.pem)
        if given is not None and given not in fitting:
            raise ConfigError(f"algorithm is {given!r}, and the key is one for {', '.join(fitting)}")
        object.__setattr__(self, "algorithm", given or fitting[0])
        text("key_id", self.key_id)
        text("audience", self.audience)

    def __repr__(self) -> str:
        return f"PrivateKey(..., algorithm={self.algorithm!r})"


def _algorithms(pem: object) -> Sequence[Algorithm]:
    """The signatures that a key is for, the usual one first.

    Raises:
        ConfigError: It is no private key. Nothing of it is shown.
    """
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    if not isinstance(pem, str):
        raise ConfigError(f"pem is the text of a private key in PEM form, not {named(pem)}")
    try:
        key = load_pem_private_key(pem.encode(), None)
    except TypeError:
        raise ConfigError("pem is encrypted; decrypt it, and keep it where secrets are kept") from None
    except Exception:
        raise ConfigError("pem is no private key in PEM form ('-----BEGIN PRIVATE KEY-----')") from None
    if isinstance(key, ec.EllipticCurvePrivateKey) and key.curve.name in _BY_CURVE:
        return (_BY_CURVE[key.curve.name],)
    if isinstance(key, rsa.RSAPrivateKey):
        return [each for each in cast("Sequence[Algorithm]", get_args(Algorithm)) if each[:2] in ("RS", "PS")]
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return ("EdDSA",)
    raise ConfigError("pem is a key of a kind that signs nothing here: take RSA, P-256, P-384, P-521 or Ed25519")


MakesAssertion: TypeAlias = Callable[[str], str | Awaitable[str]]
"""Gives a signed JWT for an audience, the issuer of the authorization server. It is called for each request."""

Credential: TypeAlias = str | PrivateKey | MakesAssertion
"""How a client tells who it is: its secret; its private key; or what gives an assertion that is signed elsewhere."""


def _credential(name: str, value: object) -> object:
    if isinstance(value, PrivateKey) or (callable(value) and not isinstance(value, type)):
        return value
    if isinstance(value, str) and value and value.isprintable():
        return value
    given = "an empty or broken string" if isinstance(value, str) else named(value)
    raise ConfigError(f"{name} is a secret, PrivateKey(...) or a function of an audience, not {given}")


def _given(name: str, value: object) -> object:
    if value is None:
        raise ConfigError(f"{name} is a string with something in it, not None")
    return text(name, value)


def _endpoint(name: str, value: object) -> object:
    if value is None:
        raise ConfigError(f"{name} is a URL, not None")
    return https_url(name, value)


def _token(name: str, value: object) -> object:
    if callable(value) and not isinstance(value, type):
        return value
    if isinstance(value, str) and value and value.isprintable() and " " not in value:
        return value
    raise ConfigError(f"{name} is a token, or a function that gives one, not {named(value)}")


@dataclass(frozen=True, kw_only=True, repr=False)
class ServiceGrant(OAuthGrant):
    """What every way for a program may be told beside `OAuthGrant`. Make one of its kinds, e.g. `ClientCredentials`.

    Attributes:
        store: `"memory"` is the default, for a program gets other tokens without asking anybody. In one that lasts,
            tokens are told apart by client and by the caller's identity (`Http(identity=...)`).
    """

    store: TokenStore | KeptIn | str | PathLike[str] = "memory"


@dataclass(frozen=True, repr=False)
class ClientCredentials(ServiceGrant):
    """A program calls on its own behalf (RFC 6749 section 4.4; MCP: OAuth client credentials).

    `Http(url, auth=ClientCredentials("my-client", os.environ["MY_SECRET"], issuer="https://auth.example.com"))`.
    Without `issuer`, a secret is shown to an authorization server on the server's own host, and to no other.

    Attributes:
        client_id: Of a client that you have registered.
        credential: Its secret; its `PrivateKey`; or a function of an audience that gives a signed assertion.
        client_auth: How a secret is told; else as the authorization server says, or by HTTP Basic.
    """

    _takes: ClassVar[Mapping[str, Take]] = {
        "client_id": _given,
        "credential": _credential,
        "client_auth": takes.unless(lambda given: given is None, takes.one_of(SecretAuth)),
    }

    client_id: str
    credential: Credential = field(hash=False)
    client_auth: SecretAuth | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        _of_a_secret(self.client_auth, self.credential)

    def __repr__(self) -> str:
        return f"ClientCredentials(client_id={self.client_id!r})"


@dataclass(frozen=True, repr=False)
class EnterpriseManaged(ServiceGrant):
    """An enterprise's identity provider says who may call the server (MCP: enterprise-managed authorization).

    The id token of whoever is signed in there is traded for an assertion (ID-JAG) at the identity provider (RFC 8693),
    and that for an access token at the server's authorization server (RFC 7523). Without `issuer`, a secret is shown to
    one on the server's own host only.

    Attributes:
        client_id: Of a client that you have registered with the server's authorization server.
        credential: Its secret; its `PrivateKey`; or a function of an audience that gives a signed assertion.
        client_auth: How a secret is told; else as the authorization server says, or by HTTP Basic.
        idp_token_endpoint: The token endpoint of the identity provider.
        id_token: The id token; or a function of the caller's identity (`Http(identity=...)`, else empty) that gives
            one. It is called each time that an access token is got.
        idp_client_id: The client that the id token was given to, where the identity provider wants to know.
        idp_credential: How that one tells who it is, or None.
    """

    _takes: ClassVar[Mapping[str, Take]] = {
        "client_id": _given,
        "credential": _credential,
        "client_auth": takes.unless(lambda given: given is None, takes.one_of(SecretAuth)),
        "idp_token_endpoint": _endpoint,
        "id_token": _token,
        "idp_client_id": text,
        "idp_credential": takes.unless(lambda given: given is None, _credential),
    }

    client_id: str
    credential: Credential = field(hash=False)
    client_auth: SecretAuth | None = field(default=None, kw_only=True)
    idp_token_endpoint: str = field(kw_only=True)
    id_token: str | Callable[[str], str | Awaitable[str]] = field(hash=False, kw_only=True)
    idp_client_id: str | None = field(default=None, kw_only=True)
    idp_credential: Credential | None = field(default=None, hash=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        _of_a_secret(self.client_auth, self.credential)
        if self.idp_credential is not None and self.idp_client_id is None:
            raise ConfigError("idp_credential needs idp_client_id, whose it is")

    def __repr__(self) -> str:
        return f"EnterpriseManaged(client_id={self.client_id!r}, idp_token_endpoint={self.idp_token_endpoint!r})"


@dataclass(frozen=True, repr=False)
class WorkloadIdentity(ServiceGrant):
    """What a program runs on vouches for it: a cloud, a cluster, a CI service (RFC 7523; MCP: workload identity).

    Attributes:
        assertion: Gives the JWT that it has, for an audience, the issuer of the authorization server. It is called
            each time that an access token is got.
        client_id: Where the authorization server wants to know that too.
    """

    _takes: ClassVar[Mapping[str, Take]] = {
        "assertion": takes.function("of an audience, which gives a JWT", none=False),
        "client_id": text,
    }

    assertion: MakesAssertion = field(hash=False)
    client_id: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.client_id is None and not isinstance(self.store, MemoryStore):
            raise ConfigError("store needs client_id: without it, one workload's tokens are not told from another's")

    def __repr__(self) -> str:
        client = f"client_id={self.client_id!r}" if self.client_id else ""
        return f"WorkloadIdentity({client})"


def _of_a_secret(client_auth: Any, credential: object) -> None:
    if client_auth is not None and not isinstance(credential, str):
        raise ConfigError(f"client_auth={client_auth!r} says how a secret is told, and the credential is another")
