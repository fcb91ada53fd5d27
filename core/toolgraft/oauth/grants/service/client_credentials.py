"""A program calls on its own behalf (RFC 6749 section 4.4; MCP: OAuth client credentials)."""

from __future__ import annotations

from dataclasses import dataclass

from toolgraft.config.service import ClientCredentials
from toolgraft.oauth.grants.grant import Means, Wanted
from toolgraft.oauth.grants.service.credentials import ByCredential, client_of
from toolgraft.oauth.grants.service.granting import granted, place_of
from toolgraft.oauth.values import SignedIn
from toolgraft.oauth.wire.client_authentication import ClientAuthentication


@dataclass(frozen=True, slots=True)
class OfClient:
    """By the client's own credential.

    Attributes:
        declared: What the declaration says.
        server: Name of the MCP server.
    """

    declared: ClientCredentials
    server: str

    @property
    def attended(self) -> bool:
        """Nobody is asked."""
        return False

    @property
    def of(self) -> str:
        """They are the client's."""
        return f"client_credentials {self.declared.client_id}"

    @property
    def authenticate(self) -> ClientAuthentication:
        """By its credential."""
        return ByCredential(self.server, self.declared.credential)

    async def obtain(self, means: Means, wanted: Wanted) -> SignedIn:
        """Get tokens.

        Raises:
            OAuthError: There are none to be had.
        """
        declared = self.declared
        place = await place_of(declared, means, wanted, declared.credential)
        client = client_of(declared.client_id, declared.credential, declared.client_auth, place.at)
        return await granted(means, place, client, self.authenticate, place.form(grant_type="client_credentials"))
