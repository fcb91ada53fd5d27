"""Tokens that are bound to a key, and the proofs that we have it: one for each request (RFC 9449)."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import httpx2

from toolgraft.oauth.values import Tokens
from toolgraft.oauth.wire.fetching import Answer
from toolgraft.oauth.wire.keys import ALGORITHMS, new_jwk, public_jwk, signed

_WANTED: Final = "use_dpop_nonce"
_NONCE: Final = re.compile(r"[!#-\[\]-~]{1,1024}\Z")
"""RFC 9449 section 8.1; the length is ours."""

_Of: TypeAlias = Literal["authorization server", "server"]


class DPoP:
    """Shows a token with a proof that we have the key that it is bound to.

    A proof is for one request: its method and URL, a number of its own, the token's digest and the latest nonce of
    the server that it goes to. The authorization server's nonces are its own, also where both are at one origin.
    """

    kind = "DPoP"
    problems: frozenset[str] = frozenset({_WANTED, "invalid_dpop_proof"})

    def __init__(self) -> None:
        self._nonces: dict[tuple[_Of, str], str] = {}

    def can_show(self, tokens: Tokens) -> bool:
        """Those whose key we have."""
        return tokens.kind == self.kind and tokens.key is not None and public_jwk(tokens.key) is not None

    def show(self, request: httpx2.Request, tokens: Tokens) -> None:
        """Put it into `Authorization`, with the scheme `DPoP`, and the proof into `DPoP` (sections 4.2 and 7.1)."""
        assert tokens.key is not None
        digest = base64.urlsafe_b64encode(hashlib.sha256(tokens.access.encode("ascii")).digest()).decode().rstrip("=")
        nonce = self._nonces.get(("server", _origin(request.url)))
        request.headers["authorization"] = f"DPoP {tokens.access}"
        request.headers["dpop"] = _proof(tokens.key, request.method, request.url, nonce, {"ath": digest})

    def learns(self, response: httpx2.Response) -> bool:
        """Whether a nonce that is new to us is asked for (section 9); one may come with any answer."""
        known = self._keeps("server", response.request.url, response.headers)
        asked = any(_WANTED in each for each in response.headers.get_list("www-authenticate"))
        return response.status_code == 401 and asked and known

    def new_key(self, algorithms: Sequence[str]) -> str:
        """A key of its own for each grant, so that nothing ties one caller to another.

        Raises:
            ValueError: There is no signature that both know.
        """
        algorithm = next((each for each in ALGORITHMS if each in (algorithms or ALGORITHMS)), None)
        if algorithm is None:
            raise ValueError(f"it takes proofs that are signed by {', '.join(algorithms)[:200]}, which we cannot make")
        return new_jwk(algorithm)

    def at_token_endpoint(self, url: str, key: str | None) -> Mapping[str, str]:
        """A proof without a token (section 5)."""
        assert key is not None
        target = httpx2.URL(url)
        return {"dpop": _proof(key, "POST", target, self._nonces.get(("authorization server", _origin(target))), {})}

    def learns_at_token_endpoint(self, url: str, answer: Answer) -> bool:
        """Whether a nonce that is new to us is asked for (section 8)."""
        known = self._keeps("authorization server", httpx2.URL(url), answer.headers)
        raw = answer.json() if answer.status in (400, 401) else None
        return raw is not None and raw.get("error") == _WANTED and known

    def _keeps(self, of: _Of, url: httpx2.URL, headers: Mapping[str, str]) -> bool:
        """Keep the nonce of an answer for the next request, and say whether it is another one."""
        nonce = headers.get("dpop-nonce", "")
        place: tuple[_Of, str] = (of, _origin(url))
        if not _NONCE.match(nonce) or self._nonces.get(place) == nonce:
            return False
        self._nonces[place] = nonce
        return True


def _proof(key: str, method: str, url: httpx2.URL, nonce: str | None, more: Mapping[str, str]) -> str:
    where = str(url.copy_with(userinfo=b"", query=None, fragment=None))
    claims: dict[str, Any] = {"jti": secrets.token_urlsafe(16), "htm": method, "htu": where, "iat": int(time.time())}
    if nonce is not None:
        claims["nonce"] = nonce
    return signed({**claims, **more}, key, {"typ": "dpop+jwt", "jwk": public_jwk(key)})


def _origin(url: httpx2.URL) -> str:
    return f"{url.scheme}://{url.netloc.decode('ascii')}"
