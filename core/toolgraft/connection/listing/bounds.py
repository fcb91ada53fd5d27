"""What a list may hold of one tool: names, texts and schemas are measured before anything else looks into them.

All work is bounded by the limits: what is too long is not read to its end, what is nested too deep not followed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from toolgraft.config.list_limits import ListLimits, OnText
from toolgraft.content.hidden import hidden_in
from toolgraft.schema.description import describe
from toolgraft.spec import Flag

_GRAMMAR: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_NO_TEXT: Final = "\ufffd"
_HEAD: Final = 40
_TEXTS: Final = (("description",), ("title",), ("annotations", "title"))
_TREES: Final = ("inputSchema", "outputSchema", "_meta")


@dataclass(frozen=True, slots=True)
class Breach:
    """Something of a tool that is not within the limits.

    Attributes:
        pointer: JSON pointer (RFC 6901) to it, in the tool as sent.
        reason: What is wrong, as one sentence without the tool's name.
        then: What the limits say of it.
    """

    pointer: str
    reason: str
    then: OnText


def breach_of_name(name: str, limits: ListLimits) -> Breach | None:
    """What is wrong with a tool's name, or None."""
    reason = _wrong_name(name, limits)
    return Breach("/name", reason, limits.on_name) if reason else None


def _wrong_name(name: str, limits: ListLimits) -> str:
    if len(name) > limits.name:
        return f"its name has {len(name):,} characters, more than {limits.name:,}; it begins with {name[:_HEAD]!a}"
    if _NO_TEXT in name or not _is_text(name):
        return "its name holds what is no text, so that it cannot be called by it"
    if limits.names == "mcp" and _GRAMMAR.fullmatch(name) is None:
        return "its name is not made of A-Z a-z 0-9 _ - . alone, 1 to 128 of them"
    if limits.hidden != "keep" and (hidden := hidden_in(name)):
        return f"its name has characters that nobody sees: {hidden}"
    return ""


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def cut_texts(tool: Mapping[str, Any], limits: ListLimits) -> tuple[Mapping[str, Any], tuple[Flag, ...]]:
    """A tool whose texts are cut to what is allowed, where they are to be cut, and what was cut of it."""
    if limits.on_description != "cut":
        return tool, ()
    flags: list[Flag] = []
    for path in _TEXTS:
        text, most = _at(tool, path), limits.description_bytes
        if isinstance(text, str) and (size := _bytes(text, most)) > most:
            tool = _with(tool, path, within(text, most))
            flags.append(Flag("/" + "/".join(path), f"cut from {size:,} bytes to {most:,}"))
    return tool, tuple(flags)


def _with(tool: Mapping[str, Any], path: tuple[str, ...], text: str) -> Mapping[str, Any]:
    key, *rest = path
    return {**tool, key: _with(tool[key], tuple(rest), text) if rest else text}


def within(text: str, most: int) -> str:
    """The beginning of a text, with a mark where it was cut, in at most so many bytes (UTF-8)."""
    if _bytes(text, most) <= most:
        return text
    head = text[:most].encode("utf-8", "surrogatepass")[: most - _MARK].decode("utf-8", "ignore")
    return describe(head + text[len(head) :][:1], max(len(head), _LEAST))


_MARK: Final = 8
"""Bytes that are left for the mark."""

_LEAST: Final = 16


def breach_of_text(tool: Mapping[str, Any], limits: ListLimits) -> Breach | None:
    """The first text of a tool that is too long, or None."""
    for path in _TEXTS:
        size = _bytes(_at(tool, path), limits.description_bytes)
        if size > limits.description_bytes:
            reason = f"its {path[-1]} has {size:,} bytes, more than {limits.description_bytes:,}"
            return Breach("/" + "/".join(path), reason, limits.on_description)
    return None


def _at(tool: Mapping[str, Any], path: tuple[str, ...]) -> object:
    value: object = tool
    for key in path:
        value = cast("Mapping[str, Any]", value).get(key) if isinstance(value, dict) else None
    return value


def _bytes(text: object, enough: int) -> int:
    """Bytes of a text; its characters are counted where there cannot be as many bytes as are enough."""
    if not isinstance(text, str):
        return 0
    return len(text) if len(text) * 4 <= enough else len(text.encode("utf-8", "surrogatepass"))


def breach_of_size(tool: Mapping[str, Any], limits: ListLimits) -> Breach | None:
    """The first schema of a tool that is too large, or nested too deep, or None."""
    for key in _TREES:
        deepest = _DEEPEST_META if key == "_meta" else limits.schema_depth
        if (reason := _oversize(tool.get(key), limits, deepest)) is not None:
            return Breach(f"/{key}", reason, limits.on_schema)
    return None


_DEEPEST_META: Final = 1_000
"""Levels of what a server says for programs: no model is given it, and serializers are given as much as they take."""


def _oversize(value: object, limits: ListLimits, deepest: int) -> str | None:
    if not isinstance(value, dict | list) or not value:
        return None
    level: list[Any] = [value]
    nodes = 0
    for _ in range(deepest):
        below: list[Any] = []
        for each in level:
            nodes += len(each)
            if nodes > limits.schema_nodes:
                return f"it holds more than {limits.schema_nodes:,} values"
            inner = cast("Iterable[object]", each.values() if isinstance(each, dict) else each)
            below += [one for one in inner if isinstance(one, dict | list)]
        if not below:
            size = _size(cast("Any", value), limits.schema_bytes)
            return f"it has {size:,} bytes, more than {limits.schema_bytes:,}" if size > limits.schema_bytes else None
        level = below
    return f"it is nested deeper than {deepest:,} levels"


def _size(value: Any, enough: int) -> int:
    """Bytes of a value as short JSON; characters where there cannot be as many bytes as are enough."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError):  # of a client of the user's own; the conversion says what is wrong with it
        return 0
    return _bytes(text, enough)
