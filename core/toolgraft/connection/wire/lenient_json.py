"""JSON as servers write it: what strict readers refuse costs a character or a number here, not the message."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from pydantic_core import from_json

from toolgraft.content.text import encodable

_ODD: Final = "\ufffd"
_NUL: Final = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")
_DIGITS: Final = 4_300
"""The longest whole number that Python reads; one above that stays as text."""


def read_json(text: bytes) -> Any:
    """The value of a JSON text.

    Servers that cut a string in the middle of a character write bytes that are no UTF-8, or escape half a surrogate
    pair; some write NUL, which databases refuse, or control characters as they are. Each such character becomes U+FFFD.
    A byte order mark is skipped.

    Raises:
        ValueError: It is no JSON.
    """
    if b"\\u0000" in text:
        text = _NUL.sub(rb"\1\\ufffd", text)
    try:
        return from_json(text)
    except ValueError:
        return _read_leniently(text)


def _read_leniently(text: bytes) -> Any:
    """Also takes what is nested deeper than the strict reader goes: that costs one tool, not the list that it is in."""
    plain = text.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").replace("\x00", _ODD).strip(_ODD + " \t\r\n")
    try:
        value = json.loads(plain, strict=False, parse_int=_whole)
        if plain.isascii() and "\\ud" not in plain.lower():
            return value
        return json.loads(encodable(json.dumps(value, ensure_ascii=False)))
    except RecursionError as error:
        flat = _flattened(plain)
        if flat == plain:
            raise ValueError("it is nested too deep") from error
        return _read_leniently(flat.encode())


def _flattened(text: str) -> str:
    """The text with a note in the place of each value that is nested deeper than any reader goes.

    Raises:
        ValueError: Its brackets do not match.
    """
    kept: list[str] = []
    depth = begun = 0
    for found in _BRACKET.finditer(text):
        bracket = found[0]
        if bracket in "[{":
            depth += 1
            if depth == _DEEPEST + 1:
                kept.append(text[begun : found.start()])
        elif bracket in "]}":
            depth -= 1
            if depth == _DEEPEST:
                kept.append(_TOO_DEEP)
                begun = found.end()
            if depth < 0:
                break
    if depth:
        raise ValueError("its brackets do not match")
    return "".join([*kept, text[begun:]])


_DEEPEST: Final = 200
_TOO_DEEP: Final = json.dumps(f"[left out here: it is nested deeper than {_DEEPEST} levels]")
_BRACKET: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= _DIGITS else digits
