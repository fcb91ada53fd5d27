"""To have the tools: connect, list, convert, make the agent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchmarks.fleet import close_all, http, interleave, open_all, stdio, workers
from benchmarks.roster import ADAPTERS, AGENTS, HELD, LANGCHAIN_MCP, LC, LOCAL_LC, OA, RAW
from benchmarks.rows.scope import Scope
from benchmarks.table import Row

ALL: Final = (RAW, LC, OA, AGENTS, LANGCHAIN_MCP, HELD, ADAPTERS)
HTTP_MOST: Final = {10: 0.25, 100: 0.40, 1000: 0.85}
AGENT_MOST: Final = {100: 5.0, 1000: 10.0}


def rows(scope: Scope) -> Iterator[Row]:
    with workers(ALL) as team:
        for size in scope.sizes:
            target = stdio("thin", "--tools", size)
            samples = interleave(team, scope.rounds, "cycle", targets=[target.as_json()])
            title = f"connect + list + convert {size} tools, thin stdio"
            yield Row(title, samples, {LC: 1.03, OA: 1.03}, judged="wall")
        for size in scope.sizes:
            with http("thin", "--tools", size) as server:
                samples = interleave(team, scope.rounds, "cycle", targets=[server.target.as_json()])
            most = HTTP_MOST[size]
            yield Row(f"connect + list + convert {size} tools, thin HTTP", samples, {LC: most, OA: most})


def conversion(scope: Scope) -> Iterator[Row]:
    with workers([LC, OA, AGENTS, HELD]) as team:
        open_all(team, stdio("thin", "--tools", max(scope.sizes)))
        samples = interleave(team, scope.rounds, "convert")
        close_all(team)
    yield Row("conversion, per tool", samples, {LC: 5, OA: 3.5}, base=None, unit="µs")


def create_agent(scope: Scope) -> Iterator[Row]:
    with workers([LC, LANGCHAIN_MCP, HELD, LOCAL_LC]) as team:
        for size in scope.sizes[1:]:
            open_all(team, stdio("thin", "--tools", size))
            samples = interleave(team, scope.rounds, "build")
            close_all(team)
            yield Row(f"create_agent, {size} tools", samples, {LC: AGENT_MOST[size]}, base=None)
