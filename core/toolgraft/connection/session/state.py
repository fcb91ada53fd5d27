"""The states of a connection, and the moves between them."""

from __future__ import annotations

from enum import Enum


class State(Enum):
    """Where a connection stands."""

    NEW = "new"
    OPENING = "opening"
    OPEN = "open"
    LOST = "lost"
    CLOSED = "closed"


MOVES = {
    State.NEW: {State.OPENING, State.CLOSED},
    State.OPENING: {State.OPEN, State.NEW, State.LOST, State.CLOSED},
    State.OPEN: {State.LOST, State.CLOSED},
    State.LOST: {State.OPENING, State.CLOSED},
    State.CLOSED: set[State](),
}
"""From each state, those that may follow. A failed first start goes back to `NEW`, a failed reconnect to `LOST`."""


def move(now: State, to: State) -> State:
    """`to`, when it may follow `now`.

    Raises:
        AssertionError: It may not; a defect of ours.
    """
    if to not in MOVES[now]:
        raise AssertionError(f"a connection cannot go from {now.value} to {to.value}")
    return to
