"""The HTTP client of a connection: the user's settings, no limits of its own, no cookies that callers share."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from functools import cache
from http.cookiejar import Cookie, DefaultCookiePolicy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar
from urllib.request import Request as JarRequest

import anyio.to_thread
import httpx2

from toolgraft.config.oauth import Bearer
from toolgraft.connection.wire.in_flight import Failure, WireError
from toolgraft.connection.wire.person_time import uncounted

if TYPE_CHECKING:
    from toolgraft.config.servers import Remote

V = TypeVar("V")

Certificate: TypeAlias = str | tuple[str, str] | None

CONNECT_SECONDS: Final = 30.0


class KeepNone(DefaultCookiePolicy):
    """Sends the cookies that the user put into the client, and keeps none that a server sets."""

    def set_ok(self, cookie: Cookie, request: JarRequest) -> bool:
        """Refuse it: whose cookie it is, is known where requests are made."""
        return False


async def http_client(config: Remote, *, ours: bool = True) -> httpx2.AsyncClient:
    """A client for `config`, or with its TLS settings and proxy only, for what its server sends us to.

    No limit on reading: a call has one limit, and it is not here. No limit on connections: calls do not wait for each
    other.

    Raises:
        WireError: A certificate of the declaration cannot be read, or a proxy of the environment is none.
    """
    options: dict[str, Any] = {
        "headers": _headers(config) if ours else None,
        "auth": uncounted(config.auth) if ours else None,
        "timeout": httpx2.Timeout(min(CONNECT_SECONDS, config.connect_timeout), read=None, pool=None),
        "verify": await _tls(config, ours=ours),
        "proxy": config.proxy,
        "limits": httpx2.Limits(max_connections=None, max_keepalive_connections=20, keepalive_expiry=30),
    }
    try:
        client = (config.http_client or httpx2.AsyncClient)(**options)
    except httpx2.InvalidURL:  # its text may hold a piece of a password
        pass
    else:
        client.cookies.jar.set_policy(KeepNone())
        return client
    proxy = "its proxy" if config.proxy is not None else "a proxy of the environment (HTTP_PROXY and its kind)"
    escapes = "in a password, ':', '/' and '@' are written %3A, %2F, %40"
    raise WireError(Failure(f"{proxy} is no URL; {escapes}", sent=False, ran="no"))


def _headers(config: Remote) -> dict[str, str] | None:
    """The headers that all requests have."""
    if isinstance(config.auth, Bearer) and isinstance(config.auth.token, str):
        signed = {"authorization": f"Bearer {config.auth.token}"}
        return signed if callable(config.headers) else {**config.headers, **signed}
    return None if callable(config.headers) else dict(config.headers)


async def _tls(config: Remote, *, ours: bool) -> ssl.SSLContext:
    if isinstance(config.verify, ssl.SSLContext):
        return config.verify if config.cert is None else await _read(_with_certificate, config.verify, config.cert)
    url = httpx2.URL(config.url)
    if ours and url.scheme == "http" and url.port is not None and config.proxy is None:
        return _unused()  # never upgraded to https: that is followed on default ports only
    if isinstance(config.verify, str) or config.cert is not None:
        return await _read(_shared, config.verify, config.cert)
    return _shared(config.verify, None)


async def _read(make: Callable[[V, Certificate], ssl.SSLContext], verify: V, cert: Certificate) -> ssl.SSLContext:
    """A context made of files, which are read in a thread.

    Raises:
        WireError: Which of the settings names what cannot be read.
    """
    try:
        return await anyio.to_thread.run_sync(make, verify, cert)
    except _Unreadable as error:
        raise WireError(Failure(str(error), sent=False, ran="no", cause=error.__cause__)) from error


class _Unreadable(Exception):
    """A file that a setting names cannot be read, or is not what it should be."""

    def __init__(self, setting: str, paths: str | tuple[str, ...], error: OSError) -> None:
        why = "no certificate in PEM form" if isinstance(error, ssl.SSLError) else error.strerror or "unreadable"
        if isinstance(error, FileNotFoundError):
            why = "no such file"
        super().__init__(f"{setting}={paths!r}: {why}")


def _with_certificate(context: ssl.SSLContext, cert: Certificate) -> ssl.SSLContext:
    try:
        if isinstance(cert, str):
            context.load_cert_chain(cert)
        elif cert is not None:
            context.load_cert_chain(*cert)
    except OSError as error:
        raise _Unreadable("cert", cert or (), error) from error
    return context


@cache
def _shared(verify: bool | str, cert: Certificate) -> ssl.SSLContext:
    """Loading the certificate authorities takes about 20 ms: once for all connections."""
    context = _from_path(verify) if isinstance(verify, str) else httpx2.create_ssl_context(verify)
    return _with_certificate(context, cert)


def _from_path(path: str) -> ssl.SSLContext:
    try:
        if Path(path).is_dir():
            return ssl.create_default_context(capath=path)
        return ssl.create_default_context(cafile=path)
    except OSError as error:
        raise _Unreadable("verify", path, error) from error


@cache
def _unused() -> ssl.SSLContext:
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
