"""JSON as servers write it: also with half a surrogate pair in a string, which strict readers refuse."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import from_json

from toolgraft.content.text import encodable


def read_json(text: bytes) -> Any:
    """The value of a JSON text.

    Servers that cut a string in the middle of an emoji escape half a surrogate pair: JSON by the letter of RFC 8259,
    but nothing that can be encoded again. Each becomes U+FFFD.

    Raises:
        ValueError: It is no JSON.
    """
    try:
        return from_json(text)
    except ValueError:
        return _read_leniently(text)


def _read_leniently(text: bytes) -> Any:
    """Also takes what is nested deeper than the strict reader goes: that costs one tool, not the list that it is in."""
    try:
        value = json.loads(text)
        return json.loads(encodable(json.dumps(value, ensure_ascii=False)))
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
