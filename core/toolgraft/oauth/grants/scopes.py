"""What is asked for and of whom, by what the server says (MCP: scope selection, authorization server location)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from toolgraft.errors import OAuthError
from toolgraft.oauth.grants.grant import Wanted
from toolgraft.oauth.values import AuthorizationServer, joined_scopes
from toolgraft.oauth.wire.discovery import ProtectedResource

_OFFLINE: Final = "offline_access"


def issuer_of(name: str, pinned: str | None, found: ProtectedResource | None, wanted: Wanted) -> str | None:
    """The authorization server to go to; None where the server names none and is taken for its own.

    Args:
        name: Name of the server.
        pinned: The only one that is accepted, or None.
        found: What the server says.
        wanted: Where tokens came from before, that one is kept to as long as the server names it.

    Raises:
        OAuthError: The server names others than the one that is accepted.
    """
    if pinned is not None:
        if found is not None and pinned.rstrip("/") not in {each.rstrip("/") for each in found.issuers}:
            reason = f"it names the authorization server {found.issuers[0]!r}, and {pinned!r} is the only one accepted"
            raise OAuthError(name, "issuer_mismatch", reason)
        return pinned
    if found is None:
        return None
    before = wanted.before.at.issuer if wanted.before else None
    return before if before in found.issuers else found.issuers[0]


def scope_of(
    declared: str | Sequence[str] | None, found: ProtectedResource | None, at: AuthorizationServer, wanted: Wanted
) -> str | None:
    """The scopes to ask for: those of the challenge, else all that the server knows, and the declaration's.

    One that lets tokens be renewed is added where the authorization server has it.
    """
    asked = needed(declared, found, wanted)
    return joined_scopes(asked, _OFFLINE) if asked is not None and _OFFLINE in at.scopes else asked


def needed(declared: str | Sequence[str] | None, found: ProtectedResource | None, wanted: Wanted) -> str | None:
    """The scopes to ask for, without one that lets tokens be renewed."""
    of_server = " ".join(found.scopes) if found is not None and found.scopes is not None else None
    own = declared if isinstance(declared, str) else " ".join(declared or ())
    return joined_scopes(wanted.scope, own, wanted.challenge.scope or of_server)
