"""The person at the client: says yes to a server's questions, and signs in without reading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import httpx2
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl
from toolgraft import Answer, Elicitation

REDIRECT: Final = AnyUrl("http://localhost:3000/callback")
CLIENT_ID_DOCUMENT: Final = "https://conformance-test.local/client-metadata.json"
"""Where the suite believes the client's metadata document to be (CIMD); nobody reads it."""


def answer(asked: Elicitation) -> Answer:
    """Accept a form as it is offered: the defaults, and a yes where one is asked for."""
    fields: Mapping[str, Any] = (asked.schema or {}).get("properties", {})
    return Answer("accept", {"confirmed": True} if "confirmed" in fields else {})


def signs_in(url: str, context: Mapping[str, Any]) -> httpx2.Auth:
    """Give the SDK's OAuth client, with a browser that follows one redirect."""
    browser = Browser()
    known = None
    if "client_id" in context:
        known = OAuthClientInformationFull(
            client_id=context["client_id"],
            client_secret=context.get("client_secret"),
            issuer=context.get("issuer"),
            redirect_uris=[REDIRECT],
            token_endpoint_auth_method="client_secret_basic",
        )
    return OAuthClientProvider(
        url,
        OAuthClientMetadata(client_name="toolgraft", redirect_uris=[REDIRECT]),
        Memory(known),
        browser.visit,
        browser.came_back,
        client_metadata_url=CLIENT_ID_DOCUMENT,
    )


class Browser:
    """Visits the sign-in page, which answers at once, and keeps where it was sent back to."""

    def __init__(self) -> None:
        self._back = httpx2.URL()

    async def visit(self, url: str) -> None:
        async with httpx2.AsyncClient(timeout=30) as client:
            answer = await client.get(url, follow_redirects=False)
        self._back = httpx2.URL(answer.headers["location"])

    async def came_back(self) -> AuthorizationCodeResult:
        given = self._back.params
        return AuthorizationCodeResult(code=given["code"], state=given.get("state"), iss=given.get("iss"))


class Memory:
    """Keeps tokens as long as the client lives."""

    def __init__(self, client: OAuthClientInformationFull | None) -> None:
        self._client = client
        self._tokens: OAuthToken | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self._tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self._tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._client = client_info
