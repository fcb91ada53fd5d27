"""The whole text of a result in a file of its own."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from toolgraft.config.options import Limits

_OURS: Final = re.compile(r"[A-Za-z0-9_-]{1,80}-[0-9a-f]{16}\.txt")
_LOOKED_AT: Final = 10_000
"""Entries of the folder that are looked at, some tens of milliseconds in the worker thread."""


def spill(texts: Sequence[str], limits: Limits, name: str) -> Path | None:
    """Write text to a new file that only its owner can read.

    The same text gets the same file name, so that what the model is told does not change from run to run. Files that
    are too old or too many are removed, those only that were written so.

    Args:
        texts: The text parts; they are separated by a blank line.
        limits: Where (`spill_to`; folders are made with mode 0700), and how long files are kept.
        name: What the file is called after.

    Returns:
        The file, or None where it could not be written.
    """
    folder = Path(limits.spill_to or ".")
    raw = "\n\n".join(texts).encode("utf-8", "replace")
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:80] or "result"
    path = folder / f"{stem}-{hashlib.sha256(raw).hexdigest()[:16]}.txt"
    try:
        _make(folder)
        written = _write(path, raw)
    except OSError:
        return None
    with suppress(OSError):
        _tidy(folder, written, limits)
    return written


def _make(folder: Path) -> None:
    """Make a folder and those above it, all with mode 0700: `mkdir(parents=True)` gives that to the last one only."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


def _tidy(folder: Path, written: Path | None, limits: Limits) -> None:
    """Remove files of ours that are older or more than the limits say; the one just written stays."""
    ours: list[tuple[float, str]] = []
    with os.scandir(folder) as entries:
        for each in islice(entries, _LOOKED_AT):
            if _OURS.fullmatch(each.name) and each.path != str(written) and each.is_file(follow_symlinks=False):
                with suppress(OSError):  # another process tidies too
                    ours.append((each.stat(follow_symlinks=False).st_mtime, each.path))
    ours.sort(reverse=True)
    oldest = time.time() - limits.spill_days * 86_400 if limits.spill_days is not None else 0.0
    most = len(ours) if limits.spill_files is None else max(limits.spill_files - 1, 0)
    for index, (changed, path) in enumerate(ours):
        if index >= most or changed < oldest:
            with suppress(OSError):
                os.unlink(path)


def _write(path: Path, raw: bytes) -> Path | None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileExistsError:
        if path.is_symlink() or path.read_bytes() != raw:
            return None
        os.utime(path)  # it is young again
        return path
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(raw)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path
