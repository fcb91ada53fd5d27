"""The probe that tells modern servers from old ones (MCP: `server/discover`), and old servers that never answer it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from mcp.shared.message import SessionMessage
from mcp_types import (
    REQUEST_TIMEOUT,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)


class Patient(Protocol):
    """What is asked by a probe.

    Attributes:
        patience: Seconds that the answer is waited for.
        answered_late: It came after them.
    """

    patience: float
    answered_late: bool


@dataclass(slots=True)
class Patience:
    """What is told of a probe, where there is nothing else to hold it."""

    patience: float
    answered_late: bool = False


class Probe:
    """Watches the probe of one connection, and answers it where the server is silent.

    An answer that comes later is kept in mind: the server was slow, not old.

    Attributes:
        on_silence: Called when there is something to read of `unanswered`.
    """

    def __init__(self, asked: Patient) -> None:
        self.on_silence: Callable[[], None] = lambda: None
        self._asked = asked
        self._id: RequestId | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._silent = False

    @property
    def waits(self) -> bool:
        """Whether an answer, in time or late, would be that to the probe."""
        return self._id is not None

    def goes_out(self, request: JSONRPCRequest) -> None:
        """A request is sent."""
        if request.method == "server/discover":
            self.over()
            self._id = request.id
            self._timer = asyncio.get_running_loop().call_later(self._asked.patience, self._elapsed)

    def came_in(self, message: JSONRPCMessage) -> None:
        """A message was read."""
        if isinstance(message, JSONRPCResponse | JSONRPCError) and message.id is not None and message.id == self._id:
            if self._timer is None and isinstance(message, JSONRPCResponse):
                self._asked.answered_late = True
            self.over()

    def unanswered(self) -> SessionMessage | None:
        """The answer in the server's place, once."""
        if not self._silent or self._id is None:
            return None
        self._silent = False
        said = f"no answer to server/discover within {self._asked.patience:g} s"
        error = ErrorData(code=REQUEST_TIMEOUT, message=said)
        return SessionMessage(JSONRPCError(jsonrpc="2.0", id=self._id, error=error))

    def over(self) -> None:
        """Wait no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._id, self._silent = None, None, False

    def _elapsed(self) -> None:
        self._timer, self._silent = None, True
        self.on_silence()
