"""Made-up tool schemas in which any keywords stand beside each other, at every depth, and values led by them.

`made_up` draws shapes that authors write; this draws what JSON Schema allows: a `$ref` with siblings, conditions,
`unevaluated*`, `propertyNames`, `dependent*`, counts of members, references that lead back, `null` for a schema.
"""

from __future__ import annotations

from random import Random
from typing import Any

from toolgraft.schema.language.keywords import is_list, is_object

from tests.schema.made_up import json_value

Node = dict[str, Any]

NAMES = ["a", "b", "c", "$x"]
OTHER = "other"
_SCALARS: list[Node] = [
    {"type": "string"},
    {"type": "integer"},
    {"type": "boolean"},
    {"type": ["string", "null"]},
    {"type": "string", "enum": ["s", "t"]},
    {"const": "s"},
    {"enum": ["s", 1, None]},
]


def combined_schema(rng: Random, *, nulls: bool = False) -> Node:
    """A tool's input schema; with `nulls`, also places that hold null where a schema is wanted."""
    maker = _Maker(rng, nulls)
    root = {**maker.object_(3), "type": "object"}
    root["$defs"] = {"A": maker.object_(1), "B": maker.object_(2), "T": maker.array(1), "S": rng.choice(_SCALARS)}
    return root


class _Maker:
    def __init__(self, rng: Random, nulls: bool) -> None:
        self.rng = rng
        self.nulls = nulls

    def often(self, chance: float) -> bool:
        return self.rng.random() < chance

    def node(self, depth: int) -> Any:
        if self.nulls and self.often(0.05):
            return None
        if depth <= 0 or self.often(0.4):
            return self.scalar()
        make = self.rng.choice([self.object_, self.object_, self.array, self.union, self.reference])
        made = make(depth)
        return {**made, "description": "Something."} if self.often(0.1) else made

    def scalar(self) -> Node:
        return dict(self.rng.choice([*_SCALARS, {"$ref": "#/$defs/S"}]))

    def reference(self, depth: int) -> Node:
        name = self.rng.choice("ABTS")
        link: Node = {"$ref": f"#/$defs/{name}"}
        if name in "AB" and self.often(0.6):
            return {**self.object_(depth - 1), **link}
        return {**self.array(depth - 1), **link} if name == "T" and self.often(0.5) else link

    def union(self, depth: int) -> Node:
        return {self.rng.choice(["anyOf", "oneOf"]): [self.node(depth - 1) for _ in range(self.rng.randint(1, 3))]}

    def names(self, least: int, most: int) -> list[str]:
        return self.rng.sample(NAMES, self.rng.randint(least, most))

    def rest(self, depth: int) -> Any:
        choices: list[Any] = [False, False, True, self.node(depth - 1) or {}]
        return self.rng.choice(choices)

    def object_(self, depth: int) -> Node:
        """An object with a few keywords; those that apply in place come less often the deeper."""
        node: Node = {"type": "object"}
        if self.often(0.7):
            node["properties"] = {name: self.node(depth - 1) for name in self.names(0, 3)}
        for keyword, chance, make in (
            ("required", 0.3, lambda: self.names(1, 2)),
            ("additionalProperties", 0.25, lambda: self.rest(depth)),
            ("unevaluatedProperties", 0.25, lambda: self.rest(depth)),
            ("propertyNames", 0.15, self.property_names),
            ("minProperties", 0.1, lambda: self.rng.randint(1, 2)),
            ("maxProperties", 0.05, lambda: self.rng.randint(0, 3)),
            ("dependentRequired", 0.1, lambda: {self.rng.choice(NAMES): self.names(1, 1)}),
            ("patternProperties", 0.05, lambda: {"^[ab]$": self.node(depth - 1) or True}),
        ):
            if self.often(chance):
                node[keyword] = make()
        return self.in_place(node, depth) if depth > 0 else node

    def in_place(self, node: Node, depth: int) -> Node:
        for keyword, chance, make in (
            ("allOf", 0.2, lambda: self.parts(depth)),
            ("anyOf", 0.1, lambda: self.parts(depth)),
            ("oneOf", 0.1, lambda: self.parts(depth)),
            ("if", 0.1, lambda: self.part(depth)),
            ("then", 0.1, lambda: self.part(depth)),
            ("else", 0.05, lambda: self.part(depth)),
            ("not", 0.05, lambda: {"required": self.names(1, 2)}),
            ("dependentSchemas", 0.1, lambda: {self.rng.choice(NAMES): self.part(depth)}),
        ):
            if self.often(chance):
                node[keyword] = make()
        return node

    def parts(self, depth: int) -> list[Node]:
        return [self.part(depth) for _ in range(self.rng.randint(1, 2))]

    def part(self, depth: int) -> Node:
        """What applies to an object beside others."""
        if self.often(0.2) and depth > 1:
            return {"$ref": "#/$defs/A"}
        if self.often(0.3):
            return {"required": self.names(1, 2)}
        return self.object_(min(depth - 1, 1))

    def property_names(self) -> Any:
        few = self.names(1, 3)
        return self.rng.choice(
            [
                {"enum": few},
                {"const": few[0]},
                {"type": "string", "anyOf": [{"const": name} for name in few]},
                {"oneOf": [{"enum": few}, {"const": "b"}]},
                {"$ref": "#/$defs/S"},
                {"pattern": "^[a-z$]+$"},
                False,
            ]
        )

    def array(self, depth: int) -> Node:
        node: Node = {"type": "array"}
        for keyword, chance, make in (
            ("items", 0.5, lambda: self.rest(depth)),
            ("prefixItems", 0.3, lambda: [self.node(depth - 1) for _ in range(self.rng.randint(1, 2))]),
            ("unevaluatedItems", 0.3, lambda: self.rest(depth)),
            ("contains", 0.1, self.scalar),
            ("minContains", 0.05, lambda: 0),
            ("minItems", 0.1, lambda: 1),
            ("allOf", 0.1, lambda: [{"type": "array", "prefixItems": [self.scalar()]}]),
        ):
            if self.often(chance):
                node[keyword] = make()
        return node


_IN_PLACE = ("allOf", "anyOf", "oneOf", "if", "then", "else", "not", "dependentSchemas", "$defs")
_SPEAKING = frozenset({"properties", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "$ref"})


def shut(schema: Any, *, in_place: bool = False) -> Any:
    """The schema with every object closed that speaks of members and says nothing of others, as strict mode has it."""
    if is_list(schema):
        return [shut(each, in_place=in_place) for each in schema]
    if not is_object(schema):
        return schema
    out: Node = {}
    for key, value in schema.items():
        if key in ("properties", "patternProperties", "dependentSchemas", "$defs"):
            out[key] = {name: shut(each, in_place=key in _IN_PLACE) for name, each in value.items()}
        elif key in ("enum", "const", "required", "dependentRequired", "propertyNames"):
            out[key] = value
        else:
            out[key] = shut(value, in_place=key in _IN_PLACE)
    if in_place or not _SPEAKING & schema.keys():
        return out
    return {"unevaluatedProperties": False, **out}


def combined_value(rng: Random, schema: Any, whole: Node, depth: int = 4) -> Any:
    """A value led by a schema: often valid, never with members that no schema speaks of and none says it takes."""
    return _Led(rng, whole).value([schema], depth)


class _Led:
    def __init__(self, rng: Random, whole: Node) -> None:
        self.rng = rng
        self.whole = whole

    def applying(self, nodes: list[Any]) -> list[Node]:
        found: list[Node] = []
        waiting = list(nodes)
        while waiting and len(found) < 30:
            node = waiting.pop(0)
            if not is_object(node):
                continue
            found.append(node)
            if "$ref" in node:
                waiting.append(self.whole["$defs"][node["$ref"].rpartition("/")[2]])
            waiting += node.get("allOf", ())
            for keyword in ("anyOf", "oneOf"):
                if keyword in node:
                    waiting.append(self.rng.choice(node[keyword]))
            branches = ("if", "then", "else") if "if" in node else ()
            waiting += [node[each] for each in branches if each in node and self.rng.random() < 0.6]
            waiting += node.get("dependentSchemas", {}).values()
        return found

    def value(self, nodes: list[Any], depth: int) -> Any:
        places = self.applying(nodes)
        fixed = [each for node in places for each in node.get("enum", [node["const"]] if "const" in node else [])]
        if fixed:
            return self.rng.choice(fixed)
        kinds = [node["type"] for node in places if "type" in node]
        kind = self.rng.choice(kinds) if kinds else "any"
        if is_list(kind):
            kind = self.rng.choice(kind)
        if kind == "object":
            return self.members(places, depth - 1)
        if kind == "array":
            return self.items(places, depth - 1)
        scalars = {"string": "s", "integer": 1, "boolean": True, "null": None}
        return scalars[kind] if kind in scalars else json_value(self.rng, 1)

    def members(self, places: list[Node], depth: int) -> Node:
        needed = {name for node in places for name in node.get("required", ())}
        spoken = needed | {name for node in places for name in node.get("properties", ())}
        spoken |= {name for node in places for names in node.get("dependentRequired", {}).values() for name in names}
        spoken |= {name for node in places for name in node.get("dependentRequired", {})}
        others = [node.get(each) for node in places for each in ("additionalProperties", "unevaluatedProperties")]
        others += [each for node in places for each in node.get("patternProperties", {}).values()]
        if any(others) or (not spoken and not any(node is self.whole for node in places)):
            spoken = {*spoken, OTHER, "a", "b"}
        out: Node = {}
        for name in sorted(spoken) if depth > -3 else ():
            if self.rng.random() < (0.9 if name in needed else 0.5 if depth > 0 else 0.1):
                declared = [node["properties"][name] for node in places if name in node.get("properties", {})]
                out[name] = self.value(declared or [each for each in others if each], depth)
        return out

    def items(self, places: list[Node], depth: int) -> list[Any]:
        out: list[Any] = []
        for place in range(self.rng.randrange(4)):
            found: list[Any] = []
            for node in places:
                first = node.get("prefixItems", ())
                found += [first[place]] if place < len(first) else [node.get("items"), node.get("unevaluatedItems")]
                found += [node.get("contains")]
            out.append(self.value([each for each in found if each], depth))
        return out


def mended(schema: Any) -> Any:
    """The schema as it is meant where null stands for a schema: an alternative is none, all else says nothing."""
    if is_list(schema):
        return [{} if each is None else mended(each) for each in schema]
    if not is_object(schema):
        return schema
    out: Node = {}
    for key, value in schema.items():
        if key in ("enum", "const", "required"):
            out[key] = value
        elif key in ("anyOf", "oneOf"):
            if alternatives := [mended(each) for each in value if each is not None]:
                out[key] = alternatives
        elif value is not None:
            out[key] = mended(value)
    return out
