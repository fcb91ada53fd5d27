"""Text over its limit: head and tail of it, only its size, or a file that holds the whole."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Final, TypeAlias

from toolgraft.config.options import Limits
from toolgraft.result import File, Image, Text
from toolgraft.shown import sentences
from toolgraft.shown.spill import spill

_Parts: TypeAlias = tuple[Text | Image | File, ...]

_WINDOW: Final = 2_000
"""How far a cut may move to fall between lines or words, at most a tenth of the limit."""


def fit(parts: _Parts, limits: Limits, *, name: str, whole_at: str) -> _Parts:
    """Bring the text of all parts together under `limits.text`; pictures and files stay where they are.

    Args:
        parts: What would be shown.
        limits: The limit and what to do over it.
        name: What the tool is called, for a file's name.
        whole_at: Where the whole result is found.
    """
    texts = [part.text for part in parts if isinstance(part, Text)]
    total = sum(len(text) for text in texts)
    if limits.text is None or total <= limits.text:
        return parts
    size = f"{total:,} characters (about {sum(map(sentences.tokens, texts)):,} tokens)"
    if limits.on_overflow == "refuse":
        return _refused(parts, size, limits.text, whole_at)
    where: object = whole_at
    if limits.on_overflow == "spill" and limits.spill_to is not None:
        where = spill(texts, limits, name) or f"{whole_at}, since no file could be written"
    return _cut(parts, total, limits.text, f"of {size} left out here; the whole is in {where}")


def fit_error(parts: _Parts, limits: Limits, *, whole_at: str) -> _Parts:
    """Bring the text of a failed call under `limits.error_text`: of an error, head and tail say the most."""
    texts = [part.text for part in parts if isinstance(part, Text)]
    total = sum(len(text) for text in texts)
    if limits.error_text is None or total <= limits.error_text:
        return parts
    notice = f"of {total:,} characters left out here; the whole error is in {whole_at}"
    return _cut(parts, total, limits.error_text, notice)


def _refused(parts: _Parts, size: str, limit: int, whole_at: str) -> _Parts:
    said = (
        f"[The tool's answer of {size} is over the limit of {limit:,} characters and is not shown. "
        f"It is in {whole_at}. Ask for less, e.g. by a filter or a smaller page.]"
    )
    first = next(index for index, part in enumerate(parts) if isinstance(part, Text))
    kept = (part for index, part in enumerate(parts) if index == first or not isinstance(part, Text))
    return tuple(Text(said) if isinstance(part, Text) else part for part in kept)


def _cut(parts: _Parts, total: int, limit: int, notice: str) -> _Parts:
    """Keep the first seven tenths and the last three of the limit, as if all text were one."""
    head = limit * 7 // 10
    tail = total - (limit - head)
    ends: dict[int, tuple[str, str]] = {}
    left = at = 0
    for index, part in enumerate(parts):
        if isinstance(part, Text):
            start, at = at, at + len(part.text)
            if at > head and start < tail:
                front = part.text[: _back(part.text, head - start, limit)]
                rest = part.text[max(len(front), _forth(part.text, tail - start, limit)) :]
                ends[index] = front, rest
                left += len(part.text) - len(front) - len(rest)
    first = next(iter(ends))
    kept: list[Text | Image | File] = []
    for index, part in enumerate(parts):
        if index in ends and isinstance(part, Text):
            front, rest = ends[index]
            note = f"[{left:,} {notice}]" if index == first else ""
            text = "\n\n".join(piece for piece in (front, note, rest) if piece)
            kept += [replace(part, text=text)] if text and not text.isspace() else []
        else:
            kept.append(part)
    return tuple(kept)


def _back(text: str, position: int, limit: int) -> int:
    """Move a cut back to the end of a line or word, or at least off the middle of a character."""
    if position <= 0 or position >= len(text):
        return min(max(position, 0), len(text))
    floor = max(0, position - min(_WINDOW, limit // 10))
    for stop in ("\n", " "):
        found = text.rfind(stop, floor, position)
        if found > 0:
            return found
    while position > floor and _joins(text, position):
        position -= 1
    return position


def _forth(text: str, position: int, limit: int) -> int:
    """Move a cut forward to the start of a line or word, or at least off the middle of a character."""
    if position <= 0 or position >= len(text):
        return min(max(position, 0), len(text))
    ceiling = min(len(text), position + min(_WINDOW, limit // 10))
    for stop in ("\n", " "):
        found = text.find(stop, position, ceiling)
        if found >= 0:
            return found + 1
    while position < ceiling and _joins(text, position):
        position += 1
    return position


def _joins(text: str, position: int) -> bool:
    """Whether a character belongs to the one before it: a mark, a joiner, what was joined, a variation, a skin tone."""
    character = text[position]
    joined = text[position - 1 : position] == "\u200d"
    return joined or unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf", "Sk")
