"""The verdicts, one test each. No failure is expected."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conformance import suite
from tests.conformance.legs import LEGS
from tests.conformance.table import PROPERTY
from tests.conformance.warm import warm

pytestmark = [
    pytest.mark.conformance,
    pytest.mark.timeout(4 * suite.SECONDS),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="clients are forked, and this system cannot"),
]


def runs() -> list[tuple[str, str, str]]:
    if not suite.is_installed():
        return []
    return [
        (scenario, revision, leg)
        for revision in suite.REVISIONS
        for scenario in suite.scenarios(revision)
        for leg in LEGS
    ]


@pytest.fixture(scope="module")
def door() -> Iterator[Path]:
    if not suite.is_installed():
        reason = "the MCP conformance suite is not installed: run scripts/conformance"
        (pytest.fail if os.environ.get("TOOLGRAFT_REQUIRE_ALL") else pytest.skip)(reason)
    with warm(suite.ROOT) as path:
        yield path


@pytest.mark.parametrize(("scenario", "revision", "leg"), runs())
def test_the_client_conforms(
    scenario: str, revision: str, leg: str, door: Path, record_property: Callable[[str, object], None]
) -> None:
    verdict = suite.judge(leg, revision, scenario, door)
    row = {"leg": leg, "revision": revision, "scenario": scenario}
    record_property(PROPERTY, {**row, "passed": verdict.passed, "checks": verdict.checks, "seconds": verdict.seconds})
    assert verdict.passed, verdict.report


@pytest.mark.parametrize("scenario", ["initialize", "http-invalid-tool-headers", "auth/resource-mismatch"])
def test_a_client_that_fails_at_once_passes_nothing(scenario: str, door: Path) -> None:
    verdict = suite.judge("no_such_leg", "2026-07-28", scenario, door)
    assert not verdict.passed
    assert "KeyError: 'no_such_leg'" in verdict.report


def test_a_client_that_runs_out_of_time_does_not_pass(door: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "SECONDS", 0.01)
    verdict = suite.judge("connect", "2026-07-28", "tools_call", door)
    assert verdict.timed_out
    assert not verdict.passed
