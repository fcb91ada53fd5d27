"""Descriptions within a limit: cut at a sentence, and never without a mark."""

from __future__ import annotations

import re

MARK = " […]"
"""Ends every description that was cut."""

_SENTENCE_END = re.compile(r"[.!?…:](?=\s)|\n(?=\n)|[。！？]")  # noqa: RUF001
_WORD_END = re.compile(r"\s")


def describe(description: str, limit: int | None) -> str:
    """Give a description that keeps within a limit.

    Some models refuse descriptions beyond 1,024 characters, and some hosts cut them without a word. This
    cuts at the end of a sentence where one ends in the second half of what fits, else between two words,
    and ends with a visible mark.

    Args:
        description: As the server sent it.
        limit: Most characters, mark included; None for no limit.

    Raises:
        ValueError: The limit is too small to hold the mark and a word.
    """
    if limit is None or len(description) <= limit:
        return description
    room = limit - len(MARK)
    if room < len(MARK):
        raise ValueError(f"a description limit of {limit} characters is too small; use 16 or more")
    head = description[:room]
    cut = _last(_SENTENCE_END, description, room) or _last(_WORD_END, head, room) or room
    return head[:cut].rstrip() + MARK


def _last(pattern: re.Pattern[str], text: str, room: int) -> int:
    """End of the last match within the second half of the room, or 0."""
    ends = [match.end() for match in pattern.finditer(text, room // 2, room + 1) if match.end() <= room]
    return ends[-1] if ends else 0
