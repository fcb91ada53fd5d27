"""A server object of this very process, run in a task beside the client."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from mcp.server import Server
from mcp.shared.memory import create_client_server_memory_streams

from toolgraft.connection.wire.streams import WholeOrNot

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from toolgraft.connection.wire.opener import Streams

_GRACE: Final = 2.0
"""Seconds that a server has to end by itself when its input has ended."""

_log: Final = logging.getLogger("toolgraft")


def low_level(server: MCPServer[Any] | Server[Any]) -> Server[Any]:
    """The server that speaks the protocol; nothing public leads from the decorated kind to it."""
    return server if isinstance(server, Server) else server._lowlevel_server  # pyright: ignore[reportPrivateUsage]


@asynccontextmanager
async def in_process(server: MCPServer[Any] | Server[Any]) -> AsyncGenerator[Streams]:
    """Run it until the block ends."""
    running = low_level(server)
    async with create_client_server_memory_streams() as (ours, theirs):
        options = running.create_initialization_options()
        task = asyncio.get_running_loop().create_task(running.run(*theirs, options))
        try:
            yield ours[0], WholeOrNot(ours[1])
        finally:
            await ours[1].aclose()
            await theirs[1].aclose()
            _, late = await asyncio.wait([task], timeout=_GRACE)
            for each in late:
                each.cancel()
                await asyncio.wait([each])
            if not task.cancelled() and (error := task.exception()) is not None:
                _log.warning("a server in this process ended with an error", exc_info=error)
