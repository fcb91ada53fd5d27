"""What to do about a refusal: which setting to write, or what to ask of whoever runs the server."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Final

import httpx2

from toolgraft.config.oauth import OAuthGrant
from toolgraft.connection.wire.http.said import SHOWN, printed
from toolgraft.oauth.challenge import Challenge, challenge_in

if TYPE_CHECKING:
    from toolgraft.config.servers import Http, Sse

_OTHER_HOST: Final = frozenset({62, 64})
"""X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH."""

_EXPIRED: Final = 10
_NOT_YET: Final = 9


class Remedies:
    """The remedies for one server.

    Args of its making: its declaration, and the proxy that requests go through, as it may be shown.
    """

    def __init__(self, config: Http | Sse, proxy: str) -> None:
        self._config = config
        self._proxy = proxy

    def of_refusal(self, response: httpx2.Response, body: bytes, *, met: bool) -> str:
        """What to do about an answer of 400 and above; empty where nothing is known.

        Args:
            response: Its head.
            body: The beginning of what it says.
            met: The server has spoken MCP already: what is refused is not how it is addressed.
        """
        match response.status_code:
            case 401:
                return self._login(challenge_in(response.headers.get_list("www-authenticate")))
            case 403:
                return self._permission(challenge_in(response.headers.get_list("www-authenticate")), body.lower())
            case 407:
                return f"the proxy {self._proxy or 'between'} wants a login: proxy='http://user:password@host:port'"
            case 421:
                return self._host()
            case 429 | 503:
                return _later(response.headers.get("retry-after", ""))
            case 400 if self._config.url.startswith("http://") and b"https" in body.lower():
                return "if it speaks TLS, its URL begins with https://"
            case 404 | 405 if not met:
                return self._path()
            case _:
                return ""

    def of_certificate(self, error: ssl.SSLCertVerificationError) -> str:
        """What to do about a certificate that is not trusted."""
        if error.verify_code in _OTHER_HOST:
            return "it is issued for another host: write a host name that it names in the URL"
        if error.verify_code == _EXPIRED:
            return "it has expired: whoever runs the server has to renew it"
        if error.verify_code == _NOT_YET:
            return "it is not valid yet: is the clock right?"
        return "give verify='/path/to/ca.pem' or an SSL context; verify=False turns the check off"

    def _login(self, challenge: Challenge) -> str:
        if isinstance(self._config.auth, OAuthGrant):
            if challenge.error in ("use_dpop_nonce", "invalid_dpop_proof"):
                return "it does not take the proof that goes with the token (DPoP): is the clock right?"
            if challenge.scheme == "dpop" and not self._config.auth.dpop:
                return "it wants tokens that are bound to a key (DPoP): dpop=True binds them"
            return "it does not take the token that was just signed in for"
        refused = "it does not take the credentials that it was given" if self._has_login else "it wants a login"
        if challenge.scheme:
            offered = "it offers OAuth" if challenge.resource_metadata else "it takes a bearer token"
            return f"{refused} and {offered}: auth=OAuth() signs in, auth=Bearer(token) is for a token that you have"
        return f"{refused} and does not say that it offers OAuth: auth= or headers={{'Authorization': ...}}"

    def _permission(self, challenge: Challenge, said: bytes) -> str:
        if challenge.error == "insufficient_scope" and challenge.scope:
            return f"the token lacks the scope {printed(challenge.scope)[:SHOWN]!r}"
        if b"host" in said and b"header" in said:
            return self._host()
        if b"origin" in said:
            return "it has to allow our origin: headers={'Origin': ...} with one that it allows"
        if self._has_login:
            return "the credentials that it was given do not allow this"
        return "it may want a login: auth= or headers={'Authorization': ...}"

    def _host(self) -> str:
        return (
            "it does not answer for this host name: write the one that it knows in the URL, "
            "or add this one to the hosts that it allows (its protection against DNS rebinding)"
        )

    def _path(self) -> str:
        if self._config.transport == "sse":
            return "is the path right? HTTP+SSE is mostly served at /sse; Streamable HTTP, at /mcp, is Http(url)"
        return "is the path right? Streamable HTTP is mostly served at /mcp; the older HTTP+SSE, at /sse, is Sse(url)"

    @property
    def _has_login(self) -> bool:
        config = self._config
        if config.auth is not None or callable(config.headers) or httpx2.URL(config.url).userinfo:
            return True
        return "authorization" in {key.lower() for key in config.headers}


def _later(asked: str) -> str:
    """When to come again, where the server says (RFC 9110, 10.2.3)."""
    if not asked or len(asked) > 40:
        return ""
    return f"it asks to be tried again after {printed(asked)}{' s' if asked.isdecimal() else ''}"
