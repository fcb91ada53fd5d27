"""Large results: 1 MiB of text, a picture of 1 MB."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from typing import Final

from benchmarks.fleet import HttpServer, Worker, close_all, http, interleave, open_all, stdio, workers
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
    with workers(ALL) as team, nullcontext():
        open_all(team, target)
        for tool, what in KINDS.items():
            samples = interleave(team, scope.rounds, "repeat", tool=tool, arguments={}, times=3, least=1_000_000)
            yield Row(f"{what}, {where}", samples, {LC: most, OA: most}, base=base, judged="wall")
        if server is None:
            yield from _memory(team, scope)
        close_all(team)


def _memory(team: Mapping[str, Worker], scope: Scope) -> Iterator[Row]:
    for tool, what in KINDS.items():
        samples = interleave(team, min(scope.rounds, 3), "peak", tool=tool)
        most = statistics.median(samples.wall[RAW]) / 1024 + COPY_MB
        yield Row(f"peak memory of {what}", samples, {LC: most, OA: most}, base=None, judged="wall", unit="MB")
