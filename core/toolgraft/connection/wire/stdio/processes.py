"""The process groups of our servers: none outlives us, grandchildren included.

A server is started as the leader of its own group, so the whole group can be told to go. What a normal close does not
reach is done from a list of living groups: here when the interpreter ends, and by a process of our own (`Reaper`) when
we are killed. No signal handler is installed in this program, whose signals are its own.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from toolgraft.connection.wire.stdio.reaper import Reaper

GRACE: Final = 2.0
"""Seconds a server has after its input closed, and again after SIGTERM."""

HURRY: Final = 0.5
"""The same when there is no time: a failed start, our own end."""

_NOTICE: Final = 0.05
"""Seconds to learn that a process has ended already."""

_POLL: Final = 0.01


def signal_group(group: int, number: int) -> bool:
    """Signal every process of a group; False when there is none left."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    except PermissionError:
        return number == 0 or _has_members(group)  # says nothing on some systems: zombies, other users
    return True


def group_alive(group: int) -> bool:
    """Whether a process of the group still runs; one that nobody has reaped does not."""
    return signal_group(group, 0) and _has_members(group)


def _has_members(group: int) -> bool:
    """Look past zombies, which an init that does not reap would leave for ever (Linux; elsewhere assume one)."""
    if not os.path.isdir("/proc/self"):
        return True
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            with suppress(OSError, ValueError, IndexError), open(f"/proc/{entry}/stat", "rb") as stat:
                state, _, its_group = stat.read().rpartition(b")")[2].split()[:3]
                if int(its_group) == group and state not in (b"Z", b"X"):
                    return True
    return False


class LivingGroups:
    """Groups that run now; ends them when the interpreter ends, and has them ended when it is killed."""

    def __init__(self) -> None:
        self._groups: set[int] = set()
        self._owner = os.getpid()
        self._reaper: Reaper | None = None
        self._starting = threading.Lock()

    @property
    def ready(self) -> bool:
        """Whether a server may be started without waiting for a process of our own to start."""
        return self._reaper is not None and self._owner == os.getpid()

    def prepare(self) -> None:
        """Start what ends servers when we are killed. It waits for a process: not for an event loop."""
        with self._starting:
            if self._owner != os.getpid():  # we are a fork: the servers of our parent are not ours to end
                self._groups, self._owner, self._reaper = set(), os.getpid(), None
            if self._reaper is None:
                self._reaper = Reaper.started()
                atexit.register(self.end_all)

    def add(self, group: int) -> None:
        """A server was started."""
        self.prepare()
        self._groups.add(group)
        if self._reaper is not None:
            self._reaper.add(group)

    def discard(self, group: int) -> None:
        """A server is gone."""
        self._groups.discard(group)
        if self._reaper is not None:
            self._reaper.discard(group)

    def end_all(self) -> None:
        """End every group, now."""
        if self._owner != os.getpid():
            return
        groups = {group for group in self._groups if signal_group(group, signal.SIGTERM)}
        self._groups.clear()
        until = time.monotonic() + HURRY
        while groups and time.monotonic() < until:
            time.sleep(_POLL)
            groups = {group for group in groups if group_alive(group)}
        for group in groups:
            signal_group(group, signal.SIGKILL)


LIVING: Final = LivingGroups()
"""One for the process, as exit hooks are."""


async def stop_process(
    process: asyncio.subprocess.Process, close_input: Callable[[], None], *, hurry: bool
) -> int | None:
    """End a server and its group: close its input, wait, SIGTERM, wait, SIGKILL. Every wait is bounded.

    Gives the exit code of a server that ended before it was made to.

    Args:
        process: The leader of its group.
        close_input: Closes its input.
        hurry: Do not wait for it to notice the end of its input.
    """
    group = process.pid
    own: int | None = None
    try:
        close_input()
        await _gone(lambda: process.returncode is None, _NOTICE if hurry else GRACE)
        own = process.returncode
        if group_alive(group):
            signal_group(group, signal.SIGTERM)
            patience = HURRY if hurry or process.returncode is not None else GRACE
            await _gone(lambda: group_alive(group), patience, look=0.1)  # a look at all processes is not free
    finally:  # also when we are cancelled: no process is left to run
        signal_group(group, signal.SIGKILL)
        LIVING.discard(group)
    await _gone(lambda: process.returncode is None, GRACE)
    return own


async def _gone(alive: Callable[[], bool], seconds: float, *, look: float = 0.02) -> None:
    until = time.monotonic() + seconds
    wait = 0.001
    while alive() and time.monotonic() < until:
        await asyncio.sleep(wait)
        wait = min(wait * 2, look)
