"""Made-up tool schemas: every shape that tools of real servers have, and the other members of its kind."""

from __future__ import annotations

from typing import Any, Final

Node = dict[str, Any]

TEXT: Final[Node] = {"type": "string"}
POINT: Final[Node] = {
    "type": "object",
    "properties": {"east": {"type": "number"}, "north": {"type": "number"}},
    "required": ["east", "north"],
}
CIRCLE: Final[Node] = {"type": "object", "properties": {"radius": {"type": "number", "minimum": 0.25}}}
NULL: Final[Node] = {"type": "null"}


def needs(**members: Any) -> Node:
    """A tool whose arguments are all required."""
    return {"type": "object", "properties": members, "required": list(members)}


def takes(**members: Any) -> Node:
    """A tool whose arguments are all optional."""
    return {"type": "object", "properties": members}


def tree(**members: Any) -> Node:
    """A tool with a definition `Tree` that stands within itself."""
    return {"type": "object", "properties": {"tree": {"$ref": "#/$defs/Tree"}}, "$defs": {"Tree": takes(**members)}}


def _fan(levels: int) -> Node:
    """References that double at each level."""
    defs: Node = {f"L{i}": takes(left=_ref(f"L{i + 1}"), right=_ref(f"L{i + 1}")) for i in range(levels)}
    return {"type": "object", "properties": {"top": _ref("L0")}, "$defs": {**defs, f"L{levels}": takes(leaf=TEXT)}}


def _ref(name: str) -> Node:
    return {"$ref": f"#/$defs/{name}"}


_SCALARS: Final = ("string", "integer", "number", "boolean")

NULLABLE: Final[dict[str, Node]] = {
    **{f"nullable {kind}": needs(value={"type": [kind, "null"]}) for kind in _SCALARS},
    **{f"nullable {kind} by anyOf": needs(value={"anyOf": [{"type": kind}, NULL]}) for kind in _SCALARS},
    "nullable array": needs(value={"type": ["array", "null"], "items": TEXT, "maxItems": 7}),
    "nullable object": needs(value={**POINT, "type": ["object", "null"]}),
    "nullable map": needs(value={"type": ["object", "null"], "additionalProperties": {"type": "integer"}}),
    "nullable by oneOf": needs(value={"oneOf": [NULL, TEXT]}),
    "nullable by nullable": needs(value={"type": "string", "nullable": True}),
    "null first": needs(value={"type": ["null", "integer"], "minimum": 12}),
    "null only": needs(value={"type": "null"}, other=TEXT),
    "null const": needs(value={"const": None}, other=TEXT),
    "optional with default null": takes(value={"type": ["string", "null"], "default": None}),
}

SEVERAL_TYPES: Final[dict[str, Node]] = {
    "two types": needs(value={"type": ["string", "integer"]}),
    "two types with null": needs(value={"type": ["string", "number", "null"], "maxLength": 77}),
    "all types": takes(
        value={"type": ["string", "number", "boolean", "object", "array", "null"], "items": TEXT, "default": 1.5}
    ),
    "string or list of strings": takes(value={"type": ["string", "array"], "items": TEXT}),
    "items of two types": takes(value={"type": "array", "items": {"type": ["string", "integer", "null"]}}),
    "any value": takes(value={}),
    "any value, described": takes(value={"description": "Whatever it holds"}),
    "true and false": {"type": "object", "properties": {"value": True, "never": False}},
}

ENUMS: Final[dict[str, Node]] = {
    "enum of strings": needs(value={"type": "string", "enum": ["red", "green"]}),
    "enum of strings with null": needs(value={"type": ["string", "null"], "enum": ["red", "green", None]}),
    "enum without a type": takes(value={"enum": ["red", "green"]}),
    "enum with an empty string": takes(value={"type": "string", "enum": ["", "asc", "desc"]}),
    "enum of integers": needs(value={"type": "integer", "enum": [1, 2, 3]}),
    "enum of integers apart": needs(value={"type": "integer", "enum": [10, 200, 3000]}),
    "enum of numbers": needs(value={"type": "number", "enum": [0.5, 1, 2.5]}),
    "enum of integers with null": takes(value={"type": ["integer", "null"], "enum": [15, 30, None]}),
    "enum of booleans": needs(value={"type": "boolean", "enum": [True]}),
    "enum of many integers": takes(value={"type": "integer", "enum": [7 * i * i for i in range(40)]}),
    "enum of several types": takes(value={"enum": ["auto", 1, 2.5, True, None]}),
    "enum of lists and objects": takes(value={"enum": [["a", 1], {"b": 2}]}),
    "enum in items": takes(value={"type": "array", "items": {"type": "integer", "enum": [4, 8]}}),
    "const string": needs(kind={"const": "circle"}),
    "const integer": needs(version={"const": 42}),
    "const boolean": needs(sure={"const": True}),
    "const object": takes(value={"const": {"deep": [1]}}),
}

UNIONS: Final[dict[str, Node]] = {
    "union of objects": needs(shape={"anyOf": [POINT, CIRCLE]}),
    "optional union of objects": takes(shape={"anyOf": [POINT, CIRCLE]}),
    "nullable union of objects": needs(shape={"anyOf": [POINT, CIRCLE, NULL]}),
    "union of an object and a string": takes(shape={"oneOf": [POINT, TEXT]}),
    "union of arrays": takes(shape={"anyOf": [{"type": "array", "items": each} for each in (POINT, TEXT)]}),
    "union in a union": takes(shape={"anyOf": [{"anyOf": [POINT, CIRCLE]}, {"oneOf": [TEXT, NULL]}]}),
    "told apart by a constant": takes(
        shape={
            "oneOf": [
                needs(kind={"const": "point"}, point=POINT),
                needs(kind={"const": "circle"}, circle=CIRCLE),
            ]
        }
    ),
    "members beside alternatives": takes(
        shape={"type": "object", "properties": {"name": TEXT}, "anyOf": [{"required": ["name"]}, takes(id=TEXT)]}
    ),
    "all of": takes(shape={"allOf": [POINT, {"properties": {"height": {"type": "number"}}}]}),
    "all of one reference": {
        "type": "object",
        "properties": {"shape": {"allOf": [_ref("Point")], "description": "Where"}},
        "$defs": {"Point": POINT},
    },
    "if, then, else": takes(
        shape={
            **takes(mode={"enum": ["fast", "slow"]}, speed={"type": "integer"}),
            "if": {"properties": {"mode": {"const": "fast"}}},
            "then": {"required": ["speed"]},
            "else": {"not": {"required": ["speed"]}},
        }
    ),
}

ROOTS: Final[dict[str, Node]] = {
    "no arguments": {"type": "object"},
    "no arguments, closed": {"type": "object", "properties": {}, "additionalProperties": False},
    "any arguments": {"type": "object", "additionalProperties": True},
    "root alternatives": {"type": "object", "anyOf": [needs(first=TEXT), needs(second={"type": "integer"})]},
    "root one of": {"oneOf": [needs(kind={"const": "a"}, first=TEXT), needs(kind={"const": "b"}, second=POINT)]},
    "root all of": {"type": "object", "allOf": [needs(first=TEXT), takes(second=POINT)]},
    "root conditions": {
        **takes(first=TEXT, second=TEXT),
        "anyOf": [{"required": ["first"]}, {"required": ["second"]}],
        "dependentRequired": {"second": ["first"]},
    },
    "root definition": {"$ref": "#/$defs/Input", "$defs": {"Input": needs(first=TEXT, second=POINT)}},
    "open root": {**takes(first=TEXT), "additionalProperties": {"type": "integer"}},
}

CONTAINERS: Final[dict[str, Node]] = {
    "empty object": takes(value={"type": "object"}),
    "empty object, required": needs(value={"type": "object", "properties": {}}),
    "closed empty object": takes(value={"type": "object", "properties": {}, "additionalProperties": False}),
    "map of strings": takes(value={"type": "object", "additionalProperties": TEXT}),
    "map of objects": takes(value={"type": "object", "additionalProperties": POINT}),
    "map by pattern": takes(value={"type": "object", "patternProperties": {"^x_": {"type": "integer"}}}),
    "members and others": takes(value={**POINT, "additionalProperties": {"type": "number"}}),
    "nested optional members": takes(a=takes(b=takes(c=takes(d={"type": "integer", "default": 5})))),
    "object with items": takes(value={"type": "object", "items": POINT}),
    "array without items": takes(value={"type": "array"}),
    "array of anything": takes(value={"type": "array", "items": {}}),
    "array of arrays": takes(value={"type": "array", "items": {"type": "array", "items": {"type": "number"}}}),
    "array of unions": takes(value={"type": "array", "items": {"anyOf": [POINT, CIRCLE, TEXT]}}),
    "array of nullable objects": takes(value={"type": "array", "items": {"anyOf": [POINT, NULL]}}),
    "array of objects with optional members": takes(value={"type": "array", "items": takes(x=TEXT, y=CIRCLE)}),
    "array of maps": takes(value={"type": "array", "items": {"type": "object", "additionalProperties": TEXT}}),
    "tuple": takes(value={"type": "array", "prefixItems": [{"type": "number"}, TEXT], "items": False}),
    "tuple of objects": takes(value={"type": "array", "prefixItems": [POINT, CIRCLE], "minItems": 2, "maxItems": 2}),
    "tuple of old": takes(value={"type": "array", "items": [{"type": "number"}, {"type": "number"}]}),
}

BESIDE: Final[dict[str, Node]] = {
    "root map of objects": {"type": "object", "additionalProperties": POINT},
    "root map of references": {
        "type": "object",
        "additionalProperties": _ref("Point"),
        "$defs": {"Point": POINT},
    },
    "root members and a map of objects": {**takes(first=TEXT), "additionalProperties": POINT},
    "root map by pattern": {"type": "object", "patternProperties": {"^x_": POINT}},
    "map by pattern beside members": takes(value={**takes(name=TEXT), "patternProperties": {"^x_": POINT}}),
    "map of maps of objects": takes(
        value={"type": "object", "additionalProperties": {"type": "object", "additionalProperties": POINT}}
    ),
    "map of references": {
        **takes(value={"type": "object", "additionalProperties": _ref("Point"), "description": "By name"}),
        "$defs": {"Point": POINT},
    },
    "parts that cannot be one": takes(
        shape={**takes(name=TEXT), "description": "A shape", "allOf": [{"oneOf": [POINT, CIRCLE]}, {"not": CIRCLE}]}
    ),
    "two choices": takes(
        shape={**takes(name=TEXT), "anyOf": [POINT, CIRCLE], "oneOf": [takes(id=TEXT), takes(no=TEXT)]}
    ),
    "members beside a choice of references": {
        **takes(shape={**takes(name=TEXT), "anyOf": [_ref("Point"), _ref("Circle")]}),
        "$defs": {"Point": POINT, "Circle": CIRCLE},
    },
    "members beside a choice that has no place for them": takes(
        shape={"type": ["object", "string"], "properties": {"name": TEXT}, "anyOf": [TEXT, POINT]}
    ),
    "a condition with members": takes(
        shape={**takes(mode=TEXT), "if": {"required": ["mode"]}, "then": takes(speed={"type": "integer"})}
    ),
    "an item that must be there": takes(value={"type": "array", "contains": POINT}),
    "a described choice in a described argument": takes(
        value={
            "description": "Where",
            "anyOf": [{**POINT, "description": "A point", "additionalProperties": CIRCLE}, NULL],
        }
    ),
    "array of nulls": takes(value={"type": "array", "items": NULL}, other={"type": "array", "items": {"const": None}}),
    "array of no items": takes(
        value={"type": "array", "items": False}, other={"type": ["array", "null"], "items": False}
    ),
    "array of references to null": {**takes(value={"type": "array", "items": _ref("Null")}), "$defs": {"Null": NULL}},
    "counts beyond any value": takes(
        value={"type": "string", "maxLength": 2**70}, other={"type": "array", "maxItems": 2**70}
    ),
}

REFERENCES: Final[dict[str, Node]] = {
    "tree": tree(label=TEXT, children={"type": "array", "items": _ref("Tree")}),
    "list by reference": tree(label=TEXT, next={"anyOf": [_ref("Tree"), NULL]}),
    "mutual recursion": {
        "type": "object",
        "properties": {"even": _ref("Even")},
        "$defs": {"Even": takes(odd=_ref("Odd"), tag=TEXT), "Odd": takes(even=_ref("Even"), mark=TEXT)},
    },
    "recursive root": {**takes(name=TEXT, parts={"type": "array", "items": {"$ref": "#"}})},
    "recursive filter": tree(
        **{"and": {"type": "array", "items": _ref("Tree")}, "not": _ref("Tree")},
        value={"type": ["string", "number", "null"]},
    ),
    "one definition twice": {
        "type": "object",
        "properties": {"from": _ref("Point"), "to": {**_ref("Point"), "description": "Where to"}},
        "$defs": {"Point": POINT},
    },
    "old definitions": {**takes(at={"$ref": "#/definitions/Point"}), "definitions": {"Point": POINT}},
    "fanning references": _fan(5),
    "fanning references, deep": _fan(14),
}

NAMES: Final[dict[str, Node]] = {
    "long name": takes(**{"n" * 65: TEXT}),
    "odd names": takes(**{"$filter": TEXT, "a.b": TEXT, "x/y": {"type": "integer"}, "with space": TEXT, "größe": TEXT}),
    "odd names inside": takes(query=takes(**{"$top": {"type": "integer"}, "@type": TEXT, "x" * 70: TEXT})),
    "names of keywords": needs(
        **dict.fromkeys(("type", "properties", "required", "items", "enum", "title", "description", "anyOf"), TEXT)
    ),
    "names of keywords inside": takes(value=needs(type=TEXT, title=TEXT, default=TEXT, format=TEXT, nullable=TEXT)),
    "names of Python": needs(**dict.fromkeys(("self", "args", "kwargs", "config", "class", "run_manager"), TEXT)),
}

CONSTRAINTS: Final[dict[str, Node]] = {
    "of strings": takes(
        code={"type": "string", "pattern": "^[A-Z]{3}-[0-9]+$", "minLength": 5, "maxLength": 55},
        day={"type": "string", "format": "date"},
        picture={"type": "string", "contentEncoding": "base64"},
    ),
    "of numbers": takes(
        share={"type": "number", "exclusiveMinimum": 0.125, "exclusiveMaximum": 0.875},
        steps={"type": "integer", "minimum": 13, "maximum": 1300, "multipleOf": 13, "default": 26},
    ),
    "of arrays": takes(tags={"type": "array", "items": TEXT, "minItems": 3, "maxItems": 33, "uniqueItems": True}),
    "of objects": takes(value={"type": "object", "minProperties": 2, "propertyNames": {"pattern": "^k"}}),
    "examples": takes(city={"type": "string", "examples": ["Bern", "Basel"], "default": "Chur"}),
    "titles": {"title": "Arguments", **takes(city={"type": "string", "title": "City"})},
}

SHAPES: Final[dict[str, Node]] = {
    **NULLABLE,
    **SEVERAL_TYPES,
    **ENUMS,
    **UNIONS,
    **ROOTS,
    **CONTAINERS,
    **BESIDE,
    **REFERENCES,
    **NAMES,
    **CONSTRAINTS,
}
