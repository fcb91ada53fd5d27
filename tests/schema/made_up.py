"""Made-up tool schemas, and values that fit them.

Everything is drawn from a `random.Random`, so that one number stands for a schema and its values; hypothesis
draws the number.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import jsonschema
from toolgraft.schema.language.keywords import is_list, is_object

Node = dict[str, Any]

NAMES = ["a", "b", "key", "value", "title", "type", "default", "$ref", "item_1", "rest", "arguments", "x/y~z"]
FORMATS = {
    "date-time": "2026-01-02T03:04:05Z",
    "date": "2026-01-02",
    "time": "03:04:05Z",
    "duration": "P1D",
    "email": "a@example.com",
    "hostname": "example.com",
    "ipv4": "127.0.0.1",
    "ipv6": "::1",
    "uri": "https://example.com/a",
    "uri-reference": "/a",
    "uuid": "01234567-89ab-cdef-0123-456789abcdef",
}
WORDS = ["", "x", "red", "null", "3", "{}", "[]", '"x"', "omit", "é\u2028"]


def json_value(rng: Random, depth: int = 2) -> Any:
    """Any JSON value."""
    kind = rng.randrange(8 if depth else 6)
    if kind < 6:
        return [None, rng.random() < 0.5, rng.randint(-3, 30), rng.choice([0.5, 1e30]), rng.choice(WORDS), 7][kind]
    if kind == 6:
        return [json_value(rng, depth - 1) for _ in range(rng.randrange(3))]
    return {rng.choice(NAMES): json_value(rng, depth - 1) for _ in range(rng.randrange(3))}


def tool_schema(rng: Random, *, open_world: bool = True) -> Node:
    """A tool's input schema; with `open_world`, also what strict mode cannot say in the author's shape."""
    names = rng.sample(["Node", "Leaf"], rng.randrange(3))
    maker = _Maker(rng, names, open_world)
    root: Node = maker.make_object(rng.randint(1, 3))
    if open_world and rng.random() < 0.1:
        closed: list[Node] = [{**maker.make_object(2), "additionalProperties": False} for _ in range(2)]
        root = {"type": "object", rng.choice(["anyOf", "oneOf"]): closed}
    if names:
        root["$defs"] = {name: maker.definition() for name in names}
    return root


_CLOSED_WORLD = ["string", "integer", "number", "boolean", "enum", "nullable", "const", "list"]
_NESTED = ["object", "object", "array", "any_of", "one_of", "all_of"]
_OPEN_WORLD = ["map", "free", "any", "tuple", "open", "untyped"]


class _Maker:
    def __init__(self, rng: Random, names: list[str], open_world: bool) -> None:
        self.rng = rng
        self.names = names
        self.open_world = open_world

    def definition(self) -> Node:
        return self.rng.choice([self.make_object, self.make_array, self.make_enum])(2)

    def node(self, depth: int) -> Node:
        kinds = [*_CLOSED_WORLD]
        if depth > 0:
            kinds += _NESTED + (_OPEN_WORLD if self.open_world else [])
        if self.names:
            kinds += ["ref"]
        kind = self.rng.choice(kinds)
        node: Node = getattr(self, f"make_{kind}")(depth) if hasattr(self, f"make_{kind}") else {"type": kind}
        if self.rng.random() < 0.2:
            node = {**node, "description": "Something."}
        if self.rng.random() < 0.2:
            node = {**node, "default": self.rng.choice([None, 0, 3])}
        return node

    def some(self, values: list[Any], most: int, least: int = 1) -> list[Any]:
        return self.rng.sample(values, self.rng.randint(least, most))

    def make_enum(self, depth: int) -> Node:
        if self.rng.random() < 0.5:
            return {"enum": self.some(["red", "green", None, 3, True], 3)}
        return {"type": "string", "enum": self.some(WORDS, 3)}

    def make_const(self, depth: int) -> Node:
        return {"const": self.rng.choice(["red", 3, None, True])}

    def make_list(self, depth: int) -> Node:
        return {"type": self.some(["string", "integer", "number", "boolean", "null"], 3)}

    def make_nullable(self, depth: int) -> Node:
        if depth > 0 and self.rng.random() < 0.5:
            return {"anyOf": [self.node(depth - 1), {"type": "null"}]}
        kind = self.rng.choice(["string", "integer", "object"] if self.open_world else ["string", "integer"])
        return {"type": [kind, "null"]}

    def make_object(self, depth: int) -> Node:
        names = self.some(NAMES, 3, 0)
        node: Node = {"type": "object", "properties": {name: self.node(depth - 1) for name in names}}
        if names:
            node["required"] = [name for name in names if self.rng.random() < 0.5]
        if not names or self.rng.random() < 0.5:
            node["additionalProperties"] = False
        return node

    def make_array(self, depth: int) -> Node:
        return {"type": "array", "items": self.node(depth - 1)}

    def make_any_of(self, depth: int) -> Node:
        return {"anyOf": [self.node(depth - 1) for _ in range(self.rng.randint(1, 3))]}

    def make_one_of(self, depth: int) -> Node:
        return {"oneOf": [self.node(depth - 1) for _ in range(self.rng.randint(1, 3))]}

    def make_all_of(self, depth: int) -> Node:
        declared: Node = {name: {"type": "string"} for name in self.some(NAMES, 2)}
        other: Node = {"type": "object", "properties": {name: self.node(depth - 1) for name in ("b", "extra")}}
        return {"allOf": [{"type": "object", "properties": declared}, other]}

    def make_map(self, depth: int) -> Node:
        return {"type": "object", "additionalProperties": self.node(depth - 1)}

    def make_open(self, depth: int) -> Node:
        return {**self.make_object(depth), "additionalProperties": self.rng.choice([True, {}, {"type": "integer"}])}

    def make_free(self, depth: int) -> Node:
        return self.rng.choice([{"type": "object"}, {"type": "object", "additionalProperties": True}])

    def make_any(self, depth: int) -> Node:
        return {}

    def make_untyped(self, depth: int) -> Node:
        return {"type": "array"}

    def make_tuple(self, depth: int) -> Node:
        places = [self.node(depth - 1) for _ in range(self.rng.randint(1, 2))]
        rest: Any = self.rng.choice([False, {"type": "string"}])
        return {"type": "array", "prefixItems": places, "items": rest, "minItems": self.rng.randint(0, len(places))}

    def make_ref(self, depth: int) -> Node:
        return {"$ref": f"#/$defs/{self.rng.choice(self.names)}"}


def value(rng: Random, schema: Any, whole: Node, depth: int = 6) -> Any:
    """A value that mostly fits a schema; members that are not declared only where the schema says so."""
    if "$ref" in schema and isinstance(schema["$ref"], str):
        target: Any = whole
        for step in schema["$ref"].split("/")[1:]:
            target = target[int(step) if isinstance(target, list) else step]
        return value(rng, target, whole, depth - 1) if depth > 0 else None
    if "enum" in schema:
        return rng.choice(schema["enum"] or ["x"])
    if "const" in schema:
        return schema["const"]
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return value(rng, rng.choice(schema[keyword]), whole, depth - 1)
    if "allOf" in schema:
        parts = [value(rng, each, whole, depth - 1) for each in reversed(schema["allOf"])]
        if not all(isinstance(part, dict) for part in parts):
            return parts[-1]
        return {name: inner for part in parts for name, inner in part.items()}
    kinds: Any = schema.get("type", "any")
    return _of_kind(rng, rng.choice(kinds) if is_list(kinds) else kinds, schema, whole, depth)


def _of_kind(rng: Random, kind: str, schema: Node, whole: Node, depth: int) -> Any:
    if kind == "string":
        if "format" in schema:
            return FORMATS.get(schema["format"], "x")
        text = schema.get("description", "")
        if "JSON text: object" in text:
            return json.dumps({rng.choice([*NAMES, "other"]): json_value(rng) for _ in range(rng.randrange(3))})
        return (
            json.dumps(json_value(rng))
            if "JSON text" in text
            else rng.choice(WORDS).ljust(schema.get("minLength", 0), "x")
        )
    if kind == "object":
        return _object(rng, schema, whole, depth)
    if kind == "array":
        return _array(rng, schema, whole, depth)
    if kind == "any":
        return json_value(rng)
    if kind == "boolean":
        return rng.random() < 0.5
    if kind == "null":
        return None
    least, most = schema.get("minimum", -3), schema.get("maximum", 30)
    return (
        rng.choice([1, 0.5, -1.25])
        if kind == "number" and rng.random() < 0.5
        else rng.randint(int(least), max(int(most), int(least)))
    )


def _object(rng: Random, schema: Node, whole: Node, depth: int) -> Node:
    properties = schema.get("properties", {})
    out: Node = {}
    for name, each in properties.items():
        if name in schema.get("required", ()) or (depth > 0 and rng.random() < 0.6):
            out[name] = value(rng, each, whole, depth - 1)
    others = schema.get("additionalProperties", not properties)
    if others is not False:
        for _ in range(rng.randrange(3)):
            if (name := rng.choice([*NAMES, "other"])) not in properties:
                out[name] = value(rng, {} if others is True else others, whole, depth - 1)
    return out


def _array(rng: Random, schema: Node, whole: Node, depth: int) -> list[Any]:
    places = schema.get("prefixItems", [])
    wanted = rng.randint(min(schema.get("minItems", 0), len(places)), len(places))
    out = [value(rng, each, whole, depth - 1) for each in places[:wanted]]
    if not places and isinstance(schema.get("items", {}), dict):
        out = [value(rng, schema.get("items", {}), whole, depth - 1) for _ in range(min(schema.get("minItems", 0), 3))]
    items = schema.get("items", {})
    if items is not False and wanted == len(places):
        out += [value(rng, items, whole, depth - 1) for _ in range(rng.randrange(3))]
    return out


def valid(schema: Node, instance: Any) -> bool:
    """The independent oracle."""
    validator: Any = jsonschema.Draft202012Validator(schema)
    return bool(validator.is_valid(instance))


def without_nulls(args: Any) -> Any:
    """Arguments without null members: `default: null` makes null and absence one."""
    if is_object(args):
        return {name: without_nulls(each) for name, each in args.items() if each is not None}
    return [without_nulls(each) for each in args] if is_list(args) else args
