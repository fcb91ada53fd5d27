"""Change notices of modern servers: a `subscriptions/listen` stream, opened again after each drop (MCP: SEP-2575)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from mcp import MCPError
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost

if TYPE_CHECKING:
    from toolgraft.connection.session.live_client import LiveClient

_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 30.0


async def watch_list(client: LiveClient, changed: Callable[[], None]) -> None:
    """Call `changed` whenever the server says that its tool list changed, until the client ends.

    What changed while no stream was open is not replayed, so each time one opens the list counts as changed: the
    first list was read before the first stream.
    """
    if not client.server_info.tells_changes:
        return
    pause = _FIRST_PAUSE
    opened = False
    while not client.lost:
        try:
            async with client.sdk.listen(tools_list_changed=True) as subscription:
                if not subscription.honored.tools_list_changed:
                    return
                pause, opened = _FIRST_PAUSE, True
                changed()
                async for _ in subscription:
                    changed()
        except ListenNotSupportedError:
            return
        except MCPError:
            if not opened and not client.lost:  # it does not take the request at all
                return
        except (SubscriptionLost, TimeoutError):
            pass
        await asyncio.sleep(pause * (0.75 + random.random() / 2))
        pause = min(pause * 2, _LONGEST_PAUSE)
