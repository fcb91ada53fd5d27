"""The seam between what is the same for all grants and how each gets a first token."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol

from toolgraft.config.token_store import TokenStore
from toolgraft.oauth.challenge import NONE, Challenge
from toolgraft.oauth.values import SignedIn
from toolgraft.oauth.wire.client_authentication import ClientAuthentication
from toolgraft.oauth.wire.fetching import Fetch
from toolgraft.oauth.wire.presentation import Presentation
from toolgraft.oauth.wire.token_endpoint import TokenEndpoint


@dataclass(frozen=True, slots=True)
class Means:
    """What a grant is given to work with, for one server.

    Attributes:
        server: URL of the MCP server, as a resource.
        fetch: Makes requests to authorization servers.
        store: Where registrations are kept; tokens are kept by who asks the grant.
        presentation: How tokens are shown.
    """

    server: str
    fetch: Fetch
    store: TokenStore
    presentation: Presentation

    def token_endpoint(self, authenticate: ClientAuthentication) -> TokenEndpoint:
        """What asks for tokens, as a client that tells who it is in this way."""
        return TokenEndpoint(self.fetch, authenticate, self.presentation)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a token is wanted for.

    Attributes:
        challenge: How the server refused what it was given, or nothing.
        scope: Scopes that were granted before, or are missing: they are asked for beside what the challenge says.
        before: What was signed in before, or None.
        identity: Whose it is; empty where callers are not told apart.
        asking: Entered while a person is asked, which stops the clocks of whoever waits.
    """

    challenge: Challenge = NONE
    scope: str | None = None
    before: SignedIn | None = None
    identity: str = ""
    asking: Callable[[], AbstractAsyncContextManager[None]] = nullcontext


class Grant(Protocol):
    """How tokens are got where there is none that can be renewed.

    Attributes:
        attended: A person is asked. Then one that fails is not tried again at once.
        of: Whose the tokens are, beside their caller: the client's own, or empty for a person's.
        authenticate: How its clients tell the token endpoint who they are; refresh tokens are spent so too.
    """

    @property
    def attended(self) -> bool: ...  # noqa: D102

    @property
    def of(self) -> str: ...  # noqa: D102

    @property
    def authenticate(self) -> ClientAuthentication: ...  # noqa: D102

    async def obtain(self, means: Means, wanted: Wanted) -> SignedIn:
        """Get tokens.

        Raises:
            OAuthError: There are none to be had.
        """
        ...
