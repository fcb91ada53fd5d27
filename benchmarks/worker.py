"""One contender in a process of its own: takes a command a line, answers a line.

    python -m benchmarks.worker CONTENDER

Whatever the libraries print goes to stderr.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import sys
import time
import traceback
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from benchmarks import agents, endurance, failures
from benchmarks.contenders.contract import Contender, Target, at_once
from benchmarks.memory import peak_kb, reset_peak
from benchmarks.roster import CONTENDERS

if TYPE_CHECKING:
    from typing import TextIO

Json: TypeAlias = dict[str, Any]
Task: TypeAlias = Callable[[Contender, Json], Awaitable[Json]]


async def timed(work: Awaitable[object]) -> Json:
    wall, cpu = time.perf_counter(), time.process_time()
    await work
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}


def targets(command: Json) -> list[Target]:
    return [Target.from_json(each) for each in command["targets"]]


async def do_open(contender: Contender, command: Json) -> Json:
    gc.collect()
    took = await timed(contender.open(targets(command)))
    return {**took, "tools": len(contender.tools)}


async def do_cycle(contender: Contender, command: Json) -> Json:
    """Connect, list and convert; leave. The cost of leaving is told apart."""
    gc.collect()
    took = await timed(contender.open(targets(command)))
    left = await timed(contender.close())
    return {**took, "closing": left["wall"]}


async def do_close(contender: Contender, command: Json) -> Json:
    return await timed(contender.close())


async def do_repeat(contender: Contender, command: Json) -> Json:
    times = command["times"]
    if "least" in command:  # an error text comes sooner than a large result
        text = str(await contender.call(command["tool"], command["arguments"]))
        if len(text) < command["least"]:
            return {"error": f"answers {text[:80]!r}"}
    cpu = time.process_time()
    took = await contender.repeat(command["tool"], command["arguments"], times)
    used = time.process_time() - cpu
    return {"wall": sorted(took)[times // 2], "cpu": used / times}


async def do_at_once(contender: Contender, command: Json) -> Json:
    return await timed(at_once(contender, command["tool"], command["arguments"], command["times"]))


async def do_convert(contender: Contender, command: Json) -> Json:
    if hasattr(contender, "list"):
        await contender.list()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportGeneralTypeIssues]
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    count = contender.convert()
    return {"wall": (time.perf_counter() - wall) / count, "cpu": (time.process_time() - cpu) / count}


async def do_head_of_line(contender: Contender, command: Json) -> Json:
    """The seconds of a short call that is made while a long one runs."""
    await contender.call("echo", {"text": "x"})
    long = asyncio.create_task(contender.call("sleep", {"ms": 500}))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    await asyncio.sleep(0.05)
    took = await timed(contender.call("echo", {"text": "x"}))
    await long
    return took


async def do_peak(contender: Contender, command: Json) -> Json:
    """Kilobytes that one call needs at its peak, above what was in use before."""
    gc.collect()
    before = reset_peak()
    await contender.call(command["tool"], {})
    return {"wall": float(peak_kb() - before), "cpu": 0.0}


async def do_turns(contender: Contender, command: Json) -> Json:
    return await agents.turns(contender, command["turns"])


async def do_build(contender: Contender, command: Json) -> Json:
    return agents.build(contender)


async def do_failure(contender: Contender, command: Json) -> Json:
    return await failures.scenario(contender, command)


async def do_works(contender: Contender, command: Json) -> Json:
    """The seconds of a call whose answer is right."""
    started = time.perf_counter()
    result = await contender.call("echo", {"text": "hello"})
    if "hello" not in str(result):
        return {"error": f"answers {str(result)[:80]!r}"}
    return {"wall": time.perf_counter() - started, "cpu": 0.0}


async def do_endure_calls(contender: Contender, command: Json) -> Json:
    return await endurance.calls(contender, command["times"])


async def do_endure_deaths(contender: Contender, command: Json) -> Json:
    return await endurance.deaths(contender, command["times"], Path(command["log"]))


TASKS: dict[str, Task] = {
    "open": do_open,
    "cycle": do_cycle,
    "close": do_close,
    "repeat": do_repeat,
    "at_once": do_at_once,
    "convert": do_convert,
    "head_of_line": do_head_of_line,
    "peak": do_peak,
    "turns": do_turns,
    "build": do_build,
    "failure": do_failure,
    "works": do_works,
    "endure_calls": do_endure_calls,
    "endure_deaths": do_endure_deaths,
}


async def serve(contender: Contender, commands: TextIO, answers: TextIO) -> None:
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, commands.readline):
        command = json.loads(line)
        try:
            answer = await TASKS[command["do"]](contender, command)
        except BaseException as error:
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer), file=answers, flush=True)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    commands = os.fdopen(os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    logging.disable(logging.ERROR)
    warnings.simplefilter("ignore")
    asyncio.run(serve(CONTENDERS[sys.argv[1]].make(), commands, answers))


if __name__ == "__main__":
    main()
