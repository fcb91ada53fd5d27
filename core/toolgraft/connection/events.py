"""What those who listen are told: of connections and their lists, and of each decision on a call.

No event holds arguments, results, headers or tokens. What it may hold of a person's or a server's words is said of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from toolgraft.config.options import CallId
from toolgraft.spec import Refusal, Renamed


@dataclass(frozen=True, slots=True)
class Event:
    """Something happened with a server, its tools or a call.

    Attributes:
        server: Name of the server.
    """

    server: str


@dataclass(frozen=True, slots=True)
class CallEvent(Event):
    """Something was decided on a call.

    Attributes:
        tool: The tool's name on the wire.
        id: Which call of the framework's it is; None where none was made, or the framework does not say.
    """

    tool: str
    id: CallId | None


@dataclass(frozen=True, slots=True)
class Connected(Event):
    """A server was reached for the first time.

    Attributes:
        version: Protocol version spoken.
        seconds: From the start to the first tool list.
    """

    version: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Lost(Event):
    """A server went away. The next call reconnects.

    Attributes:
        reason: Why, as one sentence.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Reconnected(Event):
    """A server that was lost is back.

    Attributes:
        version: Protocol version spoken.
        attempts: How many it took.
    """

    version: str
    attempts: int


@dataclass(frozen=True, slots=True)
class ListChanged(Event):
    """A server serves other tools than before; by wire name.

    Attributes:
        added: New tools.
        removed: Tools that are gone.
        changed: Tools whose definition changed.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """A tool of a server is not served.

    Attributes:
        refusal: Which, and why.
    """

    refusal: Refusal


@dataclass(frozen=True, slots=True)
class ListCut(Event):
    """Only the beginning of a server's list was taken, for it does not end.

    Attributes:
        reason: How that showed, as one sentence.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Listed(Event):
    """A server's list was taken up. What is not served of it is told by `Refused`.

    Attributes:
        tools: The tools that are served now, by wire name.
    """

    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolRenamed(Event):
    """A tool is served under another name than its server has for it.

    Attributes:
        renamed: Which, how, and why.
    """

    renamed: Renamed


@dataclass(frozen=True, slots=True)
class Hidden(CallEvent):
    """A run may not use a tool, as `visible` says: it is not shown in a turn, or a call of it is refused."""


@dataclass(frozen=True, slots=True)
class Asked(CallEvent):
    """A call waits for a person's yes. Told once of each call, also where a run that paused goes over it again.

    Where the person wrote other arguments, that is told as one more, which is approved.

    Attributes:
        digest: Stands for the tool, its input schema and the arguments; the same as in the `ApprovalRequest`.
        required: How many have to say yes.
    """

    digest: str
    required: int = 1


@dataclass(frozen=True, slots=True)
class Approved(CallEvent):
    """There are as many yes as a call needs, for exactly this call.

    Attributes:
        digest: What was said yes to, as in `Asked`.
    """

    digest: str


@dataclass(frozen=True, slots=True)
class Rejected(CallEvent):
    """A call that waited does not go: a no, nobody to ask, or a yes that does not hold any more.

    Attributes:
        digest: What was asked about, as in `Asked`.
        reason: Why, as the model is told it; it may hold what the person wrote.
        by: Who said no, where approvers have names.
    """

    digest: str
    reason: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Called(CallEvent):
    """A call is handed to its connection, after every decision on it."""


@dataclass(frozen=True, slots=True)
class Retried(CallEvent):
    """A call is sent once more, for that cannot run it twice.

    Attributes:
        attempt: 1 the first time.
        reason: How it failed before, as our error says it.
    """

    attempt: int
    reason: str


@dataclass(frozen=True, slots=True)
class Answered(CallEvent):
    """What came of a call that was handed to its connection.

    Attributes:
        outcome: `"result"`, `"error"` for a tool that says itself that it failed, or the name of the exception.
        seconds: Since `Called`, a person's time included.
    """

    outcome: str
    seconds: float


Emit: TypeAlias = Callable[[Event], None]
"""Takes events, in the connection's own loop. It must not wait; what it raises is logged."""


def unheard(event: Event) -> None:
    """Nobody listens."""
