"""The steps of a codec: what was re-drawn at one place of a schema, and how it is undone.

A step's `decode` gives what the server takes for what the model wrote; `encode` goes the other way. A value that
is not in the form that a step undoes (a model may be bound without strict mode) is left as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from toolgraft.errors import ArgumentsError
from toolgraft.schema.judge import Judge
from toolgraft.schema.keywords import admits, type_of
from toolgraft.schema.walk import Node, Path, pointer



@dataclass(frozen=True, slots=True)
class Run:
    """What steps need while they run.

    Attributes:
        named: The steps of definitions.
        server: Judges values against the server's schema.
        strict: Judges values against the strict schema.
    """

    named: Mapping[str, Step | None]
    server: Judge
    strict: Judge


class Step(Protocol):
    """One thing to undo."""

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        """Give the server's value; raises `ArgumentsError`."""
        ...

    def encode(self, value: Any, run: Run) -> Any:
        """Give the model's value; raises `ValueError` where there is none."""
        ...


def problem(at: Path, sentence: str) -> ArgumentsError:
    """An error about one place of the arguments."""
    return ArgumentsError(None, [f"{pointer(at) or '/'}: {sentence}"])


@dataclass(frozen=True, slots=True)
class Member:
    """What is undone at one member of an object.

    Attributes:
        step: What is undone inside, or None.
        drop_null: The member is optional and the server takes no null there.
        optional: The member may be absent.
        omission: The object that stands for "absent" where null has a meaning of its own, or None.
    """

    step: Step | None
    drop_null: bool = False
    optional: bool = False
    omission: Node | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """An object with declared members: nulls that stand for "absent" go."""

    members: Mapping[str, Member]

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        if not isinstance(value, dict):
            return value
        out = dict(cast(Node, value))
        for name, member in self.members.items():
            if name not in out:
                continue
            inner = out[name]
            if (inner is None and member.drop_null) or (member.omission is not None and inner == member.omission):
                del out[name]
            elif member.step is not None:
                out[name] = member.step.decode(inner, run, (at, name))
        return out

    def encode(self, value: Any, run: Run) -> Any:
        if not isinstance(value, dict):
            return value
        out = dict(cast(Node, value))
        for name, member in self.members.items():
            if name in out:
                if member.step is not None:
                    out[name] = member.step.encode(out[name], run)
            elif member.optional:
                out[name] = None if member.omission is None else dict(member.omission)
        return out


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
class Items:
    """An array whose items have something to undo."""

    step: Step

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        if not isinstance(value, list):
            return value
        return [self.step.decode(inner, run, (at, i)) for i, inner in enumerate(cast(list[Any], value))]

    def encode(self, value: Any, run: Run) -> Any:
        if not isinstance(value, list):
            return value
        return [self.step.encode(inner, run) for inner in cast(list[Any], value)]


@dataclass(frozen=True, slots=True)
class Named:
    """What is undone at a definition."""

    name: str

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        step = run.named[self.name]
        return value if step is None else step.decode(value, run, at)

    def encode(self, value: Any, run: Run) -> Any:
        step = run.named[self.name]
        return value if step is None else step.encode(value, run)


@dataclass(frozen=True, slots=True)
class Pairs:
    """A map, drawn as an array of `{key, value}`."""

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
    """Any JSON value, drawn as a string that holds its text.

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
    """An array with a meaning for each place, drawn as an object with a member for each.

    Attributes:
        record: Undoes the members.
        names: Their names, in the array's order.
        rest: Name of the member with what follows, or None.
    """

    record: Record
    names: tuple[str, ...]
    rest: str | None

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        if not isinstance(value, dict):
            return value
        members = self.record.decode(value, run, at)
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
    """A root that is no plain object, drawn as its one member."""

    member: str
    step: Step | None

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        if not isinstance(value, dict) or cast(Node, value).keys() != {self.member}:
            return value
        inner = cast(Node, value)[self.member]
        return inner if self.step is None else self.step.decode(inner, run, (at, self.member))

    def encode(self, value: Any, run: Run) -> Any:
        return {self.member: value if self.step is None else self.step.encode(value, run)}


@dataclass(frozen=True, slots=True)
class Branch:
    """One alternative of a union.

    Attributes:
        step: What is undone in it, or None.
        strict: Its strict schema.
        server: Its schema at the server.
        kinds: JSON types of its strict schema; empty for all.
    """

    step: Step | None
    strict: Node
    server: Node
    kinds: tuple[str, ...]

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        """Undo what was done in this alternative."""
        return value if self.step is None else self.step.decode(value, run, at)


@dataclass(frozen=True, slots=True)
class Union:
    """Alternatives with something to undo: the one that the value was written for is undone.

    The conversion has made sure that a strict value fits one alternative only, or that it does not matter which.
    """

    branches: tuple[Branch, ...]

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        candidates = [each for each in self.branches if not each.kinds or admits(each.kinds, value)]
        if len(candidates) < 2:
            return candidates[0].decode(value, run, at) if candidates else value
        for branch in candidates:
            if run.strict.accepts(branch.strict, value):
                return branch.decode(value, run, at)
        if any(run.server.accepts(branch.server, value) for branch in self.branches):
            return value  # already as the server takes it
        return self._best(candidates, value, run, at)

    def _best(self, candidates: list[Branch], value: Any, run: Run, at: Path) -> Any:
        """A value that fits no alternative as it stands: written without strict mode, or wrong."""
        first: Callable[[], Any] | None = None
        for branch in candidates:
            try:
                decoded = branch.decode(value, run, at)
            except ArgumentsError as error:
                first = first or _raiser(error)
                continue
            if run.server.accepts(branch.server, decoded):
                return decoded
            first = first or _giver(decoded)
        return value if first is None else first()

    def encode(self, value: Any, run: Run) -> Any:
        fitting = [each for each in self.branches if run.server.accepts(each.server, value)]
        for branch in fitting or self.branches:
            encoded = value if branch.step is None else branch.step.encode(value, run)
            if run.strict.accepts(branch.strict, encoded):
                return encoded
        return value


def _raiser(error: ArgumentsError) -> Callable[[], Any]:
    def raise_it() -> Any:
        raise error

    return raise_it


def _giver(value: Any) -> Callable[[], Any]:
    return lambda: value


def load_json(text: str) -> Any:
    """Read JSON as RFC 8259 has it: no NaN, no member twice.

    Raises:
        ValueError: The text is no such JSON.
    """
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_once)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _once(pairs: list[tuple[str, Any]]) -> Node:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("a member is given twice")
    return out


@dataclass(frozen=True, slots=True)
class Plan:
    """All steps of one schema.

    Attributes:
        step: At the root, or None.
        named: At definitions.
    """

    step: Step | None
    named: Mapping[str, Step | None] = field(default_factory=dict[str, "Step | None"])


def has_effect(step: Step, alive: frozenset[str] = frozenset()) -> bool:
    """Whether a step does anything, given the definitions that do."""
    if isinstance(step, Named):
        return step.name in alive
    if isinstance(step, Items):
        return has_effect(step.step, alive)
    if isinstance(step, Record):
        return any(
            member.optional or (member.step is not None and has_effect(member.step, alive))
            for member in step.members.values()
        )
    return True
