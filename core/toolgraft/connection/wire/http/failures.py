"""How an HTTP request failed, as a typed value with a sentence that names the remedy."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2

from toolgraft.config.redact import redact_text, redact_url
from toolgraft.connection.wire.in_flight import Failure, WireError
from toolgraft.connection.wire.unreadable import TooLarge

if TYPE_CHECKING:
    from toolgraft.config.servers import Http, Sse

NEVER_SENT: Final = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
)
UNKNOWN: Final = frozenset({408, 499})
"""Of the 4xx, those after which a request may have been carried out all the same; the others refuse it."""

OUTAGE: Final = frozenset({401, 403, 407, 408, 425, 429})
"""4xx that say nothing of what a server speaks."""

_SHOWN: Final = 300


class NotMcp(Exception):
    """What answered is something else."""


class HttpFailures:
    """Puts into words what goes wrong with the requests to one server.

    Attributes:
        answered: It has answered once by HTTP: what goes wrong later is not how it is addressed.
    """

    def __init__(self, config: Http | Sse) -> None:
        self._config = config
        self._proxy = _proxy_of(config)
        self.answered = False

    def of(self, error: Exception, *, left: bool = True) -> Failure:
        """What an exception of a request says.

        Args:
            error: What was raised.
            left: Whether the request had left, and was not refused, when it was raised.
        """
        if isinstance(error, WireError):
            return error.failure
        text = self._shown(error)
        if isinstance(error, TooLarge):
            return Failure(text, too_large=True)
        if isinstance(error, NotMcp):
            return Failure(text)
        sent = left and not isinstance(error, NEVER_SENT)
        return Failure(self._sentence(error, text), sent=sent, ran="perhaps" if sent else "no", cause=error)

    def refusal(self, response: httpx2.Response, body: bytes) -> Failure:
        """What an answer of 400 and above says."""
        status = response.status_code
        reason = f"HTTP {status} {response.reason_phrase}".strip()
        said = said_in(response, body)
        remedy = self._remedy(response, body)
        return Failure(
            "".join((reason, f": {said}" if said else "", f"; {remedy}" if remedy else "")),
            ran="perhaps" if status >= 500 or status in UNKNOWN else "no",
            http_status=status,
            retry_after=response.headers.get("retry-after"),
            www_authenticate=response.headers.get("www-authenticate"),
            body=body[:_SHOWN].decode(errors="replace"),
        )

    def _sentence(self, error: Exception, text: str) -> str:
        tls = _tls_cause(error)
        if isinstance(tls, ssl.SSLCertVerificationError):
            remedy = "give verify='/path/to/ca.pem' or an SSL context; verify=False turns the check off"
            return f"cannot connect, its TLS certificate is not trusted: {tls.verify_message or text} ({remedy})"
        if isinstance(error, httpx2.ProxyError):
            return f"the proxy {self._proxy or 'between'} did not let it through: {text}"
        by_proxy = f" (by the proxy {self._proxy})" if self._proxy else ""
        if tls is not None:
            remedy = "if it speaks no TLS, its URL begins with http://; else see verify="
            return f"cannot connect{by_proxy}, the TLS handshake failed: {text} ({remedy})"
        if isinstance(error, httpx2.TimeoutException):
            what = "connecting" if isinstance(error, httpx2.ConnectTimeout) else "the HTTP request"
            return f"{what} timed out{by_proxy}"
        if isinstance(error, httpx2.ConnectError):
            return f"cannot connect{by_proxy}, is it running? {text or 'refused'}"
        if isinstance(error, httpx2.TransportError):
            return f"the connection broke{by_proxy}: {text or type(error).__name__}{self._maybe_tls(error)}"
        return f"{type(error).__name__}: {text}" if text else type(error).__name__

    def _maybe_tls(self, error: Exception) -> str:
        """A server that speaks TLS hangs up on plain HTTP, or answers with a TLS alert."""
        plain = self._config.url.startswith("http://")
        if self.answered or not plain or not isinstance(error, httpx2.RemoteProtocolError | httpx2.ReadError):
            return ""
        return " (if it speaks TLS, its URL begins with https://)"

    def _remedy(self, response: httpx2.Response, body: bytes) -> str:
        status = response.status_code
        if status == 401:
            return self._login(response.headers.get("www-authenticate", ""))
        if status == 407:
            return f"the proxy {self._proxy or 'between'} wants a login: proxy='http://user:password@host:port'"
        if status == 400 and self._config.url.startswith("http://") and b"https" in body.lower():
            return "if it speaks TLS, its URL begins with https://"
        return ""

    def _login(self, challenge: str) -> str:
        given = self._config.auth is not None or callable(self._config.headers) or "authorization" in {
            key.lower() for key in self._config.headers
        }  # fmt: skip
        refused = "it does not take the credentials that it was given" if given else "it wants a login"
        if "bearer" in challenge.lower():
            offered = "it offers OAuth" if "resource_metadata" in challenge.lower() else "it takes a bearer token"
            how = "auth= with mcp's OAuthClientProvider, or headers={'Authorization': 'Bearer ...'}"
            return f"{refused} and {offered}: {how}"
        return f"{refused} and does not say that it offers OAuth: auth= or headers={{'Authorization': ...}}"

    def _shown(self, error: Exception) -> str:
        text = " ".join(str(error).split()).replace(self._config.url, self._config.target)
        return "".join(each if each.isprintable() else "\ufffd" for each in text)[:_SHOWN]


def said_in(response: httpx2.Response, body: bytes) -> str:
    """The reason that an answer gives in its body: `{"detail": ...}` and its kind, or a short plain text."""
    kind = response.headers.get("content-type", "").lower()
    text = body[: 64 * 1024].decode(errors="replace").strip()
    if "json" in kind or text.startswith("{"):
        try:
            text = _reason_in(json.loads(text))
        except (ValueError, RecursionError):
            return ""
    elif not kind.startswith("text/plain"):
        return ""
    text = " ".join(text.split())
    return redact_text("".join(each if each.isprintable() else "\ufffd" for each in text)[:_SHOWN])


def _reason_in(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value:
        return _reason_in(cast("list[object]", value)[0])
    if isinstance(value, dict):
        given = cast("dict[str, Any]", value)
        for key in ("detail", "error_description", "message", "msg", "reason", "title", "error", "errors"):
            if found := _reason_in(given.get(key)):
                return found
    return ""


def _tls_cause(error: BaseException) -> ssl.SSLError | None:
    return next((each for each in _chain(error) if isinstance(each, ssl.SSLError)), None)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(20):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _proxy_of(config: Http | Sse) -> str:
    """The proxy that requests go through, without secrets; empty where they go straight."""
    if config.proxy is not None:
        return redact_url(config.proxy)
    split = urlsplit(config.url)
    proxies = getproxies()
    found = proxies.get(split.scheme) or proxies.get("all")
    if not found or (split.hostname and proxy_bypass(split.hostname)):
        return ""
    return redact_url(found if "://" in found else f"http://{found}")
