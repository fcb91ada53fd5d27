"""The structured value, once: not a second time where the text says the same, not lost where it does not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from toolgraft.content.blocks import from_block
from toolgraft.content.text import compact
from toolgraft.result import ABSENT, AnyPart, Text, ToolResult


@dataclass(frozen=True, slots=True)
class Once:
    """How the structured value is told.

    Attributes:
        extra: JSON to show after the parts, or None where they say it already or there is none.
        cheaper: By `id` of a text part that repeats the value with escapes in it: the same without.
    """

    extra: str | None = None
    cheaper: Mapping[int, str] = field(default_factory=dict[int, str])

    def cheapest(self, part: AnyPart) -> AnyPart:
        """Give a part, in its cheaper form where it has one."""
        text = self.cheaper.get(id(part))
        return replace(part, text=text) if text is not None and isinstance(part, Text) else part


def structured_once(result: ToolResult, when: Literal["once", "no_text", "never"] = "once") -> Once:
    """Decide how the structured value of a result is told.

    Servers should repeat it as text (MCP: tools, structured content); common server libraries send `{"result": x}`
    beside the text of x, or one text a member where x is a list. A null is not told, nor an empty object or list
    beside anything else: it says what silence says.

    Args:
        result: The result.
        when: See `Limits.structured`.
    """
    value = result.structured
    if value is ABSENT or value is None or when == "never" or (value in ({}, []) and _has_content(result)):
        return Once()
    for candidate in _forms(value):
        for part in result.parts:
            if isinstance(part, Text) and _says(part.text, candidate):
                escaped = not isinstance(candidate, str) and "\\u" in part.text
                return Once(cheaper={id(part): compact(candidate)} if escaped else {})
        if isinstance(candidate, list) and _member_wise(result.parts, cast("list[object]", candidate)):
            return Once()
    if when == "no_text" and any(isinstance(part, Text) and part.text.strip() for part in result.parts):
        return Once()
    return Once(extra=compact(value))


def _has_content(result: ToolResult) -> bool:
    return any(not isinstance(part, Text) or part.text.strip() for part in result.parts)


def _forms(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        if len(members) == 1 and "result" in members:
            yield members["result"]


def _says(text: str, value: Any) -> bool:
    if isinstance(value, str):
        return text == value or (text[:1] == '"' and _parses_to(text, value))
    if isinstance(value, Mapping | list):
        opening = "{" if isinstance(value, Mapping) else "["
        return text[:64].lstrip()[:1] == opening and _parses_to(text, value)
    return text.strip() == compact(value) or (isinstance(value, bool) and text.strip() == str(value))


def _parses_to(text: str, value: Any) -> bool:
    try:
        return bool(json.loads(text) == value)
    except (ValueError, RecursionError):
        return False


def _member_wise(parts: Sequence[AnyPart], members: list[Any]) -> bool:
    """Whether the parts are the members one by one: text of each, or each a content block itself."""
    if not members or len(parts) != len(members):
        return False
    return all(_is_member(part, member) for part, member in zip(parts, members, strict=True))


def _is_member(part: AnyPart, member: Any) -> bool:
    if isinstance(part, Text) and _says(part.text, member):
        return True
    return isinstance(member, Mapping) and from_block(cast("object", member)).parts == (part,)
