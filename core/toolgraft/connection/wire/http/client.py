"""The HTTP client of a connection: the user's settings, no limits of its own, no cookies that callers share."""

from __future__ import annotations

import ssl
from functools import cache
from http.cookiejar import Cookie, DefaultCookiePolicy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.request import Request as JarRequest

import httpx2

from toolgraft.connection.wire.person_time import uncounted

if TYPE_CHECKING:
    from toolgraft.config.servers import Http, Sse

CONNECT_SECONDS: Final = 30.0


class KeepNone(DefaultCookiePolicy):
    """Sends the cookies that the user put into the client, and keeps none that a server sets."""

    def set_ok(self, cookie: Cookie, request: JarRequest) -> bool:
        """Refuse it: whose cookie it is, is known where requests are made."""
        return False


def http_client(config: Http | Sse) -> httpx2.AsyncClient:
    """A client for `config`.

    No limit on reading: a call has one limit, and it is not here. No limit on connections: calls do not wait for each
    other.
    """
    options: dict[str, Any] = {
        "headers": None if callable(config.headers) else dict(config.headers),
        "auth": uncounted(config.auth),
        "timeout": httpx2.Timeout(min(CONNECT_SECONDS, config.connect_timeout), read=None, pool=None),
        "verify": _tls(config),
        "proxy": config.proxy,
        "limits": httpx2.Limits(max_connections=None, max_keepalive_connections=20, keepalive_expiry=30),
    }
    client = (config.http_client or httpx2.AsyncClient)(**options)
    client.cookies.jar.set_policy(KeepNone())
    return client


def _tls(config: Http | Sse) -> ssl.SSLContext:
    if isinstance(config.verify, ssl.SSLContext) and config.cert is None:
        return config.verify
    if isinstance(config.verify, ssl.SSLContext):
        return _with_certificate(config.verify, config.cert)
    url = httpx2.URL(config.url)
    if url.scheme == "http" and url.port is not None and config.proxy is None:
        return _unused()  # never upgraded to https: that is followed on default ports only
    return _shared(config.verify, config.cert)


def _with_certificate(context: ssl.SSLContext, cert: str | tuple[str, str] | None) -> ssl.SSLContext:
    if isinstance(cert, str):
        context.load_cert_chain(cert)
    elif cert is not None:
        context.load_cert_chain(*cert)
    return context


@cache
def _shared(verify: bool | str, cert: str | tuple[str, str] | None) -> ssl.SSLContext:
    """Loading the certificate authorities takes about 20 ms: once for all connections."""
    context = _from_path(verify) if isinstance(verify, str) else httpx2.create_ssl_context(verify)
    return _with_certificate(context, cert)


def _from_path(path: str) -> ssl.SSLContext:
    if Path(path).is_dir():
        return ssl.create_default_context(capath=path)
    return ssl.create_default_context(cafile=path)


@cache
def _unused() -> ssl.SSLContext:
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
