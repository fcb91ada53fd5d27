"""How a service tells a token endpoint who it is: by its secret, or by an assertion (RFC 7523 section 2.2)."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, replace
from typing import Any, Final

from toolgraft.config.service import Credential, PrivateKey
from toolgraft.oauth.grants.service.asked import given
from toolgraft.oauth.values import AuthorizationServer, Client
from toolgraft.oauth.wire.client_authentication import by_secret, method_for

_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_SECONDS: Final = 60


@dataclass(frozen=True, slots=True, repr=False)
class ByCredential:
    """Tells it as the declaration says.

    Attributes:
        server: Name of the MCP server.
        credential: What the declaration has.
        what: Its name there.
    """

    server: str
    credential: Credential | None
    what: str = "credential"

    async def __call__(
        self, client: Client, at: AuthorizationServer, form: dict[str, str], headers: dict[str, str]
    ) -> None:
        """Add what tells it to a form and to the headers that it is sent with."""
        if self.credential is None or isinstance(self.credential, str):
            if client.id:
                await by_secret(replace(client, secret=self.credential), at, form, headers)
            return
        if isinstance(self.credential, PrivateKey):
            assertion = _signed(self.credential, client, at)
        else:
            assertion = await given(self.server, self.what, self.credential, at.issuer)
        form.update(client_id=client.id, client_assertion_type=_TYPE, client_assertion=assertion)


def client_of(
    client_id: str | None, credential: Credential | None, method: str | None, at: AuthorizationServer
) -> Client:
    """The client that a declaration names, without its secret: that is kept nowhere, and may be another by tomorrow."""
    if credential is None or isinstance(credential, str):
        return Client(client_id or "", method=method or method_for(credential, at.client_auth_methods))
    return Client(client_id or "", method="private_key_jwt")


def is_for_any(credential: Credential | None) -> bool:
    """Whether whoever is shown it could show it to another: a secret, or what is signed for one audience always."""
    return isinstance(credential, str) or (isinstance(credential, PrivateKey) and credential.audience is not None)


def _signed(key: PrivateKey, client: Client, at: AuthorizationServer) -> str:
    import jwt  # here, as it brings cryptography along

    now = int(time.time())
    claims: dict[str, Any] = {
        "iss": client.id,
        "sub": client.id,
        "aud": key.audience or at.issuer,
        "jti": secrets.token_urlsafe(16),
        "iat": now,
        "exp": now + _SECONDS,
    }
    return jwt.encode(claims, key.pem, algorithm=key.algorithm, headers={"kid": key.key_id} if key.key_id else None)
