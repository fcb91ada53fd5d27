"""The hard limit on what is taken from a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from toolgraft.errors import ResultError
from toolgraft.spec import ToolRef

_SCALAR: Final = 8

_LARGE: Final = 10_000
"""Values of a JSON value that are looked at on an event loop, well under ten milliseconds."""


def check_size(raw: Mapping[str, Any], limit: int, ref: ToolRef | None) -> None:
    """Refuse a result that is larger than the limit.

    The work is bounded by the limit itself: each value counts for something, and counting stops at the limit.

    Args:
        raw: The wire JSON of a result.
        limit: Bytes, `Limits.wire_bytes`.
        ref: The tool that answered.

    Raises:
        ResultError: The result is larger. The message says that the tool ran.
    """
    if measure(raw, limit) > limit:
        raise too_large(limit, ref)


def too_large(limit: int, ref: ToolRef | None) -> ResultError:
    """Make the error for a result over the limit, for whoever notices it first."""
    reason = (
        f"the tool ran, but its result is larger than {limit:,} bytes and was refused (Limits.wire_bytes). "
        "Do not simply repeat the call: ask for less, or raise the limit for this tool"
    )
    return ResultError(ref, reason)


def measure(value: object, limit: int) -> int:
    """Estimate the bytes of a JSON value, from below, and stop soon after `limit`."""
    total = 0
    waiting: list[object] = [value]
    while waiting and total <= limit:
        one = waiting.pop()
        total += _SCALAR
        if type(one) is str:
            total += len(one) if one.isascii() else len(one.encode("utf-8", "surrogatepass"))
        elif isinstance(one, dict):
            members = cast("dict[object, object]", one)
            waiting.extend(members)
            waiting.extend(members.values())
        elif isinstance(one, list):
            waiting.extend(cast("list[object]", one))
    return total


def is_large(value: object, most: int = _LARGE) -> bool:
    """Whether a JSON value has so many values in it that work on them would hold up an event loop."""
    waiting, seen = [value], 0
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            members = cast("dict[object, object]", one)
            seen += len(members)
            if seen <= most:
                waiting.extend(members.values())
        elif isinstance(one, list):
            listed = cast("list[object]", one)
            seen += len(listed)
            if seen <= most:
                waiting.extend(listed)
        if seen > most:
            return True
    return False
