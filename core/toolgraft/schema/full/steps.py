"""The steps that undo what only the full options says in other shapes: maps, JSON text, tuples, open objects, roots."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from toolgraft.schema.decode.steps import Record, Run, Step, problem
from toolgraft.schema.language.json_text import load_json
from toolgraft.schema.language.keywords import admits, is_object, type_of
from toolgraft.schema.language.pointers import Node, Path


@dataclass(frozen=True, slots=True)
class Rest:
    """An open object: the members that are not declared stand in one extra member.

    Attributes:
        record: Undoes the declared members.
        declared: Their names.
        member: Name of the extra member.
        inner: Undoes its value, which is then an object; null is none.
    """

    record: Record
    declared: frozenset[str]
    member: str
    inner: Step

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        if not isinstance(value, dict):
            return value
        out = dict(cast(Node, value))
        if self.member not in out:
            return self.record.decode(out, run, at)
        rest = out.pop(self.member)
        out = self.record.decode(out, run, at)
        if rest is None:
            return out
        there: Path = (at, self.member)
        extra = self.inner.decode(rest, run, there)
        if not isinstance(extra, dict):
            raise problem(there, f"wanted the further members as an object, got {type_of(extra)}")
        for name, inner in cast(Node, extra).items():
            if name in self.declared or name in out:
                raise problem(there, f"'{name[:100]}' is given twice")
            out[name] = inner
        return out

    def encode(self, value: Any, run: Run) -> Any:
        if not isinstance(value, dict):
            return value
        members = cast(Node, value)
        rest = {name: inner for name, inner in members.items() if name not in self.declared}
        out = {name: inner for name, inner in members.items() if name in self.declared}
        encoded = self.record.encode(out, run)
        encoded[self.member] = self.inner.encode(rest, run) if rest else None
        return encoded


@dataclass(frozen=True, slots=True)
class Pairs:
    """A map, written as an array of `{key, value}`."""

    step: Step | None

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        if not isinstance(value, list):
            return value
        out: Node = {}
        for i, pair in enumerate(cast(list[Any], value)):
            there: Path = (at, i)
            if not isinstance(pair, dict) or cast(Node, pair).keys() != {"key", "value"}:
                raise problem(there, "wanted an object with 'key' and 'value'")
            key, inner = cast(Node, pair)["key"], cast(Node, pair)["value"]
            if not isinstance(key, str):
                raise problem((there, "key"), f"wanted a string, got {type_of(key)}")
            if key in out:
                raise problem((there, "key"), f"'{key[:100]}' is given twice")
            out[key] = inner if self.step is None else self.step.decode(inner, run, (there, "value"))
        return out

    def encode(self, value: Any, run: Run) -> Any:
        if not isinstance(value, dict):
            return value
        return [
            {"key": key, "value": inner if self.step is None else self.step.encode(inner, run)}
            for key, inner in cast(Node, value).items()
        ]


@dataclass(frozen=True, slots=True)
class Text:
    """Any JSON value, written as a string that holds its text.

    Attributes:
        kinds: JSON types that the server takes here; empty for all.
    """

    kinds: tuple[str, ...] = ()

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        if not isinstance(value, str):
            return value
        try:
            read = load_json(value)
        except ValueError as error:
            if self._takes("") and value.lstrip()[:1] not in ("{", "[", '"'):
                return value  # not written as JSON, and the server takes a string
            raise problem(at, f"wanted {self._wanted()} as JSON text, got text that is not JSON ({error})") from error
        if not self._takes(read):
            if self._takes(""):
                return value
            raise problem(at, f"wanted {self._wanted()} as JSON text, got {type_of(read)}")
        return read

    def encode(self, value: Any, run: Run) -> Any:
        return json.dumps(value, ensure_ascii=False) if self._takes(value) else value

    def _takes(self, value: object) -> bool:
        return not self.kinds or admits(self.kinds, value)

    def _wanted(self) -> str:
        return " or ".join(self.kinds) or "a value"


@dataclass(frozen=True, slots=True)
class Tuple:
    """An array with a meaning for each place, written as an object with a member for each.

    Attributes:
        record: Undoes the members.
        names: Their names, in the array's order.
        rest: Name of the member with what follows, or None.
    """

    record: Record
    names: tuple[str, ...]
    rest: str | None

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        if not is_object(value):
            return value
        known = {*self.names, self.rest} if self.rest else set(self.names)
        if (other := next(iter(value.keys() - known), None)) is not None or not value:
            told = "none" if other is None else f"'{str(other)[:100]}'"
            raise problem(
                at, f"wanted an array, or an object with {', '.join(sorted(known)[:20])}; got members: {told}"
            )
        members: Node = self.record.decode(value, run, at)
        out: list[Any] = []
        for name in self.names:
            if name not in members:
                break
            out.append(members[name])
        later = self.names[len(out) :]
        tail = members.get(self.rest) if self.rest else None
        if any(name in members for name in later) or (later and tail):
            raise problem((at, later[0]), "wanted a value, since later places have one")
        return [*out, *(tail or ())]

    def encode(self, value: Any, run: Run) -> Any:
        if not isinstance(value, list):
            return value
        listed = cast(list[Any], value)
        members = dict(zip(self.names, listed, strict=False))
        if self.rest:
            members[self.rest] = listed[len(self.names) :]
        return self.record.encode(members, run)


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A root that is no plain object, written as its one member."""

    member: str
    step: Step | None

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        if not is_object(value) or value.keys() != {self.member}:
            return value
        inner = value[self.member]
        return inner if self.step is None else self.step.decode(inner, run, (at, self.member))

    def encode(self, value: Any, run: Run) -> Any:
        return {self.member: value if self.step is None else self.step.encode(value, run)}
