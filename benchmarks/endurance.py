"""Whether anything piles up: memory and open files after many calls, and after many deaths of the server."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.failures import alive, events
from benchmarks.memory import in_use_kb

if TYPE_CHECKING:
    from benchmarks.contenders.contract import Contender

ECHO = {"text": "hello"}
_FIRST_DEATHS = 30


async def calls(contender: Contender, times: int) -> dict[str, Any]:
    """What is in use more after `times` calls than before, in kilobytes and files."""
    before = _in_use()
    for _ in range(times):
        await contender.call("echo", ECHO)
    return _grown(before)


async def deaths(contender: Contender, times: int, log: Path) -> dict[str, Any]:
    """What is in use more after the server was killed `times` times, and each time called again.

    The first deaths do not count: they load what only a reconnect needs.
    """
    before = _in_use()
    for death in range(-_FIRST_DEATHS, times):
        if death == 0:
            before = _in_use()
        for pid in {event["pid"] for event in events(log)[-20:] if alive(event["pid"])}:
            os.kill(pid, signal.SIGKILL)
        result = await contender.call("echo", ECHO)
        if "hello" not in str(result):  # the call met the dying server: the next one must work
            result = await contender.call("echo", ECHO)
        if "hello" not in str(result):
            return {"error": f"answers {str(result)[:80]!r} after a death"}
    return _grown(before)


def _in_use() -> tuple[int, int]:
    gc.collect()
    return in_use_kb(), len(os.listdir("/proc/self/fd"))


def _grown(before: tuple[int, int]) -> dict[str, Any]:
    kilobytes, files = _in_use()
    return {"wall": float(kilobytes - before[0]), "cpu": float(files - before[1])}
