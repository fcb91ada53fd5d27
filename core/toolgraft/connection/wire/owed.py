"""What we owe to a server: answers to requests of its own that it has not taken yet."""

from __future__ import annotations

from typing import Final

from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

REQUESTS: Final = 4096
BYTES: Final = 4 * 1024 * 1024


class TooMuchOwed(Exception):
    """A server asks more than it reads."""

    def __init__(self) -> None:
        super().__init__(
            f"it sent requests of its own and did not read the answers (more than {REQUESTS}, or {BYTES} bytes)"
        )


class Owed:
    """Counts requests of a server that are not answered yet, and messages that it has not read, with their size."""

    def __init__(self) -> None:
        self._sizes: dict[object, int] = {}
        self._bytes = 0
        self._written = 0

    def asked(self, message: SessionMessage, size: int) -> None:
        """A message came in.

        Raises:
            TooMuchOwed: It is one request too many.
        """
        asked = message.message
        if isinstance(asked, JSONRPCRequest):
            self._bytes += size - self._sizes.get(asked.id, 0)
            self._sizes[asked.id] = size
            if len(self._sizes) + self._written > REQUESTS or self._bytes > BYTES:
                raise TooMuchOwed
        elif isinstance(asked, JSONRPCNotification) and asked.method == "notifications/cancelled":
            withdrawn = (asked.params or {}).get("requestId")
            if isinstance(withdrawn, int | str):
                self._bytes -= self._sizes.pop(withdrawn, 0)

    def answered(self, message: SessionMessage) -> None:
        """An answer was taken, or given up."""
        answer = message.message
        if isinstance(answer, JSONRPCResponse | JSONRPCError):
            self._bytes -= self._sizes.pop(answer.id, 0)

    def written(self, message: SessionMessage, size: int) -> None:
        """A message waits to be taken."""
        self.answered(message)
        self._bytes += size
        self._written += 1

    def taken(self, size: int) -> None:
        """What was written was taken, or given up."""
        self._bytes -= size
        self._written -= 1
