"""JSON that every serializer takes: those of checkpoints and run states refuse or change some of what servers send."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias, cast

from toolgraft.content.text import encodable

_LEAST: Final = -(2**63)
_MOST: Final = 2**63 - 1
"""Whole numbers that checkpointers, databases and other languages take."""

DEEPEST: Final = 100
"""Levels of nesting that are kept: msgpack ends at 254, `copy.deepcopy` at some 300."""

_BITS: Final = 13_280
"""Some 4,000 digits, which Python writes out by default; a longer number is written in hexadecimal."""

_NOTED: Final = 1_000
"""Places that are named; their pointers together may be far larger than the value."""

_LONGEST: Final = 1_000
"""Characters of a pointer that is named."""


class Plain(NamedTuple):
    """A value in its plain form.

    Attributes:
        value: The value itself where it was plain already, else a copy.
        as_text: JSON pointers (RFC 6901) of what was written as text.
        unnamed: How many more were, which are too many or too deep to be named.
    """

    value: Any
    as_text: Sequence[str] = ()
    unnamed: int = 0


def plain_json(value: Any) -> Plain:
    """Give a value as JSON that msgpack, every JSON encoder and `copy.deepcopy` take.

    A value that is so already is given back as it is, after one look at each of its members. Else a copy is made:

    - whole numbers beyond 64 bits become text with their exact digits (hexadecimal, `0x...`, beyond 4,000 digits);
    - NaN and the infinities become `"NaN"`, `"Infinity"` and `"-Infinity"`;
    - lone surrogates become U+FFFD, in names too; those that become the same get `'1`, `'2` behind;
    - what is nested deeper than 100 levels becomes one text that holds its JSON;
    - what is no JSON at all (only values made in this process can be so) becomes the name of its type.
    """
    if _is_plain(value):
        return Plain(value)
    rewriting = _Rewriting()
    made = rewriting.of(value, None, 0)
    return Plain(made, rewriting.as_text, rewriting.unnamed)


def _is_plain(value: object) -> bool:
    """Look at each member once, a level at a time: no recursion, and no more than the levels that are kept."""
    level: list[object] = [value]
    names: set[object] = set()
    for _ in range(DEEPEST + 1):
        below: list[object] = []
        for one in level:
            kind = type(one)
            if kind is str:
                if not (cast("str", one).isascii() or _is_encodable(cast("str", one))):
                    return False
            elif kind is dict:
                members = cast("dict[object, object]", one)
                if not names.issuperset(members):  # the rows of a table have the same names
                    if not all(map(_is_name, members)):
                        return False
                    names.update(members)
                below.extend(members.values())
            elif kind is list:
                below.extend(cast("list[object]", one))
            elif not _is_plain_scalar(one, kind):
                return False
        if not below:
            return True
        level = below
    return False


def _is_plain_scalar(one: object, kind: type) -> bool:
    if kind is int:
        return _LEAST <= cast("int", one) <= _MOST
    if kind is float:
        return math.isfinite(cast("float", one))
    return one is None or kind is bool


def _is_name(name: object) -> bool:
    return type(name) is str and _is_encodable(name)


def _is_encodable(text: str) -> bool:
    return encodable(text) is text


_Path: TypeAlias = "tuple[_Path, str | int] | None"
"""Where a value stands: its container's path and its own step. It is put in words only where that is wanted."""


class _Rewriting:
    """Makes a copy that can be said, and remembers what became text."""

    def __init__(self) -> None:
        self.as_text: list[str] = []
        self.unnamed = 0

    def of(self, value: Any, at: _Path, depth: int) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return encodable(str(value))
        if isinstance(value, int):
            return int(value) if _LEAST <= value <= _MOST else self._noted(_named(value), at)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else self._noted(_named(value), at)
        if not isinstance(value, Mapping | list | tuple):
            return self._noted(f"<{type(value).__name__}>", at)
        if depth >= DEEPEST:
            return self._noted(encodable(json_text(value)), at)
        if isinstance(value, Mapping):
            return self._mapping(cast("Mapping[object, Any]", value), at, depth + 1)
        listed = cast("list[Any]", value)
        return [self.of(one, (at, index), depth + 1) for index, one in enumerate(listed)]

    def _mapping(self, value: Mapping[object, Any], at: _Path, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        same: dict[str, int] = {}
        for key, one in value.items():
            name = wanted = encodable(key if isinstance(key, str) else _named(key))
            while name in made:
                same[wanted] = same.get(wanted, 0) + 1
                name = f"{wanted}'{same[wanted]}"
            made[name] = self.of(one, (at, name), depth)
        return made

    def _noted(self, text: str, at: _Path) -> str:
        pointer = _pointer(at) if len(self.as_text) < _NOTED else None
        if pointer is None:
            self.unnamed += 1
        else:
            self.as_text.append(pointer)
        return text


def _pointer(at: _Path) -> str | None:
    steps: list[str] = []
    room = _LONGEST
    while at is not None:
        at, step = at
        room -= len(step) if isinstance(step, str) else 8
        if room < 0:
            return None
        steps.append("/" + str(step).replace("~", "~0").replace("/", "~1"))
    return "".join(reversed(steps))


def json_text(value: Any) -> str:
    """Write JSON of any depth, losing nothing: numbers of any length too. A container within itself becomes `"..."`."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (RecursionError, ValueError, TypeError):
        return "".join(_written(value))


@dataclass(frozen=True, slots=True)
class _Mark:
    """Punctuation and names, told apart from strings among the values; `ends` is the id of what they close."""

    text: str
    ends: int = 0


def _written(value: object) -> Iterator[str]:
    waiting: list[object] = [value]  # what is still to be written, last first
    around: set[int] = set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, _Mark):
            around.discard(one.ends)
            yield one.text
        elif id(one) in around:
            yield '"..."'
        elif isinstance(one, Mapping | list | tuple):
            around.add(id(cast("object", one)))
            opening, inner = _opened(cast("Any", one))
            yield opening
            waiting += inner
        elif isinstance(one, int) and not isinstance(one, bool):
            yield _named(one)
        else:
            yield json.dumps(one, ensure_ascii=False, default=lambda other: f"<{type(other).__name__}>")


def _opened(one: Mapping[object, Any] | list[Any] | tuple[Any, ...]) -> tuple[str, list[object]]:
    """Give the opening of a container, and what follows it, last first."""
    inner: list[object] = []
    if isinstance(one, Mapping):
        for key, below in one.items():
            name = json.dumps(key if isinstance(key, str) else _named(key), ensure_ascii=False)
            inner += (_Mark(f"{',' if inner else ''}{name}:"), below)
        inner.append(_Mark("}", id(one)))
        return "{", inner[::-1]
    for below in one:
        inner += (_Mark(","), below) if inner else (below,)
    inner.append(_Mark("]", id(one)))
    return "[", inner[::-1]


def _named(value: object) -> str:
    """Write a number, or what stands as a name in an object, as text."""
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int):
        return str(int(value)) if value.bit_length() <= _BITS else hex(value)
    if isinstance(value, float):
        return json.dumps(float(value))
    return f"<{type(value).__name__}>"
