"""Makes text from a server fit for a terminal: what would command it, or hide or turn text around, is spelled out."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_JOINERS: Final = "\u200c\u200d"
"""Format characters that many scripts and emoji need, and that harm nobody."""
_SUSPECT: Final = re.compile(r"[^\x20-\x7e\n\t]")
_COMMANDING: Final = ("Cc", "Cf", "Cs", "Zl", "Zp")


def visible(text: str) -> str:
    r"""Spell out control characters, e.g. an escape as `\x1b`; line breaks and tabs stay."""
    return _SUSPECT.sub(_spelled, text.replace("\r\n", "\n"))


def one_line(text: str, longest: int = 200) -> str:
    """Do as `visible` does, on one line and cut where it is too long for a cell of a table."""
    head = text[: longest * 8 + 1]
    line = visible(" ".join(head.split()))
    return line if len(line) <= longest and len(head) == len(text) else f"{line[: longest - 1]}…"


def _spelled(found: re.Match[str]) -> str:
    character = found[0]
    if unicodedata.category(character) not in _COMMANDING or character in _JOINERS:
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
