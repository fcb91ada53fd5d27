"""The structured value, once: not a second time where the text says the same, not lost where it does not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, cast

from toolgraft.content.blocks import from_block
from toolgraft.content.text import compact
from toolgraft.result import ABSENT, AnyPart, Text, ToolResult

_READ: Final = 4_000_000
"""Characters of text that are read to compare them, some 0.1 s; what is longer is far over what a model is shown."""


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
    texts = _Texts()
    for candidate in _forms(value):
        for part in result.parts:
            if isinstance(part, Text) and texts.say(part.text, candidate):
                escaped = not isinstance(candidate, str) and "\\u" in part.text
                return Once(cheaper={id(part): compact(candidate)} if escaped else {})
        if isinstance(candidate, list) and texts.are_members(result.parts, cast("list[object]", candidate)):
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


class _Texts:
    """Compares texts with values; what is read as JSON for that is bounded, however much text there is."""

    def __init__(self) -> None:
        self._left = _READ

    def say(self, text: str, value: Any) -> bool:
        """Whether a text says what a value says."""
        if isinstance(value, str):
            return text == value or (text[:1] == '"' and self._parses_to(text, value))
        if isinstance(value, Mapping | list):
            opening = "{" if isinstance(value, Mapping) else "["
            return text[:64].lstrip()[:1] == opening and self._parses_to(text, value)
        return text.strip() == compact(value) or (isinstance(value, bool) and text.strip() == str(value))

    def are_members(self, parts: Sequence[AnyPart], members: list[Any]) -> bool:
        """Whether the parts are the members one by one: text of each, or each a content block itself."""
        if not members or len(parts) != len(members):
            return False
        return all(self._is_member(part, member) for part, member in zip(parts, members, strict=True))

    def _is_member(self, part: AnyPart, member: Any) -> bool:
        if isinstance(part, Text) and self.say(part.text, member):
            return True
        return isinstance(member, Mapping) and from_block(cast("object", member)).parts == (part,)

    def _parses_to(self, text: str, value: Any) -> bool:
        if len(text) > self._left:
            return False
        self._left -= len(text)
        try:
            return bool(json.loads(text) == value)
        except (ValueError, RecursionError):
            return False
