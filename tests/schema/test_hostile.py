"""Schemas made to hurt: an error within a second, never a hang, a crash or a RecursionError."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from toolgraft.errors import ArgumentsError, SchemaError
from toolgraft.schema import compile_checks, convert, lint

Node = dict[str, Any]


def deep() -> Node:
    schema: Node = {}
    for _ in range(50_000):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def circular() -> Node:
    schema: Node = {"type": "object", "properties": {}}
    schema["properties"]["a"] = schema
    return schema


def laughs(keyword: str) -> Callable[[], Node]:
    """Definitions that each use the next one twice."""

    def make() -> Node:
        defs: Node = {f"d{i}": {keyword: [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(40)}
        return {
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/d0"}},
            "$defs": {**defs, "d40": {"type": "string"}},
        }

    return make


def member_laughs() -> Node:
    defs: Node = {
        f"d{i}": {"type": "object", "properties": {n: {"$ref": f"#/$defs/d{i + 1}", "description": n} for n in "xy"}}
        for i in range(60)
    }
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {**defs, "d60": {"type": "string"}}}


def chain() -> Node:
    defs: Node = {f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(5000)}
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {**defs, "d5000": {}}}


def member_chain() -> Node:
    defs: Node = {f"d{i}": {"type": "object", "properties": {"n": {"$ref": f"#/$defs/d{i + 1}"}}} for i in range(3000)}
    return {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d0"}},
        "$defs": {**defs, "d3000": {"type": "string"}},
    }


def all_of_chain() -> Node:
    defs: Node = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}, {"type": "object"}]} for i in range(2000)}
    return {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d0"}},
        "$defs": {**defs, "d2000": {"type": "object"}},
    }


def merging_recursion() -> Node:
    a = {"type": "object", "properties": {n: {"$ref": "#/$defs/A"} for n in "xyz"}}
    b = {"type": "object", "properties": {n: {"$ref": "#/$defs/B"} for n in "xyz"}}
    both = {"allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}
    return {"type": "object", "properties": {"a": both}, "$defs": {"A": a, "B": b}}


def itself() -> Node:
    return {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}},
    }


def megabyte_enum() -> Node:
    return {"type": "object", "properties": {"a": {"enum": [f"value {i}" for i in range(200_000)]}}}


def megabyte_text() -> Node:
    return {"type": "object", "description": "x" * 3_000_000}


def wide() -> Node:
    return {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(60_000)}}


def wide_union() -> Node:
    branch: Node = {"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "object"}}}
    return {"type": "object", "properties": {"a": {"anyOf": [branch] * 2000}}}


def enum_of_objects() -> Node:
    return {"type": "object", "properties": {"a": {"enum": [{"i": [i]} for i in range(8000)]}}}


def crossed_enums() -> Node:
    return {"type": "object", "properties": {"a": {"allOf": [{"enum": [1.5, *range(i, 9000)]} for i in range(3)]}}}


def union_product() -> Node:
    union = {"anyOf": [{"type": "object", "properties": {f"p{i}": {"type": "string"}}} for i in range(60)]}
    return {"type": "object", "properties": {"a": {"allOf": [union, union, union]}}}


def bad_patterns() -> Node:
    patterns = ["(" * 5000, "(a+)+$", "a{999999999}", "[", "\\", "(?P<n>x)" * 200, "x*" * 2000]
    return {"type": "object", "properties": {f"p{i}": {"type": "string", "pattern": p} for i, p in enumerate(patterns)}}


def long_pattern() -> Node:
    return {"type": "object", "properties": {"a": {"type": "string", "pattern": r"(?:[a-z]|\d)?" * 130_000}}}


def all_required() -> Node:
    names = [f"p{i}" for i in range(15_000)]
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": names}


def root_union() -> Node:
    variants = [
        {"type": "object", "properties": {f"p{i}_{j}": {"type": "string"} for j in range(10)}} for i in range(1500)
    ]
    return {"type": "object", "anyOf": variants}


def body_references() -> Node:
    properties: Node = {"p0": {"type": "object", "properties": {"a": {"type": "string"}}}}
    for i in range(1, 1500):
        link = {"$ref": f"#/properties/p{i - 1}"}
        properties[f"p{i}"] = {"type": "object", "properties": {"x": link, "y": link}}
    return {"type": "object", "properties": properties}


def recursive_merges() -> Node:
    defs = {
        f"r{i}": {
            "type": "object",
            "properties": {
                "k": {"allOf": [{"$ref": f"#/$defs/r{i}"}, {"properties": {"n": {"type": "string"}}}]},
                **{f"z{j}": {"type": "string"} for j in range(30)},
            },
        }
        for i in range(300)
    }
    members = {f"p{i}": {"allOf": [{"$ref": f"#/$defs/r{i}"}, {"type": "object"}]} for i in range(300)}
    return {"type": "object", "properties": members, "$defs": defs}


def common_multiples() -> Node:
    factors = [{"multipleOf": i * 10**300 + 7} for i in range(1, 6000)]
    return {"type": "object", "properties": {"a": {"allOf": factors}}}


def negations() -> Node:
    members = {f"p{i}": {"type": ["string", "null"], "not": {"const": str(i)}} for i in range(3000)}
    big = {"enum": [f"v{i}" for i in range(30_000)]}
    return {"type": "object", "properties": {**members, "a": {"$ref": "#/$defs/big"}}, "$defs": {"big": big}}


def not_json() -> Node:
    return {"type": "object", "properties": {"a": {"default": float("nan")}, "b": {"enum": [{1, 2}]}}}


HOSTILE = [
    deep, circular, laughs("anyOf"), laughs("allOf"), laughs("oneOf"), member_laughs, chain, member_chain, all_of_chain,
    merging_recursion, itself, megabyte_enum, megabyte_text, wide, wide_union, enum_of_objects, crossed_enums,
    union_product, bad_patterns, long_pattern, all_required, root_union, body_references, recursive_merges,
    common_multiples, negations, not_json,
]  # fmt: skip


@pytest.mark.parametrize("make", HOSTILE)
@pytest.mark.parametrize("level", ["natural", "full"])
@pytest.mark.faults("S24")
def test_work_is_bounded(make: Callable[[], Node], level: Any) -> None:
    schema = make()
    started = time.process_time()
    told = outcome(schema, level)
    assert len(told) < 1000
    assert time.process_time() - started < 10  # a second on a quiet machine; exponential work would never end


def outcome(schema: Node, level: Any) -> str:
    """Do all there is to do with a schema; give the error it is refused with."""
    try:
        converted = convert(schema, level)
        json.dumps(converted.plain, allow_nan=False)
        assert converted.strict is None or lint(converted.strict) == []
        converted.codec.decode({"a": None})
        compile_checks(schema).problems({"a": {"x": {"x": 1}}})
    except SchemaError as error:
        return str(error)
    return ""


def test_arguments_nested_too_deep_are_an_error() -> None:
    tree = {"type": "object", "properties": {"kid": {"$ref": "#"}}}
    args: Any = None
    for _ in range(20_000):
        args = {"kid": args}
    with pytest.raises(ArgumentsError, match="too deep"):
        convert(tree).codec.decode(args)


@pytest.mark.faults("S24")
def test_alternatives_of_alternatives_do_not_multiply_the_work() -> None:
    branches = [
        {"type": "object", "properties": {"x": {"$ref": "#/$defs/n"}, f"k{i}": {"type": "string"}}} for i in range(8)
    ]
    schema: Node = {"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"anyOf": branches}}}
    args: Any = {"q": None, "k0": 1}
    for _ in range(20):  # eight alternatives to the twentieth
        args = {"x": args}
    started = time.process_time()
    assert compile_checks(schema).coerce({"a": args}) == {"a": args}
    assert compile_checks(schema).problems({"a": args}) == ()
    for level in ("natural", "full", False):
        with pytest.raises(ArgumentsError, match="too large, or nested too deep"):
            convert(schema, level).codec.decode({"a": args})
    assert time.process_time() - started < 10
