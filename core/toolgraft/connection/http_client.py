"""The HTTP client of a connection."""

from __future__ import annotations

import ssl
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import httpx2

from toolgraft.connection.quiet import keep_out_of_logs

if TYPE_CHECKING:
    from toolgraft.config.servers import Http, Sse
    from toolgraft.connection.isolation import Isolation

CONNECT_SECONDS: Final = 30.0


def http_client(config: Http | Sse, isolation: Isolation) -> httpx2.AsyncClient:
    """A client for `config`, whose failures are caught by `isolation`.

    No limit on reading: a call has one limit, and it is not here. No limit on connections: calls do not wait for each
    other.
    """
    keep_out_of_logs(config.url)
    options: dict[str, Any] = {
        "headers": None if callable(config.headers) else dict(config.headers),
        "auth": config.auth,
        "timeout": httpx2.Timeout(min(CONNECT_SECONDS, config.connect_timeout), read=None, pool=None),
        "verify": _tls(config),
        "proxy": config.proxy,
        "limits": httpx2.Limits(max_connections=None, max_keepalive_connections=20, keepalive_expiry=30),
    }
    return isolation.isolate((config.http_client or httpx2.AsyncClient)(**options))


def _tls(config: Http | Sse) -> ssl.SSLContext:
    if isinstance(config.verify, ssl.SSLContext) and config.cert is None:
        return config.verify
    if isinstance(config.verify, ssl.SSLContext):
        return _with_certificate(config.verify, config.cert)
    url = httpx2.URL(config.url)
    if url.scheme == "http" and url.port is not None and config.proxy is None:
        return _unused()  # never upgraded to https: the SDK follows that on default ports only
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
