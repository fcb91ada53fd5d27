"""One call after the other, through each framework's own entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from typing import Any, Final

from benchmarks.contenders.contract import Target
from benchmarks.fleet import Samples, Worker, close_all, http, interleave, open_all, stdio, workers
from benchmarks.roster import ADAPTERS, AGENTS, HELD, LANGCHAIN_MCP, LC, LISTENED, OA, RAW, SYNC
from benchmarks.rows.scope import Scope
from benchmarks.table import Metric, Row

ECHO: Final[dict[str, Any]] = {"tool": "echo", "arguments": {"text": "hello"}}
ALL: Final = (RAW, LC, LISTENED, OA, AGENTS, LANGCHAIN_MCP, HELD)
ON_STDIO: Final = {LC: 1.05, LISTENED: 1.18, OA: 1.05}
ON_HTTP: Final = {LC: 1.03, LISTENED: 1.13, OA: 1.05}


def rows(scope: Scope) -> Iterator[Row]:
    with workers(ALL) as team:
        yield _echo(team, scope, "thin stdio", stdio("thin"), {LC: 1.2, LISTENED: 1.6, OA: 1.15}, "cpu")
        yield _echo(team, scope, "SDK stdio server", stdio("sdk"), ON_STDIO, "wall")
        with http("thin") as server:
            yield _echo(team, scope, "thin HTTP", server.target, ON_HTTP, "cpu")
        with http("sdk") as server:
            yield _echo(team, scope, "SDK HTTP server", server.target, ON_HTTP, "wall")
        typed = _measured(team, stdio("sdk"), scope, tool="typed", arguments={"text": "hello"})
        yield Row("call with typed output, SDK stdio server", typed, {LC: 0.42}, base=HELD)


def documented(scope: Scope) -> Iterator[Row]:
    """Against a session a call, which is how langchain-mcp-adapters is documented."""
    once = Scope(scope.rounds, 2)
    with workers([ADAPTERS, LC]) as team:
        for title, place, most in (("stdio", nullcontext(None), 1 / 250), ("HTTP", http("sdk"), 1 / 18)):
            with place as server:
                target = server.target if server else stdio("sdk")
                samples = _measured(team, target, once, **ECHO)
            yield Row(
                f"call, the documented way, SDK {title} server", samples, {LC: most}, base=ADAPTERS, judged="wall"
            )


def sync(scope: Scope) -> Iterator[Row]:
    with workers([RAW, SYNC]) as team:
        for title, target, most in (("thin stdio", stdio("thin"), 1.9), ("SDK stdio server", stdio("sdk"), 1.2)):
            samples = _measured(team, target, scope, **ECHO)
            yield Row(f"sync invoke, {title}", samples, {SYNC: most}, judged="wall")


def _echo(
    team: Mapping[str, Worker], scope: Scope, title: str, target: Target, targets: Mapping[str, float], judged: Metric
) -> Row:
    return Row(f"call, {title}", _measured(team, target, scope, **ECHO), targets, judged=judged)


def _measured(team: Mapping[str, Worker], target: Target, scope: Scope, **command: Any) -> Samples:
    failed = open_all(team, target)
    ready = {name: worker for name, worker in team.items() if name not in failed}
    samples = interleave(ready, scope.rounds, "repeat", times=scope.calls, **command)
    close_all(ready)
    samples.failed.update(failed)
    return samples
