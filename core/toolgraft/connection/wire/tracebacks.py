"""Tracebacks without the frames that hold a request: error reporters write their locals down, and URLs hold tokens."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Final, TypeVar, cast

E = TypeVar("E", bound=BaseException)

_HOLDING: Final = ("httpx2", "httpcore2", "h11", "h2", "toolgraft.connection.wire.http")
"""Where frames hold URLs, headers and bodies. Those of an application's own functions below them stay."""

_LONGEST: Final = 100


def without_requests(error: E) -> E:
    """Take those frames out of the traceback of an error and of all that it came of; the errors and words stay."""
    for each in _chain(error):
        each.__traceback__ = _kept(each.__traceback__)
    return error


def _kept(trace: TracebackType | None) -> TracebackType | None:
    steps: list[TracebackType] = []
    while trace is not None:
        if not _holds_a_request(trace):
            steps.append(trace)
        trace = trace.tb_next
    following: TracebackType | None = None
    for step in reversed(steps):
        following = TracebackType(following, step.tb_frame, step.tb_lasti, step.tb_lineno)
    return following


def _holds_a_request(trace: TracebackType) -> bool:
    name: str = trace.tb_frame.f_globals.get("__name__", "")
    return any(name == each or name.startswith(f"{each}.") for each in _HOLDING)


def _chain(error: BaseException) -> Iterator[BaseException]:
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting and len(seen) < _LONGEST:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting += (one.__cause__, one.__context__)
        if isinstance(one, BaseExceptionGroup):
            waiting += cast("tuple[BaseException, ...]", one.exceptions)
