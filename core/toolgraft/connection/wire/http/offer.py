"""At whom a server would have us sign in, looked up when it refuses us and nothing was said of signing in."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import anyio
import httpx2

from toolgraft.connection.wire.http.signing import fetch
from toolgraft.connection.wire.in_flight import Failure, WireError
from toolgraft.errors import OAuthError
from toolgraft.oauth.challenge import challenge_in
from toolgraft.oauth.wire.discovery import protected_resource
from toolgraft.oauth.wire.said import shown

if TYPE_CHECKING:
    from toolgraft.config.servers import Remote

_SECONDS: Final = 5.0


async def with_offer(config: Remote, response: httpx2.Response, failure: Failure) -> Failure:
    """A refusal, with what the server offers for signing in where it was given no auth."""
    challenge = challenge_in(response.headers.get_list("www-authenticate"))
    if response.status_code != 401 or not challenge.scheme or config.auth is not None:
        return failure
    with anyio.move_on_after(_SECONDS), suppress(OAuthError, WireError):
        found = await protected_resource(fetch(config), config.url, challenge)
        if found is not None:
            kind = "Http" if config.transport == "http" else "Sse"
            issuer = shown(found.issuers[0])
            told = f"it offers OAuth at {issuer}: {kind}({config.target!r}, auth=OAuth()) signs in"
            return replace(failure, reason=f"{failure.reason}; {told}")
    return failure
