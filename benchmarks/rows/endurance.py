"""What piles up over 10,000 calls and 200 deaths of the server."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.fleet import Failed, Samples, Worker, close_all, open_all, stdio, workers
from benchmarks.roster import LC, OA, RAW
from benchmarks.rows.scope import Scope
from benchmarks.table import Row

MOST_MB: Final = 2.0
SECONDS: Final = 400.0


def rows(scope: Scope) -> Iterator[Row]:
    calls, deaths = scope.calls * 100, scope.calls * 2
    after_calls, after_deaths = Samples(), Samples()
    with tempfile.TemporaryDirectory() as folder, workers([RAW, LC, OA]) as team:
        for name, worker in team.items():
            log = Path(folder) / name.replace(" ", "-")
            open_all({name: worker}, stdio("thin", "--log", log))
            _grow(worker, after_calls, "endure_calls", warm=calls // 10, times=calls)
            if name != RAW:  # its client does not come back
                _grow(worker, after_deaths, "endure_deaths", warm=deaths // 10, times=deaths, log=str(log))
        close_all(team)
    yield from _both(f"{calls} calls, thin stdio", after_calls)
    yield from _both(f"{deaths} deaths of the server", after_deaths)


def _grow(worker: Worker, samples: Samples, do: str, *, warm: int, times: int, **more: str) -> None:
    try:
        worker.ask(do, seconds=SECONDS, times=warm, **more)
        samples.add(worker.name, worker.ask(do, seconds=SECONDS, times=times, **more))
    except Failed as error:
        samples.fail(worker.name, error)


def _both(after: str, samples: Samples) -> Iterator[Row]:
    yield Row(f"memory grown by {after}", samples, {LC: MOST_MB, OA: MOST_MB}, base=None, judged="wall", unit="MB")
    yield Row(f"open files grown by {after}", samples, {LC: 0, OA: 0}, base=None, unit="files")
