"""Run the benchmarks: `python -m benchmarks`, or a subject of them."""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import replace
from typing import Final

from benchmarks.environments import set_up
from benchmarks.rows import calls, connecting, endurance, faults, imports, large, many, together, turns
from benchmarks.rows.scope import QUICK, Scope, Subject
from benchmarks.table import Row, markdown

SUBJECTS: Final[dict[str, Subject]] = {
    "imports": imports.rows,
    "connect": connecting.rows,
    "conversion": connecting.conversion,
    "create_agent": connecting.create_agent,
    "calls": calls.rows,
    "documented": calls.documented,
    "sync": calls.sync,
    "turns": turns.rows,
    "together": together.rows,
    "many": many.rows,
    "stubborn": many.stubborn,
    "large": large.rows,
    "memory": large.memory,
    "faults": faults.rows,
    "endurance": endurance.rows,
}


def main() -> None:
    """Measure, and print a table of ratios."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=SUBJECTS, help="a subject; may be given more than once")
    parser.add_argument("--rounds", type=int, help="interleaved rounds; medians are shown")
    parser.add_argument("--quick", action="store_true", help="few rounds and small lists: a look, not a measurement")
    parser.add_argument("--setup", action="store_true", help="only make the environments of the peers")
    given = parser.parse_args()
    set_up()
    if given.setup:
        return
    scope = QUICK if given.quick else Scope()
    if given.rounds:
        scope = replace(scope, rounds=given.rounds)
    found: list[Row] = []
    for name in given.only or SUBJECTS:
        started = time.monotonic()
        for row in SUBJECTS[name](scope):
            found.append(row)
            print(" · ".join(filter(None, row.cells())), file=sys.stderr)
        print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    print(markdown(found))
    print(f"\nMedians of {scope.rounds} interleaved rounds; load at the end {os.getloadavg()[0]:.1f}.")


if __name__ == "__main__":
    main()
