"""What a program runs on vouches for it (RFC 7523 section 2.1; MCP: workload identity)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from toolgraft.config.service import WorkloadIdentity
from toolgraft.oauth.grants.grant import Means, Wanted
from toolgraft.oauth.grants.service.asked import given
from toolgraft.oauth.grants.service.credentials import ByCredential, client_of
from toolgraft.oauth.grants.service.granting import granted, place_of
from toolgraft.oauth.values import SignedIn
from toolgraft.oauth.wire.client_authentication import ClientAuthentication

JWT_BEARER: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"


@dataclass(frozen=True, slots=True)
class OfWorkload:
    """By an assertion that says who it is.

    Attributes:
        declared: What the declaration says.
        server: Name of the MCP server.
    """

    declared: WorkloadIdentity
    server: str

    @property
    def attended(self) -> bool:
        """Nobody is asked."""
        return False

    @property
    def of(self) -> str:
        """They are the workload's."""
        return f"workload_identity {self.declared.client_id or ''}"

    @property
    def authenticate(self) -> ClientAuthentication:
        """By its client's id, where it has one."""
        return ByCredential(self.server, None)

    async def obtain(self, means: Means, wanted: Wanted) -> SignedIn:
        """Get tokens.

        Raises:
            OAuthError: There are none to be had, or no assertion.
        """
        place = await place_of(self.declared, means, wanted)
        assertion = await given(self.server, "assertion", self.declared.assertion, place.at.issuer)
        client = client_of(self.declared.client_id, None, None, place.at)
        form = place.form(grant_type=JWT_BEARER, assertion=assertion)
        return await granted(means, place, client, self.authenticate, form)
