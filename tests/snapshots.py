"""Snapshots kept beside the tests, in JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

WRITE = "TOOLGRAFT_WRITE_SNAPSHOTS"
"""Set this variable to write snapshots anew; then read the difference before it is committed."""


def matches(file: Path, name: str, value: Any) -> None:
    """Assert that a value is as it was when the snapshot was written."""
    known: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    plain = json.loads(json.dumps(value))
    if os.environ.get(WRITE):
        known[name] = plain
        file.write_text(json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
    assert name in known, f"no snapshot of {name}: set {WRITE}=1 to write it"
    assert plain == known[name]
