"""Many calls at once, and one behind another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchmarks.fleet import close_all, http, interleave, open_all, stdio, workers
from benchmarks.roster import ADAPTERS, AGENTS, HELD, LANGCHAIN_MCP, LC, OA, RAW
from benchmarks.rows.scope import Scope
from benchmarks.table import Row

ALL: Final = (RAW, LC, OA, AGENTS, LANGCHAIN_MCP, HELD)


def rows(scope: Scope) -> Iterator[Row]:
    rounds = max(scope.rounds // 2, 2)
    with workers(ALL) as team:
        open_all(team, stdio("sdk"))
        for times in (10, 100):
            samples = interleave(team, rounds, "at_once", tool="sleep", arguments={"ms": 50}, times=times)
            yield Row(f"{times} calls of 50 ms at once, SDK stdio", samples, {LC: 1.1, OA: 1.1}, judged="wall")
        close_all(team)
    with workers([*ALL, ADAPTERS]) as team, http("sdk") as server:
        open_all(team, server.target)
        for times in (10, 100):
            samples = interleave(team, rounds, "at_once", tool="sleep", arguments={"ms": 50}, times=times)
            yield Row(f"{times} calls of 50 ms at once, SDK HTTP", samples, {LC: 1.2, OA: 1.2}, judged="wall")
        samples = interleave(team, rounds, "head_of_line")
        title = "a short call behind a long one, SDK HTTP"
        yield Row(title, samples, {LC: 5, OA: 5}, base=None, judged="wall")
        close_all(team)
