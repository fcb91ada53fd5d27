"""What is known of one call on its way: who makes it, whether it left, what answered it on our side of the wire.

An `InFlight` travels in a context variable: the SDK sends each request in the context of the call that it belongs to,
so that code far below a call (transport, HTTP client) can tell which call it serves. Each JSON-RPC request that is sent
for it is an `Exchange`, and the exchange alone says what came of it: the SDK's return values and errors are not asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NoReturn, TypeAlias

from mcp import MCPError
from mcp_types import ErrorData

from toolgraft.calls import NO_DEADLINE, Call, Deadline, OnProgress, Progress
from toolgraft.config.options import CallContext
from toolgraft.connection.wire.clock import Clock
from toolgraft.connection.wire.control_flow import ControlFlow, steers_nothing
from toolgraft.spec import ToolRef

Ran: TypeAlias = Literal["no", "perhaps"]
"""Whether a request that failed may have been carried out."""

OnSession: TypeAlias = Literal["open", "refused", "expired"]
"""What a failure says of our session with the server: nothing; that whatever is asked on it is refused alike; that it
is not known any more, which is what the request was refused for."""


@dataclass(frozen=True, slots=True)
class Failure:
    """How a request failed on the wire.

    Attributes:
        reason: One sentence.
        sent: False when it certainly never left.
        ran: Whether it may have been carried out; `no` where it never left or was refused.
        http_status: The status it was answered with.
        retry_after: The header of that name.
        www_authenticate: The header of that name.
        body: The beginning of what the answer said.
        session: What it says of our session with the server.
        too_large: The answer is larger than we take.
        cause: What the user's own code raised, or the library below.
    """

    reason: str
    sent: bool = True
    ran: Ran = "perhaps"
    http_status: int | None = None
    retry_after: str | None = None
    www_authenticate: str | None = field(default=None, repr=False)
    body: str = field(default="", repr=False)
    session: OnSession = "open"
    too_large: bool = False
    cause: BaseException | None = field(default=None, repr=False)

    @property
    def may_have_run(self) -> bool:
        """Whether the request may have been carried out."""
        return self.sent and self.ran == "perhaps"


class WireError(Exception):
    """A request failed on the wire.

    Attributes:
        failure: How.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


@dataclass(slots=True, eq=False)
class Exchange:
    """One JSON-RPC request and what came of it, as seen on our side of the wire.

    Attributes:
        method: The method asked.
        handed: It was given to the kernel, or to a transport that does not tell.
        result: The result that answered it.
        error: The JSON-RPC error that answered it.
        failure: How it failed on the wire.
    """

    method: str = ""
    handed: bool = False
    result: Mapping[str, Any] | None = field(default=None, repr=False)
    error: ErrorData | None = None
    failure: Failure | None = None

    @property
    def settled(self) -> bool:
        """Whether it is known what came of it."""
        return self.result is not None or self.error is not None or self.failure is not None

    def fail(self, failure: Failure) -> None:
        """Keep the first thing that is known: what follows is its echo."""
        if not self.settled:
            self.failure = failure

    def outcome(self, otherwise: str) -> Mapping[str, Any]:
        """The result.

        Args:
            otherwise: What to say when neither an answer nor a failure was seen.

        Raises:
            mcp.MCPError: The server answered with this JSON-RPC error.
            WireError: It failed, or no answer to it was seen.
        """
        if self.result is not None:
            return self.result
        if self.error is not None:
            raise MCPError(self.error.code, self.error.message, self.error.data)
        self._raise_failure(otherwise)

    def _raise_failure(self, otherwise: str) -> NoReturn:
        failure = self.failure = self.failure or Failure(otherwise, sent=self.handed)
        raise WireError(failure) from failure.cause


@dataclass(slots=True, eq=False, repr=False)
class InFlight:
    """One call on its way, or one request that we make for ourselves.

    Attributes:
        context: Who is calling.
        call: The call of a tool, where it is one.
        deadline: How long it may take.
        steers: Whether an exception is how its host steers a run.
        clock: Counts the call.
        headers: HTTP headers of this request (`Mcp-Param-*`).
        given: What the user's `headers` function gave for it, when that is known already.
        identity: Whose cookies go with it, when that is known already.
        relisted: The tool list was read again for it.
        reopened: The connection was made anew for it.
        exchange: The JSON-RPC request that was sent for it last.
        scope: The caller's context variables, for a question that arrives in another task.
        questions: How many questions of the server it had its part in.
    """

    context: CallContext
    call: Call | None = None
    deadline: Deadline = NO_DEADLINE
    steers: ControlFlow = steers_nothing
    clock: Clock | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    given: Mapping[str, str] | None = None
    identity: str | None = None
    relisted: bool = False
    reopened: bool = False
    exchange: Exchange = field(default_factory=Exchange)
    scope: Context = field(default_factory=copy_context)
    questions: float = 0

    @classmethod
    def around(cls, call: Call, steers: ControlFlow) -> InFlight:
        """The call of a tool, on its way."""
        return cls(call.context, call, call.deadline, steers)

    @property
    def ref(self) -> ToolRef | None:
        """The tool, in a call."""
        return self.call.ref if self.call is not None else None

    @property
    def repeatable(self) -> bool:
        """Whether it may be carried out twice: what only reads may."""
        return self.call is None or self.call.safety.repeatable

    @property
    def on_progress(self) -> OnProgress | None:
        """Who wants to be told of progress."""
        return self.call.on_progress if self.call is not None else None

    @property
    def handed(self) -> bool:
        """Whether its last request was given to the kernel."""
        return self.exchange.handed

    @property
    def failure(self) -> Failure | None:
        """How its last request failed on the wire."""
        return self.exchange.failure

    def asks(self) -> Exchange:
        """Begin another request for it."""
        self.exchange = Exchange()
        return self.exchange

    def said(self, reason: str) -> str:
        """A reason with the server's name, where no tool brings it along."""
        return reason if self.ref is not None else f"server '{self.context.server}': {reason}"

    def progressed(self, progress: Progress) -> None:
        """The server reported progress: it may restart the clock, and the caller is told."""
        if self.clock is not None:
            self.clock.progressed()
        if self.on_progress is not None:
            self.on_progress(progress)

    def __repr__(self) -> str:
        return f"<InFlight {self.ref or self.context.server}>"  # its headers and arguments may be secrets


CURRENT: Final[ContextVar[InFlight | None]] = ContextVar("toolgraft_in_flight", default=None)

OPENED_FOR: Final[ContextVar[InFlight | None]] = ContextVar("toolgraft_opened_for", default=None)
"""The call that a caller's own session is opened for: what its headers are is known from there."""
