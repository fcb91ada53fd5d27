"""Single members of what an authorization server answers in JSON: an odd one takes nothing along."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, cast

_LONGEST: Final = 64 * 1024
_MOST: Final = 1_000


def text(raw: Mapping[str, Any], name: str) -> str | None:
    """A string with something in it, or None. Servers write null or "" for what they have not."""
    value = raw.get(name)
    return value if isinstance(value, str) and value and len(value) <= _LONGEST else None


def texts(raw: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    """A list of strings, or None where there is none; what is no string in it is left out."""
    value = raw.get(name)
    if not isinstance(value, list):
        return None
    return tuple(each for each in cast("list[object]", value)[:_MOST] if isinstance(each, str) and each)


def flag(raw: Mapping[str, Any], name: str) -> bool:
    """Whether it is there and true."""
    return raw.get(name) is True


def seconds(raw: Mapping[str, Any], name: str) -> float | None:
    """A number of 0 or more, also one that is written as a string; else None."""
    value = raw.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and number >= 0 else None
