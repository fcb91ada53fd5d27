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

pytestmark = [pytest.mark.conformance, pytest.mark.timeout(4 * suite.SECONDS)]


def runs() -> list[tuple[str, str, str]]:
    if not suite.is_installed():
        return []
    return [
        (scenario, revision, leg)
        for revision in suite.REVISIONS
        for scenario in suite.scenarios(revision)
        for leg in LEGS
    ]


def test_the_suite_is_installed() -> None:
    if not suite.is_installed():
        reason = "the MCP conformance suite is not installed: run scripts/conformance"
        (pytest.fail if os.environ.get("TOOLGRAFT_REQUIRE_ALL") else pytest.skip)(reason)


@pytest.fixture(scope="module")
def door() -> Iterator[Path]:
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
