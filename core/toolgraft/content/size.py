"""The hard limit on what is taken from a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from toolgraft.config.options import Limits
from toolgraft.errors import ResultError
from toolgraft.spec import ToolRef

_SCALAR: Final = 8

_LARGE: Final = 10_000
"""Values of a JSON value that are looked at on an event loop, well under ten milliseconds."""


_BLOCK: Final = 10
"""Values that a content block counts as: it is converted, and shown, one by one."""


def check_size(raw: Mapping[str, Any], limits: Limits, ref: ToolRef | None) -> None:
    """Refuse a result that is larger than the limits.

    The work is bounded by the limits themselves: each value counts for something, and counting stops at a limit.

    Args:
        raw: The wire JSON of a result.
        limits: Its `wire_bytes` and `wire_values` hold.
        ref: The tool that answered; None where something else than a tool was asked for.

    Raises:
        ResultError: The result is larger. The message says that the tool ran.
    """
    content = raw.get("content")
    blocks = len(cast("list[object]", content)) if isinstance(content, list) else 0
    if is_large(raw, limits.wire_values - (_BLOCK - 1) * blocks):
        counted = f", of which a content block counts as {_BLOCK}" if blocks else ""
        raise _refused(f"has more than {limits.wire_values:,} values in it{counted},", "wire_values", ref)
    if measure(raw, limits.wire_bytes) > limits.wire_bytes:
        raise _refused(f"is larger than {limits.wire_bytes:,} bytes", "wire_bytes", ref)


def _refused(why: str, limit: str, ref: ToolRef | None) -> ResultError:
    if ref is None:
        return ResultError(None, f"the answer {why} and was refused (Limits.{limit})")
    reason = (
        f"the tool ran, but its result {why} and was refused (Limits.{limit}). "
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


def has_more_values(text: bytes, most: int) -> bool:
    """Whether a JSON text has more values in it than `most`, told without reading it.

    What parts values is counted: each value but the first in an object or a list has a comma before it, the first one
    a bracket. Where there is more of that than `most`, what stands in strings is left out of the count.
    """
    if _parted(text) <= most:
        return False
    bare = text.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in text else text
    if bare.count(b'"') > 4 * most + 4:  # a value has a string as its name, and may be another
        return True
    outside = b"-".join(bare.split(b'"')[::2])
    return _parted(outside) - outside.count(b"{}") - outside.count(b"[]") > most


def _parted(text: bytes) -> int:
    return text.count(b",") + text.count(b"{") + text.count(b"[")
