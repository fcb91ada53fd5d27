"""Unions: each alternative built, and proof that the way back can tell them apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolgraft.schema.decode.alternatives import Branch, Union
from toolgraft.schema.decode.steps import Named, Step, alike, has_effect
from toolgraft.schema.language import prose
from toolgraft.schema.language.keywords import ANNOTATIONS, CONSTRAINTS, admits, same, types_in
from toolgraft.schema.language.pointers import Node, Path
from toolgraft.schema.read.merge import IMPOSSIBLE, intersect
from toolgraft.schema.read.normal import Normal
from toolgraft.schema.read.openness import says_open
from toolgraft.schema.read.recursion import PREFIX
from toolgraft.schema.strict.builder import Builder
from toolgraft.schema.strict.parts import Built, NotStrictError, nullable
from toolgraft.schema.strict.pending import Pending


def union(builder: Builder, node: Node, path: Path) -> Built:
    """Build an `anyOf` or `oneOf`."""
    keyword = "anyOf" if "anyOf" in node else "oneOf"
    variants: list[Node] = node[keyword]
    said = {key: value for key, value in node.items() if key in ANNOTATIONS}
    if len(said) + 1 < len(node):
        beside = {key: value for key, value in node.items() if key not in ANNOTATIONS and key != keyword}
        if only_requires(beside, variants):
            told = prose.said(said.get("description", ""), [prose.alternatives(variants, keyword == "oneOf")])
            return builder.node({**beside, **said, "description": told}, path)
        merged = [intersect([beside, variant], builder.normal.target) for variant in variants]
        variants = [each for each in merged if each is not None]
        if len(variants) < len(merged):
            return builder.text(node, path, "combines alternatives with what cannot be merged into them")
    if not (possible := [each for each in variants if each != IMPOSSIBLE]):
        return builder.text(node, path, "has no alternative that anything fits")
    branches: list[tuple[Step | None, Node, Node]] = []
    for i, variant in enumerate(possible):
        built, step = builder.node(variant, ((path, keyword), i))
        branches.append((step, built, variant))
    out = _schema(said, [built for _, built, _ in branches])
    if all(step is None for step, _, _ in branches):
        return out, None
    builder.unions.append(Pending(f"union {len(builder.unions)}", path, tuple(branches)))
    return out, Named(builder.unions[-1].name)


def _schema(said: Node, schemas: list[Node]) -> Node:
    told = prose.notes(said, _TOLD) if not _TOLD.isdisjoint(said) else ()
    if described := prose.said(said.get("description", ""), told):
        return {"description": described, "anyOf": schemas}
    return {"anyOf": schemas}


_TOLD = frozenset({"default", "examples", "example", "deprecated"})


def several(builder: Builder, node: Node, kinds: tuple[str, ...], path: Path) -> Built:
    """Build a node of several types: a scalar that may be null, else an alternative for each type."""
    solid = [kind for kind in kinds if kind != "null" and not (kind == "integer" and "number" in kinds)]
    shared = {key: value for key, value in node.items() if not _bound_to_type(key)}
    said = {key: value for key, value in shared.items() if key in ANNOTATIONS}
    if len(solid) == 1:
        mine = {**node, "type": solid[0]}
        for keyword in ("enum", "const"):
            if keyword in node and not _of_type(node, keyword, solid[0]):
                return builder.node({**node, "type": "null"}, path)
        if "const" in mine or "null" not in kinds or ("enum" in node and None not in node["enum"]):
            return builder.node(_fitting(mine, solid[0]), path)
        built, step = builder.node(_fitting(mine, solid[0]), path)
        return nullable(built), step
    variants: list[Node] = []
    for kind in [*solid, *(("null",) if "null" in kinds else ())]:
        rest = {key: value for key, value in node.items() if key not in ANNOTATIONS}
        mine = {key: value for key, value in rest.items() if key in CONSTRAINTS[kind] or not _bound_to_type(key)}
        if all(_of_type(node, keyword, kind) for keyword in ("enum", "const") if keyword in node):
            variants.append(_fitting({**mine, "type": kind}, kind))
    return union(builder, {**said, "anyOf": variants}, path) if variants else builder.text(node, path, "")


def _bound_to_type(key: str) -> bool:
    return any(key in found for found in CONSTRAINTS.values())


def _of_type(node: Node, keyword: str, kind: str) -> bool:
    values: list[Any] = node["enum"] if keyword == "enum" else [node["const"]]
    return any(admits((kind,), value) for value in values)


def _fitting(node: Node, kind: str) -> Node:
    """Keep the fixed values that are of the type."""
    if "enum" in node:
        return {**node, "enum": [value for value in node["enum"] if admits((kind,), value)]}
    return node


def only_requires(beside: Node, variants: list[Node]) -> bool:
    """Whether alternatives only say which declared members must be given."""
    declared = beside.get("properties")
    if not declared or not all(variant.keys() <= _REQUIREMENTS for variant in variants):
        return False
    return _can_be_met(beside, variants)


def _can_be_met(node: Node, variants: list[Node]) -> bool:
    """Whether what alternatives require is declared, since a strict object has no other members.

    Where the object is closed at the server too, one alternative that can be met is enough.
    """
    declared = node.get("properties", {})
    met = [all(name in declared for name in variant.get("required", ())) for variant in variants]
    return any(met) if node.get("additionalProperties") is False else all(met)


def only_constrains(node: Node, variants: list[Node], normal: Normal) -> bool:
    """Whether alternatives only constrain members that the node declares itself."""
    declared = node.get("properties")
    if not declared:
        return False
    for variant in map(normal.target, variants):
        if not variant.keys() <= _REQUIREMENTS | {"properties", "additionalProperties"}:
            return False
        if says_open(variant) or any(name not in declared for name in variant.get("properties", ())):
            return False
    return _can_be_met(node, [normal.target(variant) for variant in variants])


_REQUIREMENTS = ANNOTATIONS | {"required", "not", "minProperties", "maxProperties", "dependentRequired", "type"}


def settle(builder: Builder, named: dict[str, Step | None]) -> frozenset[str]:
    """Decide how each union is undone, now that all definitions are built; give the names that undo something."""
    alive = _alive(builder.unions, named)
    for pending in builder.unions:
        named[pending.name] = None
        if pending.name not in alive:
            continue
        branches = [
            Branch(step if step and has_effect(step, alive) else None, strict, server, kinds_of(strict, builder.defs))
            for step, strict, server in pending.branches
        ]
        if len(branches) > _MAX_BRANCHES:
            _refuse(pending)
        for i, one in enumerate(branches):
            for other in branches[:i]:
                if not _told_apart(one, other, builder, named):
                    _refuse(pending)
        named[pending.name] = Union(tuple(branches))
    return alive


_MAX_BRANCHES = 100
"""Most alternatives that are told apart; each is compared with each."""


def _refuse(pending: Pending) -> None:
    sentence = "has alternatives that could not be told apart on the way back"
    raise NotStrictError(pending.path, sentence)


def _alive(unions: list[Pending], named: dict[str, Step | None]) -> frozenset[str]:
    """Names of definitions and unions with something to undo."""
    alive: set[str] = set()
    while True:
        found = {name for name, step in named.items() if step is not None and has_effect(step, frozenset(alive))}
        for pending in unions:
            if any(step is not None and has_effect(step, frozenset(alive)) for step, _, _ in pending.branches):
                found.add(pending.name)
        if found <= alive:
            return frozenset(alive)
        alive |= found


def _told_apart(one: Branch, other: Branch, builder: Builder, named: Mapping[str, Step | None]) -> bool:
    """Whether it shows which of two alternatives a value was written for, or it does not matter."""
    return alike(one.step, other.step, named) or apart(one.strict, other.strict, builder.defs, 12)


def kinds_of(schema: Node, defs: dict[str, Node], depth: int = 50) -> tuple[str, ...]:
    """JSON types that a strict schema takes; empty for all."""
    if depth == 0:
        return ()
    if "$ref" in schema:
        return kinds_of(defs[schema["$ref"][len(PREFIX) :]], defs, depth - 1)
    if "anyOf" in schema:
        found = [kinds_of(branch, defs, depth - 1) for branch in schema["anyOf"]]
        return tuple(dict.fromkeys(kind for kinds in found for kind in kinds)) if all(found) else ()
    return types_in(schema)


def apart(a: Node, b: Node, defs: dict[str, Node], depth: int) -> bool:
    """Whether no value fits both of two strict schemas."""
    if depth == 0:
        return False
    for one, other in ((a, b), (b, a)):
        if "$ref" in one:
            return apart(defs[one["$ref"][len(PREFIX) :]], other, defs, depth - 1)
        if "anyOf" in one:
            return all(apart(branch, other, defs, depth - 1) for branch in one["anyOf"])
    left, right = _wide(types_in(a)), _wide(types_in(b))
    if not left & right:
        return True
    if "enum" in a and "enum" in b and len(a["enum"]) * len(b["enum"]) < 10_000:
        return not any(same(one, other) for one in a["enum"] for other in b["enum"])
    if left & right == {"object"} and "properties" in a and "properties" in b:
        members, others = a["properties"], b["properties"]
        if members.keys() != others.keys():
            return True
        return any(apart(member, others[name], defs, depth - 1) for name, member in members.items())
    return False


def _wide(kinds: tuple[str, ...]) -> set[str]:
    """Types, with a number for an integer."""
    return {"number" if kind == "integer" else kind for kind in kinds}
