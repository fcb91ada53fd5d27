"""To whom a secret of the owner's may be shown where the declaration names no issuer.

A server names the authorization server to go to, and could name one of its own to be shown a secret that was given for
another. What is on the server's own host learns nothing by it that the server could not; anything else is named.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from toolgraft.config.oauth import OAuthGrant
from toolgraft.errors import OAuthError
from toolgraft.oauth.grants.grant import Means
from toolgraft.oauth.values import AuthorizationServer


def require_meant(declared: OAuthGrant, means: Means, at: AuthorizationServer) -> None:
    """Refuse to show a secret to an authorization server that only the server speaks of.

    Raises:
        OAuthError: It is on another host, and the declaration names neither it nor its host.
    """
    if declared.issuer is not None:
        return
    known = {_host(means.server), *(host.lower() for host in declared.trusted_hosts)}
    if not {_host(at.issuer), _host(at.token_endpoint)} <= known:
        reason = f"it names the authorization server {at.issuer!r}, which would be shown a secret of yours"
        remedy = f"where it is that server's, write issuer={at.issuer!r}"
        raise OAuthError(means.fetch.name, "issuer_mismatch", f"{reason}: {remedy}")


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()
