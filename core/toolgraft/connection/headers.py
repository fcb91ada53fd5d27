"""HTTP headers made for each request, by who calls."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING

from toolgraft.config.servers import Http, Server, Sse

if TYPE_CHECKING:
    from toolgraft.config.options import CallContext


async def headers_for(config: Server, context: CallContext) -> Mapping[str, str]:
    """What the declaration's `headers` function gives for a caller; empty where it is no function."""
    if not isinstance(config, Http | Sse) or not callable(config.headers):
        return {}
    given = config.headers(context)
    return await given if inspect.isawaitable(given) else given
