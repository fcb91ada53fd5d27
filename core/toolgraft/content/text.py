"""Text that any later step can encode, and JSON as cheap text."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final, cast

_LONG: Final = 256
_DEEP: Final = 8
_MANY: Final = 200
_BITS: Final = 4_096
"""Longest number that is written out; Python refuses some above that."""
_JOINERS: Final = "\u200c\u200d"
"""Format characters that many scripts and emoji need, and that harm nobody."""
_UNUSUAL: Final = re.compile(r"[^\x20-\x7e]")
_COMMANDING: Final = ("Cc", "Cf", "Cs", "Zl", "Zp")


def encodable(text: str) -> str:
    """Give the text with lone surrogates replaced: they cannot be sent to a model and would end the run there."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def printable(text: str) -> str:
    r"""Give the text on one line, fit for a log or a terminal.

    What would command a terminal, or hide or turn text around, is spelled out, e.g. an escape as `\x1b`, a line break
    as `\n`.
    """
    return text if text.isprintable() and text.isascii() else _UNUSUAL.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    character = found[0]
    if character in _JOINERS or unicodedata.category(character) not in _COMMANDING:
        return character
    return character.encode("unicode_escape").decode()


def compact(value: Any) -> str:
    """Give JSON in the fewest characters: no blanks, nothing escaped that need not be (RFC 8259 §7).

    What JSON cannot say (only values made in this process can be so) becomes the name of its type.
    """
    try:
        return encodable(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_named))
    except (RecursionError, ValueError, TypeError):
        return encodable(json.dumps(shortened(value), ensure_ascii=False, separators=(",", ":")))


def shortened(value: Any, depth: int = 0) -> Any:
    """Give a copy in which long strings, long lists and deep nests are replaced by a note of their size."""
    if isinstance(value, str):
        return value if len(value) <= _LONG else f"{value[:32]}... ({len(value):,} characters)"
    if isinstance(value, int) and value.bit_length() > _BITS:
        return f"(a number of {value.bit_length():,} bits)"
    if isinstance(value, bool | int | float) or value is None:
        return value
    if depth >= _DEEP:
        return "..."
    if isinstance(value, Mapping):
        items = list(cast("Mapping[object, Any]", value).items())
        short = {
            key[:_LONG] if isinstance(key, str) else _named(key): shortened(one, depth + 1)
            for key, one in items[:_MANY]
        }
        return short if len(items) <= _MANY else {**short, "...": f"{len(items) - _MANY:,} more"}
    if isinstance(value, list | tuple):
        members = cast("list[Any]", value)
        listed = [shortened(one, depth + 1) for one in members[:_MANY]]
        return listed if len(members) <= _MANY else [*listed, f"... {len(members) - _MANY:,} more"]
    return _named(value)


def _named(value: object) -> str:
    return f"<{type(value).__name__}>"
