"""What functions of the declaration give: tokens and assertions. None of it is ever shown."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Final

from toolgraft.config import wellformed
from toolgraft.errors import OAuthError

SECONDS: Final = 30.0
"""For one function, which asks a cloud's metadata service or the like."""

_LONGEST: Final = 64 * 1024


async def given(server: str, what: str, function: Callable[[str], str | Awaitable[str]], argument: str) -> str:
    """What a function of the declaration gives.

    Args:
        server: Name of the MCP server.
        what: The function's name in the declaration.
        function: It.
        argument: What it is called with.

    Raises:
        OAuthError: It raised, which is the cause; it is too slow; or it gave no token.
    """
    limit = asyncio.timeout(SECONDS)
    try:
        async with limit:
            made: Any = function(argument)
            token: Any = await made if inspect.isawaitable(made) else made
    except TimeoutError as error:
        if limit.expired():
            reason = f"its {what} function gave nothing within {SECONDS:g} s"
            raise OAuthError(server, "assertion_failed", reason) from None
        raise _failed(server, what, error) from error
    except Exception as error:
        raise _failed(server, what, error) from error
    if isinstance(token, str) and token and len(token) <= _LONGEST and " " not in token and wellformed.sendable(token):
        return token
    gave = f"a string of {len(token)} characters that is no token" if isinstance(token, str) else type(token).__name__
    raise OAuthError(server, "assertion_failed", f"its {what} function gives a token, not {gave}")


def _failed(server: str, what: str, error: Exception) -> OAuthError:
    """Its text is on the cause only, for it may hold the token."""
    return OAuthError(server, "assertion_failed", f"its {what} function failed: {type(error).__name__}")
