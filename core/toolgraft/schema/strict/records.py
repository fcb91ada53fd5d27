"""Objects with declared members: closed, all members required, an optional one also takes null."""

from __future__ import annotations

from collections.abc import Mapping

from toolgraft.schema.decode.steps import Member, Record, Step
from toolgraft.schema.language.pointers import Node, Path
from toolgraft.schema.read.merge import IMPOSSIBLE
from toolgraft.schema.read.recursion import PREFIX
from toolgraft.schema.strict.builder import Builder
from toolgraft.schema.strict.parts import NotStrictError, closed, described, nullable, unused, widened
from toolgraft.schema.strict.scalars import PLAIN_KEYS, tell


def build_record(builder: Builder, node: Node, path: Path, *, defaults: bool = True) -> tuple[Node, Record]:
    """Build the declared members of an object; without `defaults`, absence never means null."""
    properties: dict[str, Node] = node.get("properties", {})
    required = dict.fromkeys(node.get("required", ()))
    members: Node = {}
    steps: dict[str, Member] = {}
    inside: Path = (path, "properties")
    for name, declared in properties.items():
        if declared.keys() <= PLAIN_KEYS and (kind := declared.get("type")) in _NOT_NULL_SCALARS:
            if name in required:
                members[name] = dict(declared)
            else:
                members[name] = {**declared, "type": [kind, "null"]}
                steps[name] = _DROPS_NULL
            continue
        if declared == IMPOSSIBLE:
            continue
        built, step = builder.node(declared, (inside, name))
        if "title" in declared and "description" not in built and not _repeats(declared["title"], name):
            built = described(built, declared["title"])
        if name not in required:
            built, steps[name] = _optional(builder, declared, built, step, defaults)
        elif step is not None:
            steps[name] = Member(step)
        members[name] = built
    for name in required:
        if name not in members:
            raise NotStrictError(path, f"requires the member '{name[:100]}', which it does not declare")
    out = closed(members)
    if not node.keys() <= _BARE_OBJECT:
        tell(out, node, frozenset(), "object")
    return out, Record(steps)


def _optional(builder: Builder, declared: Node, built: Node, step: Step | None, defaults: bool) -> tuple[Node, Member]:
    """Build a member that may be absent."""
    kind = declared.get("type")
    if (kind in _NOT_NULL and _COMPLEX.isdisjoint(declared)) or not builder.takes_null(declared):
        return nullable(built), _DROPS_NULL if step is None else Member(step, drop_null=True, optional=True)
    if defaults and _default(builder, declared, 0) is None:
        return nullable(built), Member(step, optional=True)
    member = unused("omit", _names_within(built, builder.defs) | _names_within(declared, builder.normal.defs))
    built = widened(nullable(built), builder.omission(member))
    told = f'null is sent as null; {{"{member}": "yes"}} leaves this out.'
    return described(built, told), Member(step, optional=True, omission={member: "yes"})


def _names_within(node: Node, defs: Mapping[str, Node]) -> frozenset[str]:
    """Names of the members that an object at this place may have by itself or by its alternatives."""
    found, seen, waiting = set[str](), set[str](), [node]
    while waiting:
        each = waiting.pop()
        found.update(each.get("properties", ()))
        for keyword in ("anyOf", "oneOf", "allOf"):
            waiting += each.get(keyword, ())
        name = each["$ref"][len(PREFIX) :] if "$ref" in each else ""
        if name and name not in seen and name in defs:
            seen.add(name)
            waiting.append(defs[name])
    return frozenset(found)


def _default(builder: Builder, node: Node, otherwise: object) -> object:
    """What absence means."""
    found: object = node.get("default", builder.normal.target(node).get("default", otherwise))
    return found


def _repeats(title: str, name: str) -> bool:
    if title.replace(" ", "").lower() == name.replace("_", "").lower():
        return True
    return "".join(filter(str.isalnum, title)).lower() == "".join(filter(str.isalnum, name)).lower()


_DROPS_NULL = Member(None, drop_null=True, optional=True)
_NOT_NULL_SCALARS = ("string", "integer", "boolean", "number")
_NOT_NULL = (*_NOT_NULL_SCALARS, "array", "object")
_COMPLEX = frozenset({"enum", "const", "anyOf", "oneOf", "$ref", "if", "then", "else", "not", "allOf"})
_BARE_OBJECT = frozenset({"type", "properties", "required", "additionalProperties", "title"})
