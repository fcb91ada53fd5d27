"""How the token endpoint is told which client asks (RFC 6749 section 2.3, RFC 7591 `token_endpoint_auth_method`)."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Final, Protocol
from urllib.parse import quote

from toolgraft.oauth.values import AuthorizationServer, Client

BY_SECRET: Final = ("client_secret_basic", "client_secret_post")
METHODS: Final = ("none", *BY_SECRET)
"""Those that a secret, or none, is enough for."""


class ClientAuthentication(Protocol):
    """Tells who asks, e.g. by a secret or a signed assertion (RFC 7523)."""

    async def __call__(
        self, client: Client, at: AuthorizationServer, form: dict[str, str], headers: dict[str, str]
    ) -> None:
        """Add what tells it to a form and to the headers that it is sent with; made anew for each request."""
        ...


async def by_secret(client: Client, at: AuthorizationServer, form: dict[str, str], headers: dict[str, str]) -> None:
    """Tell it by the secret that the client has, or by its id alone."""
    if client.method == "client_secret_basic" and client.secret is not None:
        pair = f"{quote(client.id, safe='')}:{quote(client.secret, safe='')}"
        headers["authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        return
    form["client_id"] = client.id
    if client.method == "client_secret_post" and client.secret is not None:
        form["client_secret"] = client.secret


def method_for(secret: str | None, supported: Sequence[str] | None) -> str:
    """The method for a client whose owner did not name one.

    Args:
        secret: Its secret, or None.
        supported: What the authorization server takes; None where it does not say, which means HTTP Basic (RFC 8414).
    """
    if secret is None:
        return "none"
    return next((method for method in BY_SECRET if method in (supported or BY_SECRET)), BY_SECRET[0])
