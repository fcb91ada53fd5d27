"""Where a person's browser comes back to: an address that we listen at, or the declaration's own `callback`."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from toolgraft.config.oauth import OAuth
from toolgraft.errors import OAuthError
from toolgraft.oauth.grants.person.listener import listening
from toolgraft.oauth.values import Client

_UNHEARD: Final = "http://127.0.0.1/callback"
"""Where the browser is sent when somebody else sees to what it comes back with."""


class Returning(Protocol):
    """Hears of the browser's return.

    Attributes:
        redirect_uri: Where it is sent back to.
        strangers: Requests that came there and were not its return.
    """

    @property
    def redirect_uri(self) -> str: ...  # noqa: D102

    @property
    def strangers(self) -> int: ...  # noqa: D102

    def expects(self, state: str) -> None:
        """From now on it may come, with this state."""
        ...

    async def heard(self) -> str:
        """The whole URL that it came back with."""
        ...


@dataclass(frozen=True, slots=True)
class _Told:
    """The declaration's `callback` tells it."""

    server: str
    declared: OAuth

    @property
    def redirect_uri(self) -> str:
        return self.declared.redirect_uri or _UNHEARD

    @property
    def strangers(self) -> int:
        return 0

    def expects(self, state: str) -> None:
        pass

    async def heard(self) -> str:
        assert self.declared.callback is not None
        url: Any = await self.declared.callback()
        if isinstance(url, str):
            return url
        reason = f"callback gives the URL that the browser came back with, not {type(url).__name__}"
        raise OAuthError(self.server, "not_answered", reason)


async def returning(server: str, declared: OAuth, known: Client | None, stack: AsyncExitStack) -> Returning:
    """Where the browser comes back to.

    Args:
        server: Name of the MCP server.
        declared: What the declaration says.
        known: The client that is used. One that was registered with a port keeps it, as long as that is free.
        stack: Ends the listening.

    Raises:
        OAuthError: Somebody else listens where the browser is to come back.
    """
    if declared.callback is not None:
        return _Told(server, declared)
    if declared.redirect_uri is None and known is not None and _can_listen(known.redirect_uri):
        try:
            return await stack.enter_async_context(listening(known.redirect_uri))
        except OSError:
            pass
    try:
        return await stack.enter_async_context(listening(declared.redirect_uri))
    except OSError as error:
        port = urlsplit(declared.redirect_uri or "").port
        reason = f"the browser is to come back to port {port}, which is taken: {error.strerror or error}"
        raise OAuthError(server, "not_answered", reason) from error


def _can_listen(uri: str | None) -> bool:
    split = urlsplit(uri or "")
    return split.scheme == "http" and split.hostname == "127.0.0.1" and split.port is not None
