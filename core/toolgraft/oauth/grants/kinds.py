"""From a declaration to its grant: the one place that asks for its kind."""

from __future__ import annotations

from toolgraft.config.oauth import OAuth, OAuthGrant
from toolgraft.oauth.grants.grant import Grant
from toolgraft.oauth.grants.person.sign_in import Person
from toolgraft.oauth.wire.dpop import DPoP
from toolgraft.oauth.wire.presentation import BearerToken, Presentation


def grant_of(declared: OAuthGrant) -> Grant:
    """How tokens are got."""
    match declared:
        case OAuth():
            return Person(declared)
        case _:
            raise TypeError(f"no way to be granted tokens by {type(declared).__name__}")


def presentation_of(declared: OAuthGrant) -> Presentation:
    """How tokens are shown; made anew for each connection."""
    return DPoP() if declared.dpop else BearerToken()
