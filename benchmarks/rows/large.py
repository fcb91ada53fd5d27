"""Large results: 1 MiB of text, a picture of 1 MB."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Final

from benchmarks.fleet import (
    Failed,
    HttpServer,
    Samples,
    close_all,
    http,
    interleave,
    open_all,
    shuffled,
    stdio,
    workers,
)
from benchmarks.roster import AGENTS, HELD, LANGCHAIN_MCP, LC, OA, RAW
from benchmarks.rows.scope import Scope
from benchmarks.table import Row

ALL: Final = (RAW, LC, OA, AGENTS, LANGCHAIN_MCP, HELD)
KINDS: Final = {"big_text": "1 MiB of text", "image": "a picture of 1 MB"}
COPY_MB: Final = 1.4


def rows(scope: Scope) -> Iterator[Row]:
    yield from _on(scope, "thin stdio", None, RAW, 1.05)
    with http("sdk") as server:
        yield from _on(scope, "SDK HTTP", server, RAW, 1.05)
    with http("old") as server:  # the SDK's client takes no event over 1 MiB there
        yield from _on(scope, "v1-era SDK HTTP (events)", server, HELD, 1.05)


def _on(scope: Scope, where: str, server: HttpServer | None, base: str, most: float) -> Iterator[Row]:
    target = server.target if server else stdio("thin")
    with workers(ALL) as team:
        open_all(team, target)
        for tool, what in KINDS.items():
            samples = interleave(team, scope.rounds, "repeat", tool=tool, arguments={}, times=3, least=1_000_000)
            yield Row(f"{what}, {where}", samples, {LC: most, OA: most}, base=base, judged="wall")
        close_all(team)


def memory(scope: Scope) -> Iterator[Row]:
    for tool, what in KINDS.items():
        samples = Samples()
        for name in shuffled(ALL):
            _peak(name, tool, samples)
        most = statistics.median(samples.wall[RAW]) / 1024 + COPY_MB
        yield Row(f"peak memory of {what}", samples, {LC: most, OA: most}, base=None, judged="wall", unit="MB")


def _peak(name: str, tool: str, samples: Samples) -> None:
    """Of the first large result of a process: later ones find the memory that it left."""
    with workers([name]) as team:
        open_all(team, stdio("thin"))
        try:
            team[name].ask("repeat", tool="echo", arguments={"text": "x"}, times=5)
            samples.add(name, team[name].ask("peak", tool=tool))
        except Failed as error:
            samples.fail(name, error)
