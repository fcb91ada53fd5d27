"""How an HTTP request failed, as a typed value with a sentence that names the remedy."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import httpx2

from toolgraft.config.redact import redact_text
from toolgraft.connection.wire.http.proxies import proxy_of
from toolgraft.connection.wire.http.remedies import Remedies
from toolgraft.connection.wire.http.said import SHOWN, printed, said_in
from toolgraft.connection.wire.in_flight import Failure, WireError
from toolgraft.connection.wire.unreadable import TooLarge
from toolgraft.errors import OAuthError

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

REDIRECTED: Final = frozenset({307, 308})
"""Of the 3xx, those that ask for the same request elsewhere; after others, e.g. 303, it may have been carried out."""

OUTAGE: Final = frozenset({401, 403, 407, 408, 425, 429})
"""4xx that say nothing of what a server speaks."""


_UNWRITABLE: Final = "a header of it has white space at an end, a line break or another character that HTTP has not"

_HEADER: Final = re.compile(r"(?i)(illegal header \w+).*")
"""What h11 says of a header that it does not take: the whole of it, which may be a cookie."""


class NotMcp(Exception):
    """What answered is something else."""


class HttpFailures:
    """Puts into words what goes wrong with the requests to one server.

    Attributes:
        answered: It has answered once by HTTP: what goes wrong later is not the scheme of its URL.
        met: It has spoken MCP once: what goes wrong later is not how it is addressed.
    """

    def __init__(self, config: Http | Sse) -> None:
        self._config = config
        self._proxy = proxy_of(config)
        self._remedies = Remedies(config, self._proxy)
        self.answered = False
        self.met = False

    def of(self, error: Exception, *, left: bool = True) -> Failure:
        """What an exception of a request says.

        Args:
            error: What was raised.
            left: Whether the request had left, and was not refused, when it was raised.
        """
        if isinstance(error, WireError):
            return error.failure
        if isinstance(error, OAuthError):
            return Failure(error.reason, sent=False, ran="no", cause=error)
        if isinstance(error, httpx2.LocalProtocolError):  # h11 writes the whole value, which may be a token
            return Failure(f"its request was not sent, {_UNWRITABLE}", sent=False, ran="no")
        text = self._shown(error)
        if isinstance(error, TooLarge):
            return Failure(text, too_large=True)
        if isinstance(error, NotMcp):
            return Failure(text)
        sent = left and not isinstance(error, NEVER_SENT)
        cause = None if _HEADER.search(str(error)) else error
        return Failure(self._sentence(error, text), sent=sent, ran="perhaps" if sent else "no", cause=cause)

    def refusal(self, response: httpx2.Response, body: bytes) -> Failure:
        """What an answer of 300 and above says."""
        status = response.status_code
        reason = f"HTTP {status} {response.reason_phrase}".strip()
        said = said_in(response, body)
        remedy = self._remedies.of_refusal(response, body, met=self.met)
        return Failure(
            "".join((reason, f": {said}" if said else "", f"; {remedy}" if remedy else "")),
            ran="no" if status in REDIRECTED or (400 <= status < 500 and status not in UNKNOWN) else "perhaps",
            http_status=status,
            retry_after=response.headers.get("retry-after"),
            www_authenticate=response.headers.get("www-authenticate"),
            body=body[:SHOWN].decode(errors="replace"),
        )

    def _sentence(self, error: Exception, text: str) -> str:
        tls = _tls_cause(error)
        if isinstance(tls, ssl.SSLCertVerificationError):
            remedy = self._remedies.of_certificate(tls)
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

    def _shown(self, error: Exception) -> str:
        text = _HEADER.sub(r"\1", " ".join(str(error).split()))
        text = printed(text.replace(self._config.url, self._config.target))[:SHOWN]
        return text if isinstance(error, httpx2.HTTPError) else redact_text(text)


def _tls_cause(error: BaseException) -> ssl.SSLError | None:
    return next((each for each in _chain(error) if isinstance(each, ssl.SSLError)), None)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(20):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__
