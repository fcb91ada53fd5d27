"""A server dies in mid-call, and comes back; a call is cancelled."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.fleet import Failed, HttpServer, Samples, Worker, http, shuffled, stdio, workers
from benchmarks.roster import AGENTS, HELD, LANGCHAIN_MCP, LC, OA, RAW
from benchmarks.rows.scope import Scope
from benchmarks.table import Row

ALL: Final = (RAW, LC, OA, AGENTS, LANGCHAIN_MCP, HELD)
ECHO: Final[dict[str, Any]] = {"tool": "echo", "arguments": {"text": "hello"}, "times": 1}


def rows(scope: Scope) -> Iterator[Row]:
    for where, over_http in (("thin stdio", False), ("SDK HTTP", True)):
        told, after, cancel = Samples(), Samples(), Samples()
        for _ in range(min(scope.rounds, 3)):
            for name in shuffled(ALL):
                _try(name, over_http, told, after, cancel)
        yield Row(f"the server dies: until the caller knows, {where}", told, {LC: 20, OA: 20}, **_amounts())
        most = 3.0 if over_http else 10.0
        title = "the next call works: ratio to a call" if over_http else "the next call works: over a connect"
        yield Row(f"{title}, {where}", after, {LC: most, OA: most}, **_amounts(ratio=over_http))
        yield Row(f"a call is cancelled: until the server knows, {where}", cancel, {LC: 5, OA: 5}, **_amounts())


def _amounts(*, ratio: bool = False) -> dict[str, Any]:
    return {"base": None, "judged": "wall", "unit": "x" if ratio else "ms"}


def _try(name: str, over_http: bool, told: Samples, after: Samples, cancel: Samples) -> None:
    with tempfile.TemporaryDirectory() as folder, workers([name]) as team:
        log = Path(folder) / "log"
        if not over_http:
            _both(team[name], log, None, told, after, cancel)
            return
        with http("sdk", "--log", log) as server:
            _both(team[name], log, server, told, after, cancel)


def _both(worker: Worker, log: Path, server: HttpServer | None, told: Samples, after: Samples, cancel: Samples) -> None:
    target = server.target if server else stdio("thin", "--log", log)
    opened = worker.ask("open", targets=[target.as_json()])
    usual = worker.ask("repeat", **{**ECHO, "times": 20})
    for samples, name in ((cancel, "cancel"), (told, "death")):
        try:
            samples.add(worker.name, worker.ask("failure", name=name, log=str(log), seconds=20))
        except Failed as error:
            samples.fail(worker.name, error)
    if server:
        server.restart()
    try:
        took = worker.ask("works", seconds=20)["wall"]
    except Failed as error:
        after.fail(worker.name, error)
    else:
        value = took / usual["wall"] if server else took - opened["wall"]
        after.add(worker.name, {"wall": value, "cpu": 0.0})
