"""Peak memory of this process, resettable (Linux)."""

from __future__ import annotations

from pathlib import Path


def _status(key: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(key))


def reset_peak() -> int:
    """Forget the peak so far; give what is in use now, in kilobytes."""
    Path("/proc/self/clear_refs").write_text("5")
    return in_use_kb()


def in_use_kb() -> int:
    """What is in use now, in kilobytes."""
    return _status("VmRSS:")


def peak_kb() -> int:
    """The most that was in use since the last reset, in kilobytes."""
    return _status("VmHWM:")
