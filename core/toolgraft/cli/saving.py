"""Writes pictures, sounds and files of a result to a folder, never over a file that is there."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

from toolgraft.errors import ConfigError
from toolgraft.result import Audio, File, Image, ToolResult

_ENDINGS: Final = {
    "application/json": "json",
    "application/pdf": "pdf",
    "application/zip": "zip",
    "audio/flac": "flac",
    "audio/mpeg": "mp3",
    "audio/mp3": "mp3",
    "audio/ogg": "ogg",
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "image/gif": "gif",
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/svg+xml": "svg",
    "image/webp": "webp",
    "text/csv": "csv",
    "text/markdown": "md",
    "text/plain": "txt",
}
"""By media type; a server's own file names are not used, and anything else ends in `bin`."""


def save_media(result: ToolResult, folder: Path, tool: str) -> Iterator[tuple[Image | Audio | File, Path]]:
    """Write each part of bytes to a file of its own, and yield both.

    Args:
        result: The result.
        folder: Where to; it is made if it is not there.
        tool: What the files are called after.

    Raises:
        ConfigError: A file cannot be written.
    """
    stem = re.sub(r"[^\w-]+", "_", tool, flags=re.ASCII)[:64].strip("_") or "result"
    for part in result.parts:
        if isinstance(part, Image | Audio | File):
            yield part, _write(part, folder, stem)


def _write(part: Image | Audio | File, folder: Path, stem: str) -> Path:
    ending = _ENDINGS.get(part.mime_type, "bin")
    try:
        data = base64.b64decode(part.data)
    except binascii.Error:
        data = part.data.encode()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            path = folder / f"{stem}-{number}.{ending}"
            try:
                with path.open("xb") as file:
                    file.write(data)
            except FileExistsError:
                continue
            return path
    except OSError as error:
        raise ConfigError(f"cannot write to '{folder}': {error.strerror or error}", where="--out") from error
    raise AssertionError("unreachable")
