"""The environment of `scripts/providers`, and how programs run in it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from tests.house.source import FOLDERS, ROOT

FOLDER: Final = Path(os.environ.get("TOOLGRAFT_PROVIDERS", ROOT / ".cache" / "providers"))


def run(program: str, *arguments: str, seconds: int) -> Any:
    """Run a module of these tests where the packages are, and read the JSON that it prints."""
    done = subprocess.run(
        [python(), "-m", program, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*FOLDERS.values(), ROOT)))},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=seconds,
    )
    assert done.returncode == 0, done.stderr[-4_000:]
    return json.loads(done.stdout)


def python() -> str:
    """Give its interpreter; skip without it, or fail where everything has to run."""
    found = next((each for name in ("bin/python", "Scripts/python.exe") if (each := FOLDER / name).is_file()), None)
    if found is not None and (FOLDER / "installed").is_file():
        return str(found)
    reason = f"the providers' packages are not installed in {FOLDER}: run scripts/providers"
    if os.environ.get("TOOLGRAFT_REQUIRE_ALL"):
        pytest.fail(reason)
    pytest.skip(reason)
