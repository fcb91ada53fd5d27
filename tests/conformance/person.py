"""The person at the client: says yes to a server's questions, and signs in without reading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import httpx2
from toolgraft import Answer, Elicitation
from toolgraft.config.oauth import OAuth

REDIRECT: Final = "http://localhost:3000/callback"
CLIENT_ID_DOCUMENT: Final = "https://conformance-test.local/client-metadata.json"
"""Where the suite believes the client's metadata document to be (CIMD); nobody reads it."""


def answer(asked: Elicitation) -> Answer:
    """Accept a form as it is offered: the defaults, and a yes where one is asked for."""
    fields: Mapping[str, Any] = (asked.schema or {}).get("properties", {})
    return Answer("accept", {"confirmed": True} if "confirmed" in fields else {})


def has_a_person_sign_in(context: Mapping[str, Any]) -> OAuth:
    """Sign in, with a browser that follows one redirect."""
    browser = Browser()
    return OAuth(
        client_id=context.get("client_id"),
        client_secret=context.get("client_secret"),
        client_metadata_url=CLIENT_ID_DOCUMENT,
        redirect_uri=REDIRECT,
        redirect=browser.visit,
        callback=browser.came_back,
        store="memory",
    )


class Browser:
    """Visits the sign-in page, which answers at once, and keeps where it was sent back to."""

    def __init__(self) -> None:
        self._back = httpx2.URL()

    async def visit(self, url: str) -> None:
        async with httpx2.AsyncClient(timeout=30) as client:
            answer = await client.get(url, follow_redirects=False)
        self._back = httpx2.URL(answer.headers["location"])

    async def came_back(self) -> str:
        return str(self._back)
