"""Whether a thread is blocked by waiting for this one: then neither ever goes on.

`agent.invoke(...)` inside async code does that: it blocks the thread of the event loop until a worker thread is done,
and the worker waits for the loop. It shows in the stacks: what waits holds the future or the thread that it waits for,
and what works for a future holds it too.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, wait
from concurrent.futures.thread import _WorkItem  # pyright: ignore[reportPrivateUsage]
from types import FrameType
from typing import Any, Final, cast

_WORKS: Final = cast("Any", _WorkItem).run.__code__
_RESULT: Final = cast("Any", Future).result.__code__
_ALL: Final = wait.__code__
_JOIN: Final = threading.Thread.join.__code__

_LONG: Final = 5.0
"""Seconds of a time-out from which on a wait counts as one: who waits for less looks after other things meanwhile."""


def is_blocked_by_us(thread: int) -> bool:
    """Whether the thread of that identifier waits for this one, directly or through threads in between.

    Reads the frames of the standard library's thread pools and joins; other ways of waiting are not seen.
    """
    frames = sys._current_frames()  # pyright: ignore[reportPrivateUsage]
    if thread not in frames or not _awaited(frames[thread]):
        return False
    waiting = {ident: _awaited(frame) for ident, frame in frames.items()}
    reached = [threading.get_ident()]
    for ident in reached:
        work = _work(ident, frames)
        if not work.isdisjoint(waiting[thread]):
            return True
        reached += [other for other, things in waiting.items() if other not in reached and not work.isdisjoint(things)]
    return False


def _stack(frame: FrameType) -> Iterator[FrameType]:
    at: FrameType | None = frame
    while at is not None:
        yield at
        at = at.f_back


def _awaited(frame: FrameType) -> set[int]:
    """What a thread waits for: futures and threads, by identity."""
    things: list[object] = []
    for each in _stack(frame):
        if each.f_code not in (_RESULT, _ALL, _JOIN) or not _is_long(each.f_locals.get("timeout")):
            continue
        things += each.f_locals.get("fs", ()) if each.f_code is _ALL else [each.f_locals.get("self")]
    return {id(thing) for thing in things}


def _is_long(timeout: float | None) -> bool:
    return timeout is None or timeout >= _LONG


def _work(ident: int, frames: dict[int, FrameType]) -> set[int]:
    """What is done when a thread is: itself, and the futures that it works for."""
    things: list[object] = [each for each in threading.enumerate() if each.ident == ident]
    things += [each.f_locals["self"].future for each in _stack(frames[ident]) if each.f_code is _WORKS]
    return {id(thing) for thing in things}
