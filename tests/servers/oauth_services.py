"""The servers of `oauth`, also for services: clients with secrets and keys, assertions, an identity provider, DPoP.

Assertions and proofs are checked as RFC 7523 and RFC 9449 say, by PyJWT and by hand: none of ours checks itself.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, unquote

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.servers.oauth import World

JWT_BEARER: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
CLIENT_ASSERTION: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
EXCHANGE: Final = "urn:ietf:params:oauth:grant-type:token-exchange"
ID_JAG: Final = "urn:ietf:params:oauth:token-type:id-jag"

KEYS: Final[dict[str, Any]] = {
    "ES256": ec.generate_private_key(ec.SECP256R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate(),
    "RS256": rsa.generate_private_key(65537, 2048),
}
"""Private keys of clients, by what they sign."""


def pem_of(key: Any) -> str:
    """As its owner has it."""
    return str(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode())


def assertion_of(subject: str, audience: str, **more: Any) -> str:
    """What somebody whom the authorization server trusts says of a subject."""
    now = int(time.time())
    claims = {"iss": "https://idp", "sub": subject, "aud": audience, "iat": now, "exp": now + 60, **more}
    return jwt.encode(claims, KEYS["ES256"], algorithm="ES256")


@dataclass
class ServiceWorld(World):
    """Both servers and an identity provider, on one port.

    Attributes:
        dpop: Tokens are bound to the key of a proof, and shown with one.
        token_type: What the authorization server says of the kind of a token, in place of the truth.
        as_nonces: Nonces that the authorization server wants in proofs, the latest last; empty where it wants none.
        rs_nonces: The same of the server.
        rotating: Each answer of the server brings the next of them.
        bound: By token: the thumbprint of the key that it is bound to.
        proofs: Claims of all proofs that were checked.
        keys: Thumbprints of their keys.
        unfit: What was wrong with a proof or an assertion.
        idp: Forms that the identity provider was asked with.
        idp_says: Changes what it answers.
    """

    dpop: bool = False
    token_type: str | None = None
    as_nonces: list[str] = field(default_factory=list[str])
    rs_nonces: list[str] = field(default_factory=list[str])
    rotating: bool = False
    bound: dict[str, str] = field(default_factory=dict[str, str])
    proofs: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    keys: list[str] = field(default_factory=list[str])
    unfit: list[str] = field(default_factory=list[str])
    idp: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    idp_says: dict[str, Any] = field(default_factory=dict[str, Any])
    jtis: set[str] = field(default_factory=set[str])

    @property
    def idp_token_endpoint(self) -> str:
        return f"{self.origin}/idp/token"

    def app(self) -> Starlette:
        app = super().app()
        app.routes.append(Route("/idp/token", self._of("idp", self._exchanged), methods=["POST"]))
        return app

    async def _token(self, request: Request) -> Response:
        thumbprint = ""
        if self.dpop or "dpop" in request.headers:
            thumbprint = self._proven(request, None)
            if not thumbprint:
                return _refused("invalid_dpop_proof")
            if self.as_nonces and self.proofs[-1].get("nonce") != self.as_nonces[-1]:
                return _refused("use_dpop_nonce", headers={"dpop-nonce": self.as_nonces[-1]})
        form = dict(parse_qsl((await request.body()).decode()))
        if form.get("grant_type") in ("client_credentials", JWT_BEARER):
            answer = self._service(request, form)
        else:
            if (bound := self.bound.get(form.get("refresh_token", ""))) is not None and bound != thumbprint:
                return _refused("invalid_grant")
            answer = await super()._token(request)
        changed = answer.status_code == 200 and (self.dpop or self.token_type)
        return self._bound_to(thumbprint, answer) if changed else answer

    def _bound_to(self, thumbprint: str, answer: Response) -> Response:
        said = json.loads(bytes(answer.body))
        for name in ("access_token", "refresh_token"):
            if name in said:
                self.bound[said[name]] = thumbprint
        headers = {"dpop-nonce": self.as_nonces[-1]} if self.as_nonces else {}
        return JSONResponse({**said, "token_type": self.token_type or "DPoP"}, headers=headers)

    def _service(self, request: Request, form: dict[str, str]) -> Response:
        basic = request.headers.get("authorization", "")
        if basic.startswith("Basic "):
            pair = base64.b64decode(basic[6:]).decode().split(":")
            form["client_id"], form["client_secret"] = map(unquote, pair)
        self.log.append((form["grant_type"].rpartition(":")[2], form))
        known = self.clients.get(form.get("client_id", ""), {})
        if not self._is_client(known, form):
            return _refused("invalid_client", 401)
        if form.get("resource") != self.url:
            return _refused("invalid_target")
        user = form.get("client_id", "")
        if form["grant_type"] == JWT_BEARER:
            claims = self._claims(form.get("assertion", ""), KEYS["ES256"].public_key(), "ES256")
            if not claims or form["assertion"] in self.spent:
                return _refused("invalid_grant")
            user = claims["sub"]
        answer = json.loads(bytes(self._give(user, form.get("scope", ""), secrets.token_hex(4)).body))
        self.refresh.pop(answer.pop("refresh_token"))
        return JSONResponse({**answer, "token_type": self.token_type or "bearer"})

    def _is_client(self, known: dict[str, Any], form: dict[str, str]) -> bool:
        if "algorithm" in known:
            public = KEYS[known["algorithm"]].public_key()
            claims = self._claims(form.get("client_assertion", ""), public, known["algorithm"])
            ours = claims.get("iss") == claims.get("sub") == form.get("client_id")
            fresh = claims.get("jti", "") not in self.jtis
            self.jtis.add(claims.get("jti", ""))
            return form.get("client_assertion_type") == CLIENT_ASSERTION and ours and fresh
        return str(known.get("client_secret", "")) == form.get("client_secret", "")

    def _claims(self, token: str, key: Any, algorithm: str) -> dict[str, Any]:
        try:
            return dict(jwt.decode(token, key, algorithms=[algorithm], audience=self.issuer))
        except jwt.InvalidTokenError as error:
            self.unfit.append(str(error))
            return {}

    async def _exchanged(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        self.idp.append(form)
        try:
            key = KEYS["ES256"].public_key()
            about = jwt.decode(form["subject_token"], key, algorithms=["ES256"], audience="idp-client")
        except jwt.InvalidTokenError:
            return _refused("invalid_grant")
        jag = assertion_of(about["sub"], form["audience"], resource=form["resource"], jti=secrets.token_hex(8))
        said = {"access_token": jag, "issued_token_type": ID_JAG, "token_type": "N_A", "expires_in": 300}
        return JSONResponse({**said, **self.idp_says})

    async def _mcp(self, request: Request) -> Response:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if not self.dpop or not token:
            return await super()._mcp(request)
        thumbprint = self._proven(request, token)
        if scheme != "DPoP" or not thumbprint or self.bound.get(token, thumbprint) != thumbprint:
            return self.challenge("invalid_dpop_proof")
        if self.rs_nonces and self.proofs[-1].get("nonce") != self.rs_nonces[-1]:
            return self.challenge("use_dpop_nonce", {"dpop-nonce": self.rs_nonces[-1]})
        headers = [(name, value) for name, value in request.scope["headers"] if name != b"authorization"]
        headers.append((b"authorization", f"Bearer {token}".encode()))
        answer = await super()._mcp(Request({**request.scope, "headers": headers}, request.receive))
        if answer.status_code == 401:
            return self.challenge("invalid_token")
        if self.rotating:
            self.rs_nonces.append(f"rs-{len(self.rs_nonces) + 1}")
        if self.rs_nonces:
            answer.headers["dpop-nonce"] = self.rs_nonces[-1]
        return answer

    def challenge(self, error: str, headers: dict[str, str] | None = None) -> Response:
        """How a server that wants bound tokens refuses."""
        metadata = f"{self.origin}/.well-known/oauth-protected-resource/mcp"
        said = f'DPoP error="{error}", resource_metadata="{metadata}", scope="{self.scopes}"'
        return Response(status_code=401, headers={"www-authenticate": said, **(headers or {})})

    def _proven(self, request: Request, token: str | None) -> str:
        """The thumbprint of the key that a proof is made with (RFC 9449 section 4.3); empty where it proves nothing."""
        try:
            proof = request.headers["dpop"]
            header = jwt.get_unverified_header(proof)
            jwk = header["jwk"]
            claims: dict[str, Any] = jwt.decode(proof, jwt.PyJWK(jwk).key, algorithms=[header["alg"]])
            assert header["typ"] == "dpop+jwt"
            assert not set(jwk) & {"d", "p", "q", "k"}
            assert header["alg"] in ("ES256", "RS256", "EdDSA")
            assert claims["htm"] == request.method
            assert claims["htu"] == f"{self.origin}{request.url.path}"
            assert abs(claims["iat"] - time.time()) < 60
            assert claims["jti"] not in self.jtis
            assert claims.get("ath") == (None if token is None else _digest(token))
        except (jwt.InvalidTokenError, KeyError, AssertionError) as error:
            self.unfit.append(repr(error))
            return ""
        self.jtis.add(claims["jti"])
        self.proofs.append(claims)
        self.keys.append(_digest(json.dumps({name: jwk[name] for name in sorted(jwk)}, separators=(",", ":"))))
        return self.keys[-1]


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


def _refused(code: str, status: int = 400, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": code}, status, headers=headers)
