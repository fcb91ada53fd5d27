"""HTTP headers made for each request, by who calls."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING

from toolgraft.config.servers import Http, Server, Sse

if TYPE_CHECKING:
    from toolgraft.config.options import CallContext


class HeadersFailed(Exception):
    """The user's headers function raised. Its text is on the cause only: a token fetcher's may hold the token."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(f"its headers function failed: {type(cause).__name__}")


async def headers_for(config: Server, context: CallContext) -> Mapping[str, str]:
    """What the declaration's `headers` function gives for a caller; empty where it is no function.

    Raises:
        HeadersFailed: The function raised.
    """
    if not isinstance(config, Http | Sse) or not callable(config.headers):
        return {}
    try:
        given = config.headers(context)
        return await given if inspect.isawaitable(given) else given
    except Exception as error:
        raise HeadersFailed(error) from error
