"""The installed suite: its required scenarios, and the verdict on one of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = Path(os.environ.get("TOOLGRAFT_CONFORMANCE", ROOT / ".cache" / "conformance"))
NODE: Final = FOLDER / "node"
PACKAGE: Final = FOLDER / "node_modules" / "@modelcontextprotocol" / "conformance"
REVISIONS: Final = ("2025-11-25", "2026-07-28")
SECONDS: Final = 60
"""For one client."""
BEYOND: Final = (
    "json-schema-2020-12-preservation",
    "auth/client-credentials-basic",
    "auth/client-credentials-jwt",
    "auth/enterprise-managed-authorization",
    "auth/wif-jwt-bearer",
    "auth/dpop",
    "auth/dpop-nonce",
)
"""Scenarios that are newer than the revisions, or of extensions, so not required, and passed all the same."""


@dataclass(frozen=True)
class Verdict:
    """What the suite says of one run of one scenario.

    Attributes:
        passed: It passed, by the suite's own exit code.
        checks: How many of its checks succeeded; none is a failure too, as nothing was seen.
        timed_out: The client did not end in time.
        seconds: How long it took.
        report: The suite's words, of a failure.
    """

    passed: bool
    checks: int
    timed_out: bool
    seconds: float
    report: str


def is_installed() -> bool:
    """Whether `scripts/conformance` has been here."""
    return NODE.exists() and PACKAGE.is_dir()


def scenarios(revision: str) -> Sequence[str]:
    """The client scenarios that a revision requires, in the suite's own list, and those beyond it."""
    required: list[str] = []
    section = ""
    for line in (PACKAGE / "requirements" / f"{revision}.yaml").read_text().splitlines():
        if line and line[0] not in " #":
            section = line.rstrip(":")
        elif section == "client" and line.startswith("  - "):
            required.append(line.removeprefix("  - ").strip())
    return (*required, *BEYOND)


def judge(leg: str, revision: str, scenario: str, door: Path) -> Verdict:
    """Run one scenario, with the client that `warm` has behind `door`; once more, alone, when that ran out of time."""
    with _turn(alone=False):
        verdict = _run(leg, revision, scenario, door)
    if verdict.timed_out:
        with _turn(alone=True):
            verdict = _run(leg, revision, scenario, door)
    return verdict


def _run(leg: str, revision: str, scenario: str, door: Path) -> Verdict:
    started = time.monotonic()
    compiled = str(FOLDER / "compiled")  # the suite's own start takes most of a scenario
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    with tempfile.TemporaryDirectory() as results:
        done = subprocess.run(
            _command(leg, revision, scenario, results),
            cwd=ROOT,
            env={**os.environ, "PATH": path, "TOOLGRAFT_CONFORMANCE_SOCKET": str(door), "NODE_COMPILE_CACHE": compiled},
            capture_output=True,
            text=True,
            timeout=SECONDS + 30,
            check=False,
        )
        checks = [check for file in Path(results).rglob("checks.json") for check in json.loads(file.read_text())]
    verdict = Verdict(
        passed=done.returncode == 0,
        checks=sum(check["status"] == "SUCCESS" for check in checks),
        timed_out="Client timed out" in done.stderr,
        seconds=time.monotonic() - started,
        report="",
    )
    if verdict.passed and verdict.checks:
        return verdict
    return replace(verdict, passed=False, report=_report(checks, done.stderr))


def _command(leg: str, revision: str, scenario: str, results: str) -> Sequence[str]:
    # The suite splits the client's command at blanks, so that no path stands in it.
    client = f"{Path(sys.executable).name} -S tests/conformance/knock.py {leg}"
    options = {
        "--command": client,
        "--scenario": scenario,
        "--spec-version": revision,
        "--timeout": str(SECONDS * 1000),
        "-o": results,
    }
    program = [str(NODE), str(PACKAGE / "dist" / "index.js"), "client", "--force"]
    return [*program, *(word for option in options.items() for word in option)]


def _report(checks: Sequence[Mapping[str, Any]], log: str) -> str:
    missed = [check for check in checks if check["status"] in ("FAILURE", "WARNING")]
    lines = [f"{check['id']}: {check.get('errorMessage') or check['description']}" for check in missed]
    return "\n".join([*lines, log[-10_000:]])


@contextmanager
def _turn(*, alone: bool) -> Generator[None]:
    """Share the machine with the other workers' scenarios, or have it without any."""
    import fcntl  # here, for the sake of systems that have none

    with (FOLDER / "turns").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield
