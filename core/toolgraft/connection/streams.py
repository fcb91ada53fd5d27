"""What every stream of ours is besides its reading or sending: an async context and, to read, an iterator."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import anyio
from mcp.shared.message import SessionMessage


class Stream:
    """Closes at the end of `async with`."""

    async def aclose(self) -> None:
        """Leave the closing to the transport."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class Incoming(Stream):
    """Messages to be read, one after the other, by `receive` or `async for`."""

    async def receive(self) -> SessionMessage | Exception:
        """The next message."""
        try:
            return await self.__anext__()
        except StopAsyncIteration:
            raise anyio.EndOfStream from None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        raise NotImplementedError
