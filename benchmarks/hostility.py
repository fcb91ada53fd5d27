"""What hostile servers do to their host. Each case gives what was counted, by name; every wait is bounded."""

from __future__ import annotations

import asyncio
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from benchmarks.contenders.contract import Target
from benchmarks.contenders.hosts import Headers, Host
from benchmarks.fleet import http, stdio
from benchmarks.memory import in_use_kb, peak_kb, reset_peak

Counts: TypeAlias = dict[str, float]
Make: TypeAlias = Callable[[], Host]

BOUND: Final = 60.0
PINGED: Final = 6.0
CALLS: Final = 100
DEATHS: Final = 6


@dataclass
class Stalls:
    """How long the event loop did nothing else, at the longest."""

    longest: float = 0.0

    @classmethod
    @asynccontextmanager
    async def watched(cls) -> AsyncGenerator[Stalls]:
        stalls = cls()
        watching = asyncio.create_task(stalls._watch())
        await asyncio.sleep(0)
        try:
            yield stalls
            await asyncio.sleep(0.02)  # a stall that ends with the last await is seen too
        finally:
            watching.cancel()

    async def _watch(self) -> None:
        while True:
            started = time.perf_counter()
            await asyncio.sleep(0.005)
            self.longest = max(self.longest, time.perf_counter() - started - 0.005)


async def ends(work: Awaitable[object], seconds: float = BOUND) -> str:
    """What came of it, as text; never raises, and never waits for longer."""
    task = asyncio.ensure_future(work)
    done, _ = await asyncio.wait({task}, timeout=seconds)
    if not done:
        task.cancel()
        await asyncio.wait({task}, timeout=5)
        return "no end"
    if task.cancelled():
        return "cancelled"
    return f"raised {task.exception()!r}" if task.exception() else str(task.result())


async def twice(make: Make, calls: int, size: int) -> Counts:
    """Calls at once whose server runs the first one and dies, a few times: in how many did a call run twice?"""
    return {"ran twice": sum([await _doubles(make, calls, size) for _ in range(DEATHS)]), "of": DEATHS}


async def _doubles(make: Make, calls: int, size: int) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        host = make()
        await host.open(stdio("hostile", "dies", log))
        filler = "x" * size
        await asyncio.gather(*[ends(host.call("call", {"id": str(n), "filler": filler})) for n in range(calls)])
        await ends(host.close())
        ran = Counter(line for line in log.read_text().splitlines() if line.startswith("ran"))
        return any(count > 1 for count in ran.values())


async def many_users(make: Make) -> Counts:
    """A call each of a hundred users at once."""

    async def calls(host: Host) -> list[str]:
        async def one(user: int) -> str:
            return await ends(host.call("echo", {"seconds": 1}, str(user)))

        return await asyncio.gather(*map(one, range(CALLS)))

    return await _over_sessions(make, lambda user: {"Authorization": f"Bearer {user}"}, calls)


async def request_ids(make: Make) -> Counts:
    """A hundred calls of one user, each request with an id of its own in a header."""

    async def calls(host: Host) -> list[str]:
        return [await ends(host.call("echo", {})) for _ in range(CALLS)]

    return await _over_sessions(make, lambda _: {"X-Request-Id": uuid.uuid4().hex}, calls)


async def _over_sessions(make: Make, headers: Headers, calls: Callable[[Host], Awaitable[list[str]]]) -> Counts:
    with tempfile.TemporaryDirectory() as folder, http("hostile", log := Path(folder) / "log") as server:
        host = make()
        await host.open(server.target, headers=headers)
        said = await calls(host)
        await ends(host.close())
        answers = sum("done" in each for each in said)
        handshakes = log.read_text().splitlines().count("handshake")
        return {"answers": answers, "errors": len(said) - answers, "handshakes": handshakes}


async def choices(make: Make) -> Counts:
    """One call with `timeout=2` whose answer takes long to check."""
    host = make()
    await host.open(stdio("hostile", "choices"), timeout=2)
    async with Stalls.watched() as stalls:
        await ends(host.call("call", {}), 600)
    await ends(host.close())
    return {"longest stall, s": stalls.longest}


async def flood(make: Make) -> Counts:
    """One call with `timeout=2` that is answered by 8 million short lines; then the connection is closed."""
    host = make()
    await host.open(stdio("hostile", "floods"), timeout=2)
    async with Stalls.watched() as stalls:
        await ends(host.call("call", {}))
        started = time.perf_counter()
        await ends(host.close())
        closing = time.perf_counter() - started
    return {"longest stall, s": stalls.longest, "closing, s": closing}


async def owed_over_stdio(make: Make) -> Counts:
    """A server that pings with ids of 100 kB and reads nothing."""
    return await _owed(make, stdio("hostile", "pings"), "call")


async def owed_over_http(make: Make) -> Counts:
    """The same over HTTP; then a call to another tool of that server."""
    with tempfile.TemporaryDirectory() as folder, http("hostile", Path(folder) / "log") as server:
        return await _owed(make, server.target, "pings", "echo")


async def _owed(make: Make, target: Target, tool: str, *after: str) -> Counts:
    host = make()
    await host.open(target)
    before = reset_peak()
    call = asyncio.ensure_future(ends(host.call(tool, {})))
    await asyncio.sleep(PINGED)
    counts: Counts = {"MiB": (max(peak_kb(), in_use_kb()) - before) / 1024}
    for each in after:
        counts["next call answers"] = "done" in await ends(host.call(each, {}), 10)
    call.cancel()
    await ends(host.close(), 20)
    return counts


CASES: Final[dict[str, Callable[[Make], Coroutine[Any, Any, Counts]]]] = {
    "two calls of 1 MB at once, the server runs one and dies": lambda make: twice(make, 2, 1_000_000),
    "three calls of 300 kB at once, the server runs one and dies": lambda make: twice(make, 3, 300_000),
    "100 users at once, sessions of 2025": many_users,
    "100 calls of one user, X-Request-Id changes": request_ids,
    "an enum of 8,000 values, an answer of 3,000 members": choices,
    "a flood of lines of two bytes": flood,
    "pings of 100 kB that wait for nothing, stdio": owed_over_stdio,
    "pings of 100 kB that wait for nothing, HTTP": owed_over_http,
}
