"""A whole `CallToolResult` from the wire, as a `ToolResult`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from toolgraft.content.blocks import from_block, string_keyed
from toolgraft.result import ABSENT, AnyPart, ToolResult


def to_result(raw: object) -> ToolResult:
    """Convert a tool's answer. It takes any JSON whatever and never raises.

    Args:
        raw: The wire JSON of a `CallToolResult` (MCP schema), camelCase keys, of any protocol revision. Missing,
            null or mistyped members are taken for what they can only mean; each guess is in `warnings`.

    Returns:
        The parts in the order sent, the structured value, the error flag and `_meta`.
    """
    members = cast("Mapping[str, Any]", raw if isinstance(raw, Mapping) else {"content": [raw]})
    warnings: list[str] = []
    parts: list[AnyPart] = []
    for index, block in enumerate(_blocks(members.get("content"), warnings)):
        converted, problem = from_block(block)
        parts.extend(converted)
        if problem:
            warnings.append(f"content[{index}]: {problem}")
    return ToolResult(
        parts=tuple(parts),
        structured=members.get("structuredContent", ABSENT),
        is_error=_is_error(members.get("isError"), warnings),
        meta=string_keyed(members.get("_meta")),
        warnings=tuple(warnings),
    )


def _blocks(content: object, warnings: list[str]) -> Iterable[object]:
    if content is None:
        return ()
    if isinstance(content, list | tuple):
        return cast("Iterable[object]", content)
    warnings.append(f"content is {type(content).__name__}, not a list: taken as its only block")
    return (content,)


def _is_error(flag: object, warnings: list[str]) -> bool:
    if flag is None or isinstance(flag, bool):
        return bool(flag)
    said = flag.lower() not in ("false", "0", "no", "") if isinstance(flag, str) else bool(flag)
    warnings.append(f"isError is {type(flag).__name__}, not a boolean: taken as {said}")
    return said
