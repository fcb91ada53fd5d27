"""How a token is shown: with each request to the server that it is for, and what is shown to the token endpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import httpx2

from toolgraft.oauth.values import Tokens
from toolgraft.oauth.wire.fetching import Answer


class Presentation(Protocol):
    """Shows tokens. One is made for a connection, so that it may remember what it was told (RFC 9449: nonces).

    Attributes:
        kind: The kind of token that it shows, `Bearer` or `DPoP`; no other is taken (RFC 6749 section 7.1).
        problems: Errors of a refusal that other tokens change nothing of.
    """

    @property
    def kind(self) -> str: ...  # noqa: D102

    @property
    def problems(self) -> frozenset[str]: ...  # noqa: D102

    def can_show(self, tokens: Tokens) -> bool:
        """Whether it can show these, which were granted before, maybe to be shown in another way."""
        ...

    def show(self, request: httpx2.Request, tokens: Tokens) -> None:
        """Put a token on a request."""
        ...

    def learns(self, response: httpx2.Response) -> bool:
        """Whether an answer asks for the same token to be shown in another way, which is known from now on."""
        ...

    def new_key(self, algorithms: Sequence[str]) -> str | None:
        """A key to bind tokens to, for an authorization server that takes these signatures; None where none is bound.

        Raises:
            ValueError: It takes none that we make.
        """
        ...

    def at_token_endpoint(self, url: str, key: str | None) -> Mapping[str, str]:
        """Headers for a request that asks for tokens that are bound to a key."""
        ...

    def learns_at_token_endpoint(self, url: str, answer: Answer) -> bool:
        """Whether an answer of the token endpoint asks for the same request with other headers."""
        ...


class BearerToken:
    """Whoever bears the token is let in (RFC 6750)."""

    kind = "Bearer"
    problems: frozenset[str] = frozenset()

    def can_show(self, tokens: Tokens) -> bool:
        """Those that are bound to nothing."""
        return tokens.kind == self.kind

    def show(self, request: httpx2.Request, tokens: Tokens) -> None:
        """Put it into the header `Authorization`, and nowhere else."""
        request.headers["authorization"] = f"Bearer {tokens.access}"

    def learns(self, response: httpx2.Response) -> bool:
        """There is no other way."""
        return False

    def new_key(self, algorithms: Sequence[str]) -> None:
        """Nothing is bound."""

    def at_token_endpoint(self, url: str, key: str | None) -> Mapping[str, str]:
        """Nothing is shown there."""
        return {}

    def learns_at_token_endpoint(self, url: str, answer: Answer) -> bool:
        """There is no other way."""
        return False
