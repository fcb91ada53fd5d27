"""Nulls that a server does not take, dropped from arguments that were written against the plain form.

Only nulls of declared, optional members go; what is free-form is never touched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from toolgraft.schema.decode.alternatives import Branch, Union
from toolgraft.schema.decode.steps import Items, Member, Named, Plan, Record, Run, Step
from toolgraft.schema.language.keywords import types_in
from toolgraft.schema.language.pointers import Node, Path
from toolgraft.schema.read.normal import Normal
from toolgraft.schema.read.null import NullTaken
from toolgraft.schema.read.recursion import PREFIX


def has_null(value: object) -> bool:
    """Whether there is a null anywhere in a value."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if one is None:
            return True
        if isinstance(one, dict):
            waiting += cast(dict[str, object], one).values()
        elif isinstance(one, list):
            waiting += cast(list[object], one)
    return False


@dataclass(frozen=True, slots=True)
class Chain:
    """Several steps, one after the other."""

    steps: tuple[Step, ...]

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        for step in self.steps:
            value = step.decode(value, run, at)
        return value

    def encode(self, value: Any, run: Run) -> Any:
        return value


@dataclass(frozen=True, slots=True)
class Values:
    """A map whose values have something to undo."""

    step: Step
    declared: frozenset[str]

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        if not isinstance(value, dict):
            return value
        return {
            name: inner if name in self.declared else self.step.decode(inner, run, (at, name))
            for name, inner in cast(Node, value).items()
        }

    def encode(self, value: Any, run: Run) -> Any:
        return value


@dataclass(frozen=True, slots=True)
class Places:
    """An array whose first places each have something to undo, and what follows them."""

    first: tuple[Step | None, ...]
    rest: Step | None

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        if not isinstance(value, list):
            return value
        out = list(cast(list[Any], value))
        for i, inner in enumerate(out):
            step = self.first[i] if i < len(self.first) else self.rest
            if step is not None:
                out[i] = step.decode(inner, run, (at, i))
        return out

    def encode(self, value: Any, run: Run) -> Any:
        return value


def plan(normal: Normal) -> Plan:
    """The steps that drop nulls."""
    return _Planner(normal).run()


class _Planner:
    def __init__(self, normal: Normal) -> None:
        self.normal = normal
        self.takes_null = NullTaken(normal)

    def run(self) -> Plan:
        named: Mapping[str, Step | None] = {name: self.step(node) for name, node in self.normal.defs.items()}
        return Plan(self.step(self.normal.root), named)

    def step(self, node: Node) -> Step | None:
        if "$ref" in node:
            return Named(node["$ref"][len(PREFIX) :])
        steps: list[Step] = []
        if "properties" in node:
            steps.append(Record(self.members(node)))
        others = None if "patternProperties" in node else node.get("additionalProperties")
        if isinstance(others, dict) and (inner := self.step(cast(Node, others))):
            steps.append(Values(inner, frozenset(node.get("properties", ()))))
        steps += self.items(node)
        for keyword in ("anyOf", "oneOf"):
            if keyword in node and (choice := self.choice(node[keyword])):
                steps.append(choice)
        steps += [inner for part in node.get("allOf", ()) if (inner := self.step(part))]
        return steps[0] if len(steps) == 1 else Chain(tuple(steps)) if steps else None

    def items(self, node: Node) -> list[Step]:
        places = tuple(self.step(each) for each in node.get("prefixItems", ()))
        rest = self.step(cast(Node, node["items"])) if isinstance(node.get("items"), dict) else None
        if any(places):
            return [Places(places, rest)]
        return [] if rest is None else [Places(places, rest) if places else Items(rest)]

    def members(self, node: Node) -> dict[str, Member]:
        required = frozenset(node.get("required", ()))
        members: dict[str, Member] = {}
        for name, declared in node["properties"].items():
            optional = name not in required
            inner = self.step(declared)
            drop = optional and not self.takes_null(declared)
            if drop or inner is not None:
                members[name] = Member(inner, drop_null=drop)
        return members

    def choice(self, variants: list[Node]) -> Step | None:
        steps = [self.step(variant) for variant in variants]
        if not any(steps):
            return None
        pairs = zip(steps, variants, strict=True)
        return Union(tuple(Branch(step, node, node, types_in(self.normal.target(node))) for step, node in pairs))
