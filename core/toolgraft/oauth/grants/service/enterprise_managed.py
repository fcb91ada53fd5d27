"""An enterprise's identity provider says who may call (RFC 8693, RFC 7523; MCP: enterprise-managed authorization)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from toolgraft.config.service import EnterpriseManaged
from toolgraft.errors import OAuthError
from toolgraft.oauth.grants.grant import Means, Wanted
from toolgraft.oauth.grants.service.asked import given
from toolgraft.oauth.grants.service.credentials import ByCredential, client_of
from toolgraft.oauth.grants.service.granting import Place, granted, place_of
from toolgraft.oauth.grants.service.workload_identity import JWT_BEARER
from toolgraft.oauth.values import AuthorizationServer, SignedIn
from toolgraft.oauth.wire.client_authentication import ClientAuthentication
from toolgraft.oauth.wire.members import text
from toolgraft.oauth.wire.said import said, shown

_WHAT: Final = "the identity provider"
_EXCHANGE: Final = "urn:ietf:params:oauth:grant-type:token-exchange"
_ID_TOKEN: Final = "urn:ietf:params:oauth:token-type:id_token"
_ID_JAG: Final = "urn:ietf:params:oauth:token-type:id-jag"
_FORM: Final = {"content-type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True, slots=True)
class OfEnterprise:
    """By what an identity provider says of a caller.

    Attributes:
        declared: What the declaration says.
        server: Name of the MCP server.
    """

    declared: EnterpriseManaged
    server: str

    @property
    def attended(self) -> bool:
        """Nobody is asked."""
        return False

    @property
    def of(self) -> str:
        """They are those of whom the id token is about; a function is told whose it is to give."""
        token = self.declared.id_token
        return f"enterprise_managed {self.declared.client_id} {_subject(token) if isinstance(token, str) else ''}"

    @property
    def authenticate(self) -> ClientAuthentication:
        """By the credential of the client."""
        return ByCredential(self.server, self.declared.credential)

    async def obtain(self, means: Means, wanted: Wanted) -> SignedIn:
        """Get tokens.

        Raises:
            OAuthError: The identity provider or the authorization server refuse, or there is no id token.
        """
        declared = self.declared
        place = await place_of(declared, means, wanted, declared.credential)
        token = declared.id_token
        id_token = token if isinstance(token, str) else await given(self.server, "id_token", token, wanted.identity)
        client = client_of(declared.client_id, declared.credential, declared.client_auth, place.at)
        form = place.form(grant_type=JWT_BEARER, assertion=await self._assertion(means, place, id_token))
        return await granted(means, place, client, self.authenticate, form)

    async def _assertion(self, means: Means, place: Place, id_token: str) -> str:
        """Trade an id token for an assertion that the server's authorization server takes (ID-JAG)."""
        declared = self.declared
        form: dict[str, str] = {
            "grant_type": _EXCHANGE,
            "requested_token_type": _ID_JAG,
            "audience": place.at.issuer,
            "resource": place.resource,
            "subject_token": id_token,
            "subject_token_type": _ID_TOKEN,
        }
        if place.scope:
            form["scope"] = place.scope
        headers = dict(_FORM)
        idp = AuthorizationServer(declared.idp_token_endpoint, declared.idp_token_endpoint)
        client = client_of(declared.idp_client_id, declared.idp_credential, None, idp)
        await ByCredential(self.server, declared.idp_credential, "idp_credential")(client, idp, form, headers)
        fetch = means.fetch.from_owner(declared.idp_token_endpoint)
        answer = await fetch.post(declared.idp_token_endpoint, _WHAT, urlencode(form).encode(), headers)
        raw = answer.json()
        if answer.status >= 500 or answer.status == 429:
            raise OAuthError(self.server, "unavailable", f"{_WHAT} answers with HTTP {answer.status} now")
        if answer.status not in (200, 201) or raw is None or "error" in raw:
            raise OAuthError(self.server, "token_refused", f"{_WHAT} refuses it, HTTP {answer.status}{said(raw)}")
        return self._taken(raw)

    def _taken(self, raw: dict[str, Any]) -> str:
        assertion, kind = text(raw, "access_token"), text(raw, "issued_token_type")
        if assertion is None or kind != _ID_JAG:
            gives = "nothing" if assertion is None else f"a token of the kind {shown(str(kind))!r}"
            reason = f"{_WHAT} gives {gives} where an assertion (ID-JAG) was asked for"
            raise OAuthError(self.server, "token_invalid", reason)
        return assertion


def _subject(token: str) -> str:
    """A digest of whom an id token is about: the next one is another token."""
    import jwt  # here, as it brings cryptography along

    try:
        claims = jwt.decode(token, options={"verify_signature": False})
        about = json.dumps([claims["iss"], claims["sub"]])
    except (jwt.InvalidTokenError, KeyError, TypeError):
        about = token
    return hashlib.sha256(about.encode(errors="replace")).hexdigest()
