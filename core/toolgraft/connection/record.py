"""What is known of one call on its way: who makes it, whether it left, how it failed on the wire.

A record travels in a context variable: the SDK sends each HTTP request in the context of the call that it belongs to,
so that code far below a call (HTTP client, stream) can tell which call it serves.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass, field
from typing import Any, Final

from toolgraft.calls import OnProgress, Progress
from toolgraft.config.options import CallContext
from toolgraft.connection.deadlines import Clock
from toolgraft.spec import ToolRef

UNREADABLE: Final = "its answer is not valid JSON-RPC"


@dataclass(frozen=True, slots=True)
class Failure:
    """How a request failed on the wire.

    Attributes:
        reason: One sentence.
        sent: False when it certainly never left.
        answered: The server or something before it answered, with an HTTP error.
        expired: The server does not know our session any more.
        too_large: The answer is larger than we take.
    """

    reason: str
    sent: bool = True
    http_status: int | None = None
    retry_after: str | None = None
    www_authenticate: str | None = None
    expired: bool = False
    too_large: bool = False


@dataclass(slots=True, eq=False)
class Record:
    """One request on its way.

    Attributes:
        context: Who is calling.
        ref: The tool, in a call.
        clock: Counts the call.
        arguments: Its arguments.
        on_progress: The caller wants to be told of progress.
        headers: HTTP headers of this request (`Mcp-Param-*`).
        given: What the user's `headers` function gave for it, when that is known already.
        relisted: The tool list was read again for it.
        handed: It was given to the transport.
        failure: How it failed on the wire.
        redirected: HTTP status of a redirect that was not followed.
        reopened: The connection was made anew for it.
        raw: Its result, when that went round the SDK.
        scope: The caller's context variables, for a question that arrives in another task.
        questions: How many questions of the server it had its part in.
    """

    context: CallContext
    ref: ToolRef | None = None
    clock: Clock | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    on_progress: OnProgress | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    given: Mapping[str, str] | None = None
    relisted: bool = False
    handed: bool = False
    failure: Failure | None = None
    redirected: int | None = None
    reopened: bool = False
    raw: dict[str, Any] | None = None
    scope: Context = field(default_factory=copy_context)
    questions: float = 0

    def said(self, reason: str) -> str:
        """A reason with the server's name, where no tool brings it along."""
        return reason if self.ref is not None else f"server '{self.context.server}': {reason}"

    def progressed(self, progress: Progress) -> None:
        """The server reported progress: it may restart the clock, and the caller is told."""
        if self.clock is not None:
            self.clock.progressed()
        if self.on_progress is not None:
            self.on_progress(progress)

    def fail(self, failure: Failure) -> None:
        """Keep the first failure: what follows is its echo."""
        if self.failure is None:
            self.failure = failure


class Unreadable(Exception):
    """A message of a server that is no JSON-RPC, but answers a request.

    Attributes:
        request_id: The request that it answers.
    """

    def __init__(self, request_id: int | str) -> None:
        super().__init__(UNREADABLE)
        self.request_id = request_id


class TooLarge(Exception):
    """A message of a server is larger than we take.

    Attributes:
        head: Its beginning, which usually names the request that it answers.
    """

    def __init__(self, size: int | None, limit: int, head: bytes = b"") -> None:
        what = "its answer is larger" if size is None else f"its answer of {size} bytes is larger"
        super().__init__(f"{what} than {limit} bytes (Limits.wire_bytes)")
        self.head = head


CURRENT: Final[ContextVar[Record | None]] = ContextVar("toolgraft_record", default=None)
