"""What strict mode cannot say, re-drawn so that nothing is lost (`strict="full"`).

- A map becomes an array of `{key, value}`.
- A free object, an untyped value, and whatever else has no strict shape becomes a string that holds JSON text.
- A tuple becomes an object with a member for each place.
- An object with declared members that says it is open gets one more member for the others.
- A root that is no plain object stands in one member of one.

In the natural manner each of these is the reason why a tool is not strict, but for one: a root that declares its
arguments and says that it takes more keeps them as they are, and gets the one more member.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from toolgraft.schema import prose, unions
from toolgraft.schema.drawing import Draw, NotStrictError, closed, nullable, unused
from toolgraft.schema.keywords import CONSTRAINTS, types_in
from toolgraft.schema.plain import object_root
from toolgraft.schema.redrawn import Pairs, Rest, Text, Tuple, Wrapped
from toolgraft.schema.steps import Items, Member, Record, Step
from toolgraft.schema.walk import Node, Path, pointer

if TYPE_CHECKING:
    from toolgraft.schema.strict import Drawer

_HINT = 2_000
"""Most characters of a schema that is told in a description."""

_REFERRED = re.compile(r'"#/\$defs/([^"]+)"')


def refuse(drawer: Drawer, path: Path, sentence: str) -> None:
    """In the natural manner, give up here."""
    if not drawer.manner.full:
        raise NotStrictError(path, sentence)


def is_textual(pointers: frozenset[str], path: Path) -> bool:
    """Whether this place is to be drawn as JSON text."""
    return pointer(path) in pointers


def root(drawer: Drawer, node: Node) -> Draw:
    """Draw the root: an object with declared members, else wrapped as the one member of an object."""
    told: list[str] = []
    if "" in drawer.manner.as_text:
        return _wrapped(drawer)
    try:
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                if not unions.only_constrains(node, node[keyword], drawer.normal):
                    raise NotStrictError((("", keyword)), "the root is a union of different objects")
                told.append(prose.alternatives(node[keyword], keyword == "oneOf"))
        node = {key: value for key, value in node.items() if key not in ("anyOf", "oneOf")}
        if told:
            node["description"] = prose.said(node.get("description", ""), told)
        if "enum" in node or "const" in node:
            raise NotStrictError("", "the root has a fixed value")
        if (obstacle := drawer.obstacle(node, "")) is not None:
            raise obstacle
        drawer.level += 1
        return drawer.object_(node, "", root=True)
    except NotStrictError:
        if not drawer.manner.full:
            raise
    return _wrapped(drawer)


def _wrapped(drawer: Drawer) -> Draw:
    whole = drawer.normal.root
    drawer.level = 1
    taken = {*object_root(drawer.normal).get("properties", {}), *whole.get("properties", {})}
    member = unused("arguments", taken)
    inner, step = drawer.node(whole, "")
    return closed({member: inner}), Wrapped(member, step)


def is_open(node: Node, *, root: bool) -> bool:
    """Whether an object takes members that it does not declare, by what its author said.

    Declared members and nothing said of others means closed, as does a root that declares nothing (a tool
    without arguments); elsewhere an object that declares nothing is a free one.
    """
    rest = node.get("additionalProperties")
    if "patternProperties" in node or rest:
        return True
    if rest is False or node.get("unevaluatedProperties") is False:
        return False
    if rest == {} or node.get("unevaluatedProperties"):
        return True
    return not node.get("properties") and not root


def open_object(drawer: Drawer, node: Node, path: Path, *, root: bool) -> Draw:
    """Draw an object that takes members it does not declare."""
    others = node.get("additionalProperties", {})
    by_pattern = node.get("patternProperties", {})
    if "unevaluatedProperties" in node and "additionalProperties" not in node:
        others = node["unevaluatedProperties"]
    if not node.get("properties") and not node.get("required") and not root:
        refuse(drawer, path, "is an object with any members" if not others else "is a map")
        return _map(drawer, node, path, others, by_pattern)
    if not root or by_pattern or not node.get("properties"):
        refuse(drawer, path, "says that it takes members it does not declare")
    return _with_rest(drawer, node, path, others, by_pattern)


def _map(drawer: Drawer, node: Node, path: Path, others: Node | bool, by_pattern: dict[str, Node]) -> Draw:
    drawn = _pairs(drawer, node, path, others, by_pattern)
    if drawn is None:
        return text(drawer, node, path, "")
    out, step = drawn
    drawer.tell(out, {key: value for key, value in node.items() if key != "propertyNames"}, frozenset(), "object")
    note = "A map: each item is one member, no key twice."
    out["description"] = prose.said(out.get("description", ""), [note])
    return out, step


def _pairs(
    drawer: Drawer, node: Node, path: Path, others: Node | bool, by_pattern: dict[str, Node]
) -> tuple[Node, Step] | None:
    """A map as an array of pairs; None where its members have no one shape."""
    key: Node = {"type": "string"}
    value_path: Path
    names = drawer.normal.target(node.get("propertyNames", {}))
    if by_pattern:
        if others is not False or len(by_pattern) != 1 or names:
            return None
        (pattern, member), where = next(iter(by_pattern.items())), "patternProperties"
        key, value_path = drawer.scalar({"type": "string", "pattern": pattern}, "string"), ((path, where), pattern)
    elif isinstance(others, bool) or not others:
        return None
    else:
        member, value_path = others, (path, "additionalProperties")
        if names and not set(types_in(names)) - {"string"}:
            key, _ = drawer.node({**names, "type": "string"}, (path, "propertyNames"))
    drawer.level += 1
    value, step = drawer.node(member, value_path)
    drawer.level -= 1
    return {"type": "array", "items": closed({"key": key, "value": value})}, Pairs(step)


def _with_rest(drawer: Drawer, node: Node, path: Path, others: Node | bool, by_pattern: dict[str, Node]) -> Draw:
    undeclared = [name for name in node.get("required", ()) if name not in node.get("properties", {})]
    declared = {**node.get("properties", {}), **dict.fromkeys(undeclared, others or {})}
    whole = {**node, "properties": declared}
    whole.pop("patternProperties", None)
    out, record = drawer.record(whole, path)
    name = unused("additional_properties", declared)
    pairs = _pairs(drawer, {}, path, others, by_pattern)
    hint: Node = {key: node[key] for key in ("additionalProperties", "patternProperties") if node.get(key)}
    schema, step = pairs or _text(drawer, {"type": "object", **hint})
    schema["description"] = prose.said("Further members; null for none.", [schema.get("description", "")]).rstrip()
    out["properties"][name] = nullable(schema)
    out["required"].append(name)
    return out, Rest(record, frozenset(declared), name, step)


def anything(drawer: Drawer, node: Node, path: Path) -> Draw:
    """Draw a node without a type."""
    return text(drawer, node, path, "takes any value")


def text(drawer: Drawer, node: Node, path: Path, sentence: str) -> tuple[Node, Step]:
    """Draw whatever it is as a string that holds JSON text."""
    refuse(drawer, path, sentence or "cannot be written as one strict schema")
    return _text(drawer, node)


def _text(drawer: Drawer, node: Node) -> tuple[Node, Step]:
    kinds = types_in(drawer.normal.target(node))
    shown = {key: value for key, value in node.items() if key not in ("description", "title", "default")}
    wanted = " or ".join(kinds) if kinds else "any value"
    bare = shown.keys() <= {"type"} or shown in ({"type": "object", "additionalProperties": {}}, {})
    hint = "" if bare else f" that fits {_hint(drawer, shown)}"
    note = f"Written as JSON text: {wanted}{hint}."
    told = prose.notes(node, ("default",))
    own = str(node.get("description", node.get("title", "")))
    return {"type": "string", "description": prose.said(own, [*told, note])}, Text(kinds)


def _hint(drawer: Drawer, node: Node) -> str:
    """A schema as text, with the definitions that it refers to."""
    whole = prose.whole_text_of(node)
    needed: dict[str, str] = {}
    waiting = [whole] if drawer.normal.defs else []
    while waiting and len(needed) < 20:
        for name in _REFERRED.findall(waiting.pop(0)[:_HINT]):
            if name not in needed and name in drawer.normal.defs:
                needed[name] = drawer.told(name, 2 * _HINT)
                waiting.append(needed[name])
    if not needed:
        return prose.cut(whole, _HINT)
    defs = ", ".join(f'"{name}": {text}' for name, text in needed.items())
    return prose.cut(f'{whole[:-1]}, "$defs": {{{defs}}}}}', 2 * _HINT)


def tuple_(drawer: Drawer, node: Node, path: Path) -> Draw:
    """Draw an array with a meaning for each place as an object with a member for each."""
    refuse(drawer, path, "is an array with a meaning for each place")
    places: list[Node] = node["prefixItems"]
    most, least = node.get("maxItems"), node.get("minItems", 0)
    names = tuple(f"item_{i}" for i in range(1, len(places) + 1))
    shape: Node = {"type": "object", "properties": dict(zip(names, places, strict=True)), "required": names[:least]}
    if most is not None and most < len(places):
        return text(drawer, node, path, "")
    rest: Any = node.get("items", {})
    tail = rest is not False and (most is None or most > len(places))
    out, record = drawer.record(shape, (path, "prefixItems"), defaults=False)
    if tail:
        inner, step = drawer.node(cast(Node, rest), (path, "items"))
        out["properties"]["rest"] = {"type": "array", "description": "What follows, if anything.", "items": inner}
        out["required"].append("rest")
        record = Record({**record.members, **({} if step is None else {"rest": Member(Items(step))})})
    told = {key: value for key, value in node.items() if key not in CONSTRAINTS["object"] and key != "minItems"}
    if least > len(places):
        told["minItems"] = least
    drawer.tell(out, told, frozenset(), "array")
    return out, Tuple(record, names, "rest" if tail else None)
