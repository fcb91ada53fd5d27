"""An agent's turn with many tools, the model scripted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchmarks.fleet import close_all, interleave, open_all, stdio, workers
from benchmarks.roster import AGENTS, AGENTS_CACHED, HELD, LANGCHAIN_MCP, LC, LOCAL_LC, LOCAL_OA, OA
from benchmarks.rows.scope import Scope
from benchmarks.table import Row

TEAMS: Final = {
    "OpenAI Agents": (LOCAL_OA, {OA: 1.15}, (OA, AGENTS, AGENTS_CACHED)),
    "LangChain": (LOCAL_LC, {LC: 1.12}, (LC, LANGCHAIN_MCP, HELD)),
}
SIZES: Final = (100, 400)


def rows(scope: Scope) -> Iterator[Row]:
    for title, (local, targets, names) in TEAMS.items():
        with workers([local, *names]) as team:
            for size in SIZES:
                open_all(team, stdio("thin", "--tools", size))
                samples = interleave(team, scope.rounds, "turns", turns=10)
                close_all(team)
                yield Row(f"{title} turn, {size} tools", samples, targets, base=local)
