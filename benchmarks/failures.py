"""What a caller sees when a server dies, and what a server sees when a call is cancelled. Every wait is bounded."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.contenders.contract import Contender

BOUND = 6.0


async def scenario(contender: Contender, command: dict[str, Any]) -> dict[str, Any]:
    """`death`: seconds from the server's death in mid-call until its caller knows. `cancel`: until the server knows."""
    log = Path(command["log"])
    seen = len(events(log))
    call = asyncio.ensure_future(contender.call("hang", {}))
    await appears(log, seen, "tools/call", "hang")
    if command["name"] == "cancel":
        return await cancelled(call, log)
    return await died(call, log)


async def died(call: asyncio.Future[object], log: Path) -> dict[str, Any]:
    pids = {event["pid"] for event in events(log) if alive(event["pid"])}
    started = time.perf_counter()
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    try:
        await asyncio.wait({call}, timeout=BOUND)
    except asyncio.CancelledError:
        return {"error": "cancels the host's task"}
    took = time.perf_counter() - started
    if not call.done():
        call.cancel()
        await asyncio.wait({call}, timeout=2)
        return {"error": f"not told within {BOUND:g} s"}
    if call.cancelled():
        return {"error": "raises CancelledError in the caller's task"}
    call.exception()
    return {"wall": took, "cpu": 0.0}


async def cancelled(call: asyncio.Future[object], log: Path) -> dict[str, Any]:
    seen = len(events(log))
    started = time.perf_counter()
    call.cancel()
    waiting = asyncio.ensure_future(appears(log, seen, "notifications/cancelled", "cancelled", "end of input"))
    await asyncio.wait({call}, timeout=BOUND)
    if not await waiting:
        return {"error": "the server is not told"}
    return {"wall": events(log)[-1]["at"] - time.time() + time.perf_counter() - started, "cpu": 0.0}


async def appears(log: Path, after: int, *methods: str) -> bool:
    """Wait until the server's log has one of the methods; False when it does not come."""
    until = time.perf_counter() + BOUND / 2
    while time.perf_counter() < until:
        if any(event.get("method") in methods for event in events(log)[after:]):
            return True
        await asyncio.sleep(0.0005)
    return False


def events(log: Path) -> list[dict[str, Any]]:
    if not log.exists():
        return []
    return [json.loads(line) for line in log.read_text().splitlines() if line.endswith("}")]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
