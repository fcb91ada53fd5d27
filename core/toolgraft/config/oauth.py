"""How a server is signed in to: `OAuth` for a person, `Bearer` for a token that you have. Only said here, not done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import ClassVar, Final, Literal, TypeAlias, cast
from urllib.parse import urlsplit

from toolgraft.config import takes, wellformed
from toolgraft.config.database import is_postgres_url, postgres_url
from toolgraft.config.options import CallContext
from toolgraft.config.takes import Take, named, take_all
from toolgraft.config.token_store import MemoryStore, TokenStore
from toolgraft.errors import ConfigError

ClientAuth: TypeAlias = Literal["none", "client_secret_basic", "client_secret_post"]
"""How a token endpoint is told which client asks (RFC 7591, `token_endpoint_auth_method`)."""

Ask: TypeAlias = Literal["browser", "print", "never"]
"""How a person is asked to sign in: a browser is opened; the URL is printed; nobody is, and that is an error."""

KeptIn: TypeAlias = Literal["file", "memory", "keyring"]
"""Where tokens are kept, in a word; see `OAuthGrant`."""

_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


def text(name: str, value: object) -> object:
    """Take a string with something in it, or None."""
    if value is None or (isinstance(value, str) and value and value.isprintable()):
        return value
    raise ConfigError(f"{name} is a string with something in it, not {named(value)}")


def _scope(name: str, value: object) -> str | None:
    if value is None:
        return None
    words = value.split() if isinstance(value, str) else wellformed.names(name, cast("Sequence[str]", value))
    if any(not word.isprintable() or '"' in word or "\\" in word or " " in word for word in words):
        raise ConfigError(f"{name} is a string of scopes with blanks between, or a list of them")
    return " ".join(dict.fromkeys(words)) or None


def https_url(name: str, value: object) -> object:
    """Take a URL that speaks TLS, or is of this machine, or None."""
    if value is None:
        return None
    url = wellformed.url(name, cast("str", value))
    split = urlsplit(url)
    if split.scheme == "http" and not _is_loopback(url):
        raise ConfigError(f"{name} must begin with https://")
    if split.fragment or split.username:
        raise ConfigError(f"{name} has a fragment or a user in it")
    return url


def _document(name: str, value: object) -> object:
    if https_url(name, value) is not None and urlsplit(cast("str", value)).path in ("", "/"):
        raise ConfigError(f"{name} is the URL of a document, with a path")
    return value


def _redirect_uri(name: str, value: object) -> object:
    if value is None or not isinstance(value, str):
        return text(name, value)
    split = urlsplit(value)
    if not split.scheme or split.fragment:
        raise ConfigError(f"{name} is a URI without a fragment, e.g. http://127.0.0.1:8765/callback")
    return value if split.scheme not in ("http", "https") else wellformed.url(name, value)


def _is_loopback(url: str) -> bool:
    split = urlsplit(url)
    return split.scheme == "http" and split.hostname in _LOOPBACK


def _store(name: str, value: object) -> object:
    if value == "memory":
        return MemoryStore()
    if value in ("file", "keyring") or isinstance(value, TokenStore):
        return value
    if is_postgres_url(value):
        return postgres_url(cast("str", value))
    if isinstance(value, str | PathLike):
        return Path(wellformed.home(cast("str", value)))
    what = '"file", "memory", "keyring", a path, postgresql://... or a TokenStore'
    raise ConfigError(f"{name} is {what}, not {named(value)}")


@dataclass(frozen=True, kw_only=True, repr=False)
class OAuthGrant:
    """What every way to be granted tokens may be told. Make one of its kinds, e.g. `OAuth`.

    Attributes:
        scope: Scopes to ask for, beside those that the server asks for; a string of them or a list.
        issuer: The one authorization server that is accepted; else the one that the server names, but to show a secret
            of yours to it, it has to be on the server's own host or in `trusted_hosts`.
        store: `"file"` (the default: SQLite, mode 0600, in the user's data folder), its path, `"memory"`,
            `"keyring"` (the file, sealed with a key that the system's keyring keeps), the URL of a Postgres database
            (`"postgresql://..."`, extra `postgres`, for many machines), or a `TokenStore` of your own.
        trusted_hosts: Hosts that a server may send us to though they are private addresses or speak no TLS.
        dpop: Tokens are bound to a key that never leaves us (RFC 9449), so that whoever gets hold of one cannot use it;
            a token that is not bound is refused.
    """

    _takes: ClassVar[Mapping[str, Take]] = {
        "scope": _scope,
        "issuer": https_url,
        "store": _store,
        "trusted_hosts": wellformed.names,
        "dpop": takes.flag,
    }

    scope: str | Sequence[str] | None = None
    issuer: str | None = None
    store: TokenStore | KeptIn | str | PathLike[str] = "file"
    trusted_hosts: Sequence[str] = ()
    dpop: bool = False

    def __post_init__(self) -> None:
        for kind in type(self).__mro__:
            take_all(self, vars(kind).get("_takes", {}))


@dataclass(frozen=True, kw_only=True, repr=False)
class OAuth(OAuthGrant):
    """A person signs in once, in a browser; the tokens are kept and renewed without asking again.

    `Http(url, auth=OAuth())` is all that most servers need. Which authorization server a server has, where its
    endpoints are and which scopes are wanted is discovered (RFC 9728, RFC 8414, OpenID Connect Discovery).

    Attributes:
        client_id: Of a client that you have registered. Without it, `client_metadata_url` is used where the
            authorization server takes it, else a client is registered (RFC 7591).
        client_secret: Its secret, if it has one.
        client_auth: How it is told to the token endpoint; else as the authorization server says, or by HTTP Basic.
        client_metadata_url: Where your client's metadata document is published; it is the client's id.
        client_name: What people are shown, where a client is registered.
        redirect_uri: Where the browser is sent back to. A loopback URI is listened to, `http://127.0.0.1:PORT/...` at
            that port; any other needs `callback`. Without it, a free port is taken.
        redirect: Shows the URL to the person, in place of `ask`.
        callback: Gives the whole URL that the browser was sent back to, in place of listening.
        ask: `"browser"` opens it, and prints the URL where there is none; `"print"` prints it only; `"never"` fails.
        timeout: Seconds that a person has. They count against no other limit.
        assume_pkce: Go on where an authorization server does not say that it knows PKCE; it is used all the same.
    """

    _takes: ClassVar[Mapping[str, Take]] = {
        "client_id": text,
        "client_secret": text,
        "client_auth": takes.unless(lambda given: given is None, takes.one_of(ClientAuth)),
        "client_metadata_url": _document,
        "client_name": takes.kind(str, "a string"),
        "redirect_uri": _redirect_uri,
        "redirect": takes.function("of a URL"),
        "callback": takes.function("without arguments, which gives a URL"),
        "ask": takes.one_of(Ask),
        "timeout": takes.seconds(),
        "assume_pkce": takes.flag,
    }

    client_id: str | None = None
    client_secret: str | None = None
    client_auth: ClientAuth | None = None
    client_metadata_url: str | None = None
    client_name: str = "toolgraft"
    redirect_uri: str | None = None
    redirect: Callable[[str], Awaitable[None]] | None = None
    callback: Callable[[], Awaitable[str]] | None = None
    ask: Ask = "browser"
    timeout: float = 300.0
    assume_pkce: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.client_secret is not None and self.client_id is None:
            raise ConfigError("client_secret needs client_id, whose secret it is")
        if self.client_auth not in (None, "none") and self.client_id is not None and self.client_secret is None:
            raise ConfigError(f"client_auth={self.client_auth!r} needs client_secret")
        if self.redirect_uri is not None and self.callback is None and not _is_loopback(self.redirect_uri):
            raise ConfigError("redirect_uri is not of this machine: give callback, which gets what is sent there")

    def __repr__(self) -> str:
        client = f"client_id={self.client_id!r}" if self.client_id else ""
        return f"OAuth({client})"


@dataclass(frozen=True, repr=False)
class Bearer:
    """A token that you have, or a function that gives it.

    Attributes:
        token: The token; or a function of the `CallContext`, called for each request, which may be async. Callers
            whose tokens differ are told apart, as with `headers`.
    """

    token: str | Callable[[CallContext], str | Awaitable[str]] = field(hash=False)

    def __post_init__(self) -> None:
        if not callable(self.token):
            object.__setattr__(self, "token", bearer_token("token", self.token))

    def __repr__(self) -> str:
        return "Bearer(...)"


def bearer_token(name: str, value: object) -> str:
    """Return a token that a header can carry. It is never shown.

    Raises:
        ConfigError: It is none.
    """
    if not isinstance(value, str):
        raise ConfigError(f"{name} is a string or a function of the call's context, not {named(value)}")
    if value.lower().startswith("bearer "):
        raise ConfigError(f"{name} is the token alone, without 'Bearer' before it")
    if not value or " " in value:
        raise ConfigError(f"{name} is empty, or has white space in it; strip it")
    wellformed.headers("token", {"Authorization": value})
    return value
