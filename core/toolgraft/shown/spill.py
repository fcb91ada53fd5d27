"""The whole text of a result in a file of its own."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path


def spill(texts: Sequence[str], folder: Path, name: str) -> Path | None:
    """Write text to a new file that only its owner can read.

    The same text gets the same file name, so that what the model is told does not change from run to run.

    Args:
        texts: The text parts; they are separated by a blank line.
        folder: Where; it is made (mode 0700) when it is not there.
        name: What the file is called after.

    Returns:
        The file, or None where it could not be written.
    """
    raw = "\n\n".join(texts).encode("utf-8", "replace")
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:80] or "result"
    path = folder / f"{stem}-{hashlib.sha256(raw).hexdigest()[:16]}.txt"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _write(path, raw)
    except OSError:
        return None


def _write(path: Path, raw: bytes) -> Path | None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileExistsError:
        return path if not path.is_symlink() and path.read_bytes() == raw else None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(raw)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path
