"""How a token is shown: with each request to the server that it is for, and what is shown to the token endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import httpx2

from toolgraft.oauth.values import Tokens
from toolgraft.oauth.wire.fetching import Answer


class Presentation(Protocol):
    """Shows tokens. One is made for a connection, so that it may remember what it was told (RFC 9449: nonces)."""

    def show(self, request: httpx2.Request, tokens: Tokens) -> None:
        """Put a token on a request."""
        ...

    def learns(self, response: httpx2.Response) -> bool:
        """Whether a refusal asks for the same token to be shown in another way, which is known from now on."""
        ...

    def at_token_endpoint(self, url: str) -> Mapping[str, str]:
        """Headers for a request that asks for tokens."""
        ...

    def learns_at_token_endpoint(self, answer: Answer) -> bool:
        """Whether an answer of the token endpoint asks for the same request with other headers."""
        ...


class BearerToken:
    """Whoever bears the token is let in (RFC 6750)."""

    def show(self, request: httpx2.Request, tokens: Tokens) -> None:
        """Put it into the header `Authorization`, and nowhere else."""
        request.headers["authorization"] = f"Bearer {tokens.access}"

    def learns(self, response: httpx2.Response) -> bool:
        """There is no other way."""
        return False

    def at_token_endpoint(self, url: str) -> Mapping[str, str]:
        """Nothing is shown there."""
        return {}

    def learns_at_token_endpoint(self, answer: Answer) -> bool:
        """There is no other way."""
        return False
