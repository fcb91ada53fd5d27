"""What hostile servers do to their host, toolgraft beside `agents.mcp`: `python -m benchmarks.faults`.

Each case of each host runs in a process of its own, which may take 150 seconds and 4 GiB.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import resource
import signal
import statistics
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from benchmarks.contenders.hosts import HOSTS
from benchmarks.environments import ROOT
from benchmarks.fleet import QUIET, Failed, shuffled
from benchmarks.hostility import CASES, Counts

SECONDS: Final = 150
BYTES: Final = 4 << 30
ROUNDS: Final = 3


def run(case: str, host: str) -> Counts:
    """Run a case in a process of its own.

    Raises:
        Failed: It did not end in time, or it ended without an answer.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.faults", "--work", case, host],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
        env={**os.environ, **QUIET},
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise Failed(f"no end within {SECONDS} s") from None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # with the servers that it has left
        process.wait()
    lines = [line for line in said.splitlines() if line.startswith("{")]
    if not lines:
        raise Failed(f"ended by itself with exit code {process.returncode}")
    return json.loads(lines[-1])


def work(case: str, host: str) -> None:
    """Run a case in this process, and print what was counted."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    logging.disable(logging.ERROR)
    warnings.simplefilter("ignore")
    print(json.dumps(asyncio.run(CASES[case](HOSTS[host]))), flush=True)
    os._exit(0)  # threads that wait for a hostile server are not waited for


def rows(cases: Sequence[str], rounds: int) -> Iterator[tuple[str, ...]]:
    """Each case's cells: what was done, and what was counted for each host."""
    for case in cases:
        taken: dict[str, list[Counts | str]] = {host: [] for host in HOSTS}
        for _ in range(rounds):
            for host in shuffled(list(HOSTS)):
                taken[host].append(attempt(case, host))
                print(f"{case}: {host}: {taken[host][-1]}", file=sys.stderr)
        yield case, *(cell(each) for each in taken.values())


def attempt(case: str, host: str) -> Counts | str:
    try:
        return run(case, host)
    except Failed as error:
        return str(error)


def cell(taken: Sequence[Counts | str]) -> str:
    """The median of each count, and each failure once."""
    counted = [each for each in taken if isinstance(each, Mapping)]
    names = list(counted[0]) if counted else []
    medians = [f"{name} {statistics.median(each[name] for each in counted):.3g}" for name in names]
    failures = list(dict.fromkeys(each for each in taken if isinstance(each, str)))
    return "; ".join([*medians, *failures])


def main() -> None:
    """Run the cases, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--only", action="append", help="a word of a case's name; may be given more than once")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="medians are shown")
    parser.add_argument("--work", nargs=2, metavar=("CASE", "HOST"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(*given.work)
    cases = [case for case in CASES if not given.only or any(word in case for word in given.only)]
    print("\n| case | " + " | ".join(HOSTS) + " |\n|" + " --- |" * (len(HOSTS) + 1))
    for row in rows(cases, given.rounds):
        print(f"| {' | '.join(row)} |", flush=True)
    print(f"\nMedians of {given.rounds} rounds; load at the end {os.getloadavg()[0]:.1f}.")


if __name__ == "__main__":
    main()
