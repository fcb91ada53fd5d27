"""The steps of a codec: what was changed at one place of a schema, and how it is undone.

A step's `decode` gives what the server takes for what the model wrote; `encode` goes the other way. A value that
is not in the form that a step undoes (a model may be bound without strict mode) is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, cast

from toolgraft.errors import ArgumentsError
from toolgraft.schema.language.pointers import Node, Path, pointer
from toolgraft.schema.validation.validator import Validators

MAX_TRIALS = 300
"""Most times that alternatives are tried out on the arguments of one call."""


@dataclass(frozen=True, slots=True)
class Run:
    """What steps need while they run.

    Attributes:
        named: The steps of definitions.
        server: Validates values against the server's schema.
        strict: Validates values against the strict schema.
        trials: One for each time that an alternative may still be tried out.
    """

    named: Mapping[str, Step | None]
    server: Validators
    strict: Validators
    trials: Iterator[int] = field(default_factory=lambda: iter(range(MAX_TRIALS)))


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


def alike(one: Step | None, other: Step | None, named: Mapping[str, Step | None]) -> bool:
    """Whether two steps undo the same, by what the definitions that they name undo."""
    return _Likeness(named).holds(one, other)


class _Likeness:
    def __init__(self, named: Mapping[str, Step | None]) -> None:
        self._named = named
        self._assumed: set[tuple[str, str]] = set()

    def holds(self, one: Step | None, other: Step | None) -> bool:
        if one == other:
            return True
        if isinstance(one, Named) and isinstance(other, Named):
            pair = (one.name, other.name)
            if pair in self._assumed:
                return True  # met again while it is compared: nothing has spoken against it
            self._assumed.add(pair)
        for each in (one, other):
            if isinstance(each, Named) and each.name not in self._named:
                return False  # a union of which it is not known yet what it undoes
        if isinstance(one, Named):
            return self.holds(self._named[one.name], other)
        if isinstance(other, Named):
            return self.holds(one, self._named[other.name])
        if isinstance(one, Items) and isinstance(other, Items):
            return self.holds(one.step, other.step)
        if isinstance(one, Record) and isinstance(other, Record):
            return one.members.keys() == other.members.keys() and all(
                self._member(member, other.members[name]) for name, member in one.members.items()
            )
        return False

    def _member(self, one: Member, other: Member) -> bool:
        return replace(one, step=None) == replace(other, step=None) and self.holds(one.step, other.step)
