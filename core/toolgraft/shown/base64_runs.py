"""Base64 that stands in text: a model reads nothing in it and pays thousands of tokens for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from toolgraft.content import payload
from toolgraft.content.magic import HEAD, sniff
from toolgraft.result import AnyPart, Audio, File, Image

_STEP: Final = 512
_PROBE: Final = 8
_RUN: Final = re.compile(r"[A-Za-z0-9+/=_\-\r\n\\]*")
_TABLE: Final = bytes(bool(_RUN.fullmatch(chr(code))) for code in range(256))
_MARK: Final = ";base64,"
_SMALL: Final = 256 * 1024
"""Characters up to which short data URLs are looked for as well, well under a millisecond."""
_KEY: Final = 32
_PAYLOADS: Final = 32
"""Parts whose bytes are looked for in text, for each look goes through all of it."""
_SHORTEST_URL: Final = 64


class Hider:
    """Takes base64 out of text where there is evidence that it is data, and says how much was there.

    Evidence is that it repeats the bytes of another part of the same result, stands in a data URL, or begins like
    a picture, a PDF or another known kind of file. Other long runs of letters and digits are the tool's answer.
    """

    def __init__(self, parts: Iterable[AnyPart]) -> None:
        held = (part.data for part in parts if isinstance(part, Image | Audio | File) and len(part.data) >= _KEY)
        self._payloads = tuple(dict.fromkeys(held))[:_PAYLOADS]

    def hide(self, text: str) -> str:
        """Give the text without such base64."""
        for data in self._payloads:
            text = _without(text, data)
        if len(text) <= _SMALL and _MARK in text:
            text = _without_urls(text)
        return text if len(text) < 2 * _STEP else _without_runs(text)


def _note(length: int, kind: str | None) -> str:
    """Make a note that is also good inside a JSON string."""
    return f"[{length * 3 // 4:,} bytes of {kind or 'base64 data'} left out]"


def _without(text: str, data: str) -> str:
    at = text.find(data[:_KEY])
    if at < 0 or not text.startswith(data, at):
        return text
    return text.replace(data, _note(len(data), sniff(payload.head(data, HEAD))))


def _without_urls(text: str) -> str:
    kept: list[str] = []
    done = 0
    at = text.find(_MARK)
    while at >= 0:
        start = at + len(_MARK)
        end = _end(text, start)
        if end - start >= _SHORTEST_URL:
            kept += (text[done:start], _note(end - start, None))
            done = end
        at = text.find(_MARK, end)
    return "".join((*kept, text[done:]))


def _without_runs(text: str) -> str:
    kept: list[str] = []
    done = 0
    for start, end in _runs(text):
        kind = _evidence(text, start)
        if kind is not None:
            kept += (text[done:start], _note(end - start, kind))
            done = end
    return "".join((*kept, text[done:])) if kept else text


def _evidence(text: str, start: int) -> str | None:
    if text.endswith(_MARK, max(0, start - len(_MARK)), start):
        return "base64 data"
    cleaned = payload.clean(text[start : start + 2 * HEAD].replace("\\n", "").replace("\\r", "")[: HEAD // 4 * 4])
    return sniff(payload.head(cleaned, HEAD)) if cleaned else None


def _end(text: str, start: int) -> int:
    match = _RUN.match(text, start)
    return match.end() if match else start


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Find runs of base64 of at least a few `_STEP`s, looking at one character in sixty-four."""
    hits = _sieve(text)
    at = hits.find(b"\1\1\1")
    while at >= 0:
        probe = at * _STEP
        start = probe - _end(text[max(0, probe - 2 * _STEP) : probe][::-1], 0)
        end = _end(text, probe)
        if end - start >= 2 * _STEP:
            yield start, end
        at = hits.find(b"\1\1\1", max(end // _STEP, at + 1))


def _sieve(text: str) -> bytes:
    """Tell, for each `_STEP` characters, whether the first `_PROBE` of them could be base64."""
    count = (len(text) - _PROBE) // _STEP + 1
    if count < 3:
        return b""
    flags = -1
    for shift in range(_PROBE):
        probe = text[shift::_STEP][:count].encode("latin-1", "replace").translate(_TABLE)
        flags &= int.from_bytes(probe, "big")
    return flags.to_bytes(count, "big")
