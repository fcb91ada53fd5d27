"""The verdicts as one table, at the end of a run of pytest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import pytest

from tests.conformance.suite import REVISIONS

PROPERTY: Final = "conformance"

Row: TypeAlias = Mapping[str, Any]
"""Leg, revision, scenario, whether it passed, how many checks and seconds."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table, where scenarios were run."""
    rows = [
        value
        for reports in terminalreporter.stats.values()
        for report in reports
        for name, value in getattr(report, "user_properties", ())
        if name == PROPERTY and report.when == "call"
    ]
    if rows:
        terminalreporter.section("MCP conformance suite: client scenarios passed (checks)")
        for line in lines(rows):
            terminalreporter.write_line(line)


def lines(rows: Sequence[Row]) -> Iterable[str]:
    """One line a leg, one column a revision of the protocol; then what did not pass."""
    yield "".join(f"{title:<20}" for title in ("", *REVISIONS))
    for leg in sorted({row["leg"] for row in rows}):
        of_leg = [row for row in rows if row["leg"] == leg]
        cells = (_cell([row for row in of_leg if row["revision"] == revision]) for revision in REVISIONS)
        yield "".join(f"{cell:<20}" for cell in (leg, *cells))
    for row in rows:
        if not row["passed"]:
            yield f"not passed: {row['leg']} {row['revision']} {row['scenario']}"
    yield f"{sum(row['seconds'] for row in rows):.0f} s, all scenarios together"


def _cell(rows: Sequence[Row]) -> str:
    passed = [row for row in rows if row["passed"]]
    return f"{len(passed)} of {len(rows)} ({sum(row['checks'] for row in passed)})"
