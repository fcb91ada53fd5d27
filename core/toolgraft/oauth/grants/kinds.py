"""From a declaration to its grant: the one place that asks for its kind."""

from __future__ import annotations

from toolgraft.config.oauth import OAuth, OAuthGrant
from toolgraft.config.service import ClientCredentials, EnterpriseManaged, WorkloadIdentity
from toolgraft.oauth.grants.grant import Grant
from toolgraft.oauth.grants.person.sign_in import Person
from toolgraft.oauth.grants.service.client_credentials import OfClient
from toolgraft.oauth.grants.service.enterprise_managed import OfEnterprise
from toolgraft.oauth.grants.service.workload_identity import OfWorkload
from toolgraft.oauth.wire.dpop import DPoP
from toolgraft.oauth.wire.presentation import BearerToken, Presentation


def grant_of(declared: OAuthGrant, server: str) -> Grant:
    """How tokens are got, for a server of this name."""
    match declared:
        case OAuth():
            return Person(declared)
        case ClientCredentials():
            return OfClient(declared, server)
        case EnterpriseManaged():
            return OfEnterprise(declared, server)
        case WorkloadIdentity():
            return OfWorkload(declared, server)
        case _:
            raise TypeError(f"no way to be granted tokens by {type(declared).__name__}")


def presentation_of(declared: OAuthGrant) -> Presentation:
    """How tokens are shown; made anew for each connection."""
    return DPoP() if declared.dpop else BearerToken()
