"""Many servers: to have all their tools, and to leave those that will not go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchmarks.contenders.contract import Target
from benchmarks.fleet import Failed, Samples, Worker, interleave, shuffled, stdio, workers
from benchmarks.roster import ADAPTERS, AGENTS, HELD, LANGCHAIN_MCP, LC, OA, RAW
from benchmarks.rows.scope import Scope
from benchmarks.table import Row

ALL: Final = (RAW, LC, OA, AGENTS, LANGCHAIN_MCP, HELD, ADAPTERS)


def rows(scope: Scope) -> Iterator[Row]:
    rounds = max(scope.rounds // 3, 2)
    slow = [stdio("thin", "--delay", 0.5, "--name", f"s{number}").as_json() for number in range(10)]
    real = [stdio("sdk", "--name", f"s{number}").as_json() for number in range(10)]
    with workers(ALL) as team:
        samples = interleave(team, rounds, "cycle", targets=slow)
        yield Row("ten slow starters (0.5 s each)", samples, {LC: 1.05, OA: 1.05}, judged="wall")
        samples = interleave(team, rounds, "cycle", targets=real)
        yield Row("ten SDK servers", samples, {LC: 1.05, OA: 1.05}, judged="wall")


def stubborn(scope: Scope) -> Iterator[Row]:
    targets = [stdio("thin", "--stubborn", "--name", f"s{number}") for number in range(3)]
    samples = Samples()
    with workers((RAW, LC, OA, AGENTS, LANGCHAIN_MCP, HELD)) as team:
        for _ in range(min(scope.rounds, 2)):
            for name in shuffled(list(team)):
                _close(team[name], targets, samples)
    title = "closing three servers that ignore the end of their input and SIGTERM"
    yield Row(title, samples, {LC: 4.2, OA: 4.2}, base=None, judged="wall", unit="s")


def _close(worker: Worker, targets: list[Target], samples: Samples) -> None:
    if worker.name in samples.failed:
        return
    try:
        worker.ask("open", targets=[target.as_json() for target in targets])
        samples.add(worker.name, worker.ask("close"))
    except Failed as error:
        samples.fail(worker.name, error)
