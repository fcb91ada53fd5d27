"""One test, or more, for every kind of fault that tool schemas are known to bring."""

from __future__ import annotations

import copy
import json
import pickle
import re
from typing import Any

import pytest
from toolgraft.errors import SchemaError
from toolgraft.schema import convert, lint

from tests.schema.made_up import valid

Node = dict[str, Any]


def tool(*required: str, **properties: Any) -> Node:
    """A tool's input schema with these arguments."""
    return {"type": "object", "properties": properties, "required": list(required)}


def plain(schema: Node) -> Node:
    return convert(schema).plain


def strict(schema: Node, level: Any = "natural") -> Node:
    converted = convert(schema, level)
    assert converted.strict is not None, converted.reason
    assert lint(converted.strict) == []
    return converted.strict


@pytest.mark.faults("S1", "S2")
def test_an_array_without_items_gets_items_that_take_anything() -> None:
    served = plain(tool(ids={"type": "array"}, rows={"type": "array", "items": {"type": "array"}}))
    assert served["properties"]["ids"] == {"type": "array", "items": {}}
    assert served["properties"]["rows"]["items"] == {"type": "array", "items": {}}


@pytest.mark.faults("S2")
@pytest.mark.parametrize("keyword", ["anyOf", "oneOf", "allOf"])
def test_arrays_are_mended_inside_unions_and_definitions(keyword: str) -> None:
    schema = tool(a={keyword: [{"type": "array"}, {"type": "array", "maxItems": 3}]}, b={"$ref": "#/$defs/B"})
    served = plain({**schema, "$defs": {"B": {"type": "array"}}})
    assert "items" in json.dumps(served["properties"]["a"])
    assert served["$defs"]["B"] == {"type": "array", "items": {}}


@pytest.mark.faults("S3", "S4", "S33")
@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"type": "object", "properties": {}}])
def test_a_tool_without_arguments_is_served_strict(schema: Node) -> None:
    assert strict(schema) == {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    assert convert(schema).codec.decode({}) == {}


@pytest.mark.faults("S3", "S33", "T36")
def test_plain_closes_no_root_that_the_server_left_open() -> None:
    free: Node = {"type": "object", "properties": {}, "additionalProperties": True}
    assert convert({"type": "object"}, False).plain == free
    assert convert({}, False).plain == free
    assert convert({"type": "object", "description": "Any."}, False).plain == {**free, "description": "Any."}
    assert convert({"type": "object", "properties": {}}, False).plain == {"type": "object", "properties": {}}
    closed: Node = {"type": "object", "properties": {}, "additionalProperties": False}
    assert convert(closed, False).plain == closed


@pytest.mark.faults("T42")
@pytest.mark.parametrize("level", ["natural", "full", False])
@pytest.mark.parametrize("rest", [False, {"type": "integer"}])
def test_plain_opens_nothing_that_is_closed_as_unevaluated(level: Any, rest: Any) -> None:
    held: Node = {"type": "object", "unevaluatedProperties": rest}
    declared = {**held, "properties": {"a": {"type": "string"}}}
    parts: Node = {**held, "anyOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"b": {}}}]}
    for schema in (held, declared, parts):
        for whole, wrapped in ((schema, False), (tool(o=schema), True)):
            served = convert(whole, level).plain
            for args in ({}, {"a": "x"}, {"c": 3}, {"c": "x"}):
                given = {"o": args} if wrapped else args
                assert not valid(whole, given) or valid(served, given)
                if schema is not parts or args != {"a": "x"}:
                    assert valid(served, given) == valid(whole, given)


@pytest.mark.faults("S3", "S13", "S14")
def test_a_nested_free_object_says_that_it_is_open() -> None:
    served = plain(tool(meta={"type": "object", "description": "pairs"}))
    assert served["properties"]["meta"] == {
        "type": "object",
        "description": "pairs",
        "properties": {},
        "additionalProperties": True,
    }


@pytest.mark.faults("S5")
def test_dialect_keywords_go_at_schema_positions_only() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "urn:x",
        "type": "object",
        "properties": {"$schema": {"type": "string"}, "$id": {"type": "string", "$comment": "x"}},
    }
    served = plain(schema)
    assert "$schema" not in served
    assert "$id" not in served
    assert list(served["properties"]) == ["schema", "id"]
    assert "$schema" not in strict(schema)


@pytest.mark.faults("S6", "S13")
def test_what_cannot_keep_its_shape_is_served_plain_with_pointer_and_reason() -> None:
    converted = convert(tool(a={"type": "string"}, kv={"type": "object"}))
    assert converted.strict is None
    assert converted.reason is not None
    assert converted.reason.pointer == "/properties/kv"
    assert "any members" in converted.reason.sentence
    assert "required" not in converted.plain["properties"]["a"]
    assert convert(tool(a={"type": "string"})).reason is None


@pytest.mark.faults("S7")
def test_one_of_becomes_any_of() -> None:
    served = strict(tool("level", level={"oneOf": [{"type": "number"}, {"type": "boolean"}]}))
    assert served["properties"]["level"] == {"anyOf": [{"type": "number"}, {"type": "boolean"}]}


@pytest.mark.faults("S8", "S9", "S10")
def test_what_strict_mode_refuses_is_told_in_the_description() -> None:
    ids = {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "description": "Ids"}
    served = strict(
        tool(
            "u",
            "n",
            "ids",
            "s",
            u={"type": "string", "format": "uri", "description": "Where."},
            n={"type": "integer", "default": 20, "minimum": 1},
            ids=ids,
            s={"type": "string", "minLength": 2, "maxLength": 5, "examples": ["ab"]},
        )
    )["properties"]
    assert served["u"] == {"type": "string", "description": "Where. Format: uri."}
    assert served["n"] == {"type": "integer", "minimum": 1, "description": "Default: 20."}
    assert served["ids"] == {"type": "array", "items": {"type": "string"}, "description": "Ids. No item twice."}
    assert served["s"]["description"] == 'Minimum length: 2. Maximum length: 5. Examples: "ab".'


@pytest.mark.faults("S11")
def test_all_of_is_merged() -> None:
    data = {"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"description": "x"}]}
    served = strict(tool("data", data=data))["properties"]["data"]
    assert served["properties"] == {"a": {"type": ["string", "null"]}}
    assert served["description"] == "x"


@pytest.mark.faults("S11")
def test_several_all_of_are_merged_to_what_all_of_them_take() -> None:
    data = {
        "allOf": [
            {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}, "required": ["a"]},
            {"properties": {"a": {"maximum": 9, "minimum": 3}, "b": {"enum": ["x", "y"]}}},
            {"properties": {"b": {"enum": ["y", "z"]}}, "required": ["b"]},
        ]
    }
    served = strict(tool("data", data=data))["properties"]["data"]
    assert served["properties"]["a"] == {"type": "integer", "minimum": 3, "maximum": 9}
    assert served["properties"]["b"] == {"type": "string", "enum": ["y"]}
    assert served["required"] == ["a", "b"]


@pytest.mark.faults("S12")
def test_objects_are_closed_and_require_all_at_every_level() -> None:
    inner = {"type": "object", "properties": {"k": {"type": "string"}}}
    served = strict(tool(filters={"type": "array", "items": inner}))["properties"]["filters"]
    item = served["anyOf"][0]["items"]
    assert item["additionalProperties"] is False
    assert item["required"] == ["k"]


@pytest.mark.faults("S14", "S15")
@pytest.mark.parametrize("openness", [{}, True, {"type": "string"}])
def test_open_maps_stay_open(openness: Any) -> None:
    schema = tool("h", h={"type": "object", "additionalProperties": openness})
    converted = convert(schema)
    assert converted.strict is None
    assert valid(converted.plain, {"h": {"any": "thing"}})
    assert converted.plain["properties"]["h"]["additionalProperties"] == (openness or True)


@pytest.mark.faults("S16", "S17")
@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_a_root_union_becomes_one_object_and_tells_the_alternatives(keyword: str) -> None:
    schema = {
        keyword: [
            {
                "type": "object",
                "properties": {"id": {"type": "string"}, "x": {"type": "integer"}},
                "required": ["id", "x"],
            },
            {
                "type": "object",
                "properties": {"id": {"type": "string"}, "url": {"type": "string"}},
                "required": ["id", "url"],
            },
        ]
    }
    converted = convert(schema)
    served = converted.plain
    assert served["type"] == "object"
    assert set(served["properties"]) == {"id", "x", "url"}
    assert served["required"] == ["id"]
    assert keyword not in served
    assert "url" in served["description"]
    assert converted.strict is None
    assert converted.reason is not None
    full = convert(schema, "full")
    assert full.strict is not None
    args = {"id": "1", "url": "u"}
    assert full.codec.decode(full.codec.encode(args)) == args
    assert list(full.codec.encode(args)) == ["arguments"]


@pytest.mark.faults("S16")
def test_root_alternatives_that_only_require_keep_the_tool_strict() -> None:
    schema = {**tool(a={"type": "string"}, b={"type": "string"}), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert strict(schema)["description"] == "At least one of these holds: a given; b given."
    assert "anyOf" not in plain(schema)


@pytest.mark.faults("S18")
def test_a_root_condition_goes_from_the_schema_and_the_tool_stays() -> None:
    condition = {"if": {"properties": {"mode": {"const": "a"}}}, "then": {"required": ["mode"]}}
    schema = {**tool(mode={"type": "string"}), "allOf": [condition]}
    served = plain(schema)
    assert not {"allOf", "if", "then"} & set(served)
    assert "If it fits" in served["description"]
    assert "If it fits" in strict(schema)["description"]


@pytest.mark.faults("S18")
def test_what_only_a_condition_declares_is_offered() -> None:
    schema = {
        **tool("mode", mode={"enum": ["a", "b"]}),
        "allOf": [{"if": {"properties": {"mode": {"const": "a"}}}, "then": {"properties": {"x": {"type": "integer"}}}}],
    }
    assert convert(schema).strict is None
    assert plain(schema)["properties"]["mode"] == {"enum": ["a", "b"], "type": "string"}


@pytest.mark.faults("S19")
def test_a_root_that_is_no_object_is_mended_or_refused() -> None:
    assert plain({"anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}}]})["type"] == "object"
    assert plain({"properties": {"a": {"type": "string"}}})["type"] == "object"
    for wrong in ({"type": "array"}, {"type": "string"}, {"enum": [1, 2]}):
        with pytest.raises(SchemaError, match="object"):
            convert(wrong)


@pytest.mark.faults("S20", "S21", "S22", "S25b")
@pytest.mark.parametrize("keyword", ["$defs", "definitions"])
def test_definitions_travel_with_the_references_to_them(keyword: str) -> None:
    schema: Node = {
        **tool("e", e={"$ref": f"#/{keyword}/Edge"}),
        keyword: {"Edge": {"type": "object", "properties": {}}},
    }
    schema[keyword]["Edge"] = {"enum": ["round", "square"]}
    for served in (plain(schema), strict(schema)):
        assert served["properties"]["e"] == {"$ref": "#/$defs/Edge"}
        assert served["$defs"]["Edge"]["enum"] == ["round", "square"]
        assert "definitions" not in served


@pytest.mark.faults("S20")
@pytest.mark.parametrize("reference", ["#/$defs/Gone", "#/nowhere", "other.json", "http://example.com/x", "#anchor", 7])
def test_a_reference_that_leads_nowhere_refuses_the_tool(reference: Any) -> None:
    with pytest.raises(SchemaError) as refused:
        convert(tool(a={"type": "array", "items": {"$ref": reference}}))
    assert refused.value.pointer == "/properties/a/items"


@pytest.mark.faults("S23")
def test_a_reference_into_the_body_is_followed() -> None:
    child = {"$ref": "#/properties/node/properties/children/items"}
    node = {
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"type": "object", "properties": {"next": child}}}},
    }
    schema = tool("node", "same", node=node, same={"$ref": "#/properties/node"})
    served = strict(schema)
    assert served["properties"]["same"] == {"$ref": "#/$defs/node"}
    args: Node = {"node": {"children": [{"next": {"next": {}}}]}, "same": {}}
    codec = convert(schema).codec
    assert valid(served, codec.encode(args))
    assert codec.decode(codec.encode(args)) == args


@pytest.mark.faults("S24")
def test_a_recursive_type_stays_recursive() -> None:
    tree = {
        "type": "object",
        "properties": {"v": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
    }
    schema = {**tool("root", root={"$ref": "#/$defs/Tree"}), "$defs": {"Tree": {**tree, "required": ["v"]}}}
    served = strict(schema)
    json.dumps(served)
    decoded = convert(schema).codec.decode({"root": {"v": 1, "kids": [{"v": 2, "kids": None}]}})
    assert decoded == {"root": {"v": 1, "kids": [{"v": 2}]}}


@pytest.mark.faults("S24")
def test_the_root_may_refer_to_itself() -> None:
    schema = {"type": "object", "properties": {"v": {"type": "integer"}, "next": {"$ref": "#"}}, "required": ["v"]}
    decoded = convert(schema).codec.decode({"v": 1, "next": {"v": 2, "next": None}})
    assert decoded == {"v": 1, "next": {"v": 2}}
    assert lint(convert(schema).strict) == []


@pytest.mark.faults("S25")
def test_a_reference_with_a_description_keeps_it() -> None:
    schema = {
        **tool("c", "o", c={"$ref": "#/$defs/C", "description": "paint"}, o={"$ref": "#/$defs/O", "description": "it"})
    }
    schema["$defs"] = {
        "C": {"enum": ["red"], "description": "colour"},
        "O": {"type": "object", "properties": {"x": {"type": "string"}}},
    }
    served = strict(schema)["properties"]
    assert served["c"] == {"type": "string", "enum": ["red"], "description": "paint"}
    assert served["o"] == {"description": "it", "anyOf": [{"$ref": "#/$defs/O"}]}


@pytest.mark.faults("S26")
def test_type_lists_are_unions() -> None:
    served = strict(
        tool(
            "s",
            "m",
            s={"type": ["string", "null"]},
            m={"type": ["string", "integer", "array"], "items": {"type": "integer"}},
        )
    )
    assert served["properties"]["s"] == {"type": ["string", "null"]}
    assert served["properties"]["m"]["anyOf"] == [
        {"type": "string"},
        {"type": "integer"},
        {"type": "array", "items": {"type": "integer"}},
    ]


@pytest.mark.faults("S27")
def test_a_nullable_list_stays_a_list() -> None:
    cols = {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}
    for served in (plain(tool("cols", cols=cols)), strict(tool("cols", cols=cols))):
        assert served["properties"]["cols"] == cols


@pytest.mark.faults("S28")
def test_a_missing_type_is_what_the_other_keywords_show() -> None:
    served = plain(
        tool(a={"items": {"type": "string"}}, b={"properties": {"x": {"const": 3}}}, c={"enum": ["u", None]})
    )
    members = served["properties"]
    assert members["a"]["type"] == "array"
    assert members["b"]["type"] == "object"
    assert members["b"]["properties"]["x"]["type"] == "integer"
    assert members["c"]["type"] == ["string", "null"]


@pytest.mark.faults("S29")
@pytest.mark.parametrize(
    "tuple_",
    [
        {"type": "array", "items": [{"type": "number"}, {"type": "string"}], "additionalItems": False},
        {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}], "items": False},
        {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}], "maxItems": 2},
    ],
)
def test_tuples_are_prefix_items_plain_and_objects_in_full(tuple_: Node) -> None:
    schema = tool("p", p=tuple_)
    served = plain(schema)["properties"]["p"]
    assert [each["type"] for each in served["prefixItems"]] == ["number", "string"]
    assert not valid(plain(schema), {"p": [1, "x", 2]})
    assert isinstance(served["items"], dict)
    assert convert(schema).strict is None
    full = convert(schema, "full")
    for p in ([], [1.5], [1.5, "x"]):
        assert full.codec.decode(full.codec.encode({"p": p})) == {"p": p}
        assert valid(strict(schema, "full"), full.codec.encode({"p": p}))


@pytest.mark.faults("S30")
def test_enums_keep_their_types() -> None:
    schema = tool("n", "k", n={"enum": [1, 2, 3]}, k={"const": True})
    assert plain(schema)["properties"] == {
        "n": {"enum": [1, 2, 3], "type": "integer"},
        "k": {"const": True, "type": "boolean"},
    }
    assert strict(schema)["properties"] == {
        "n": {"type": "integer", "enum": [1, 2, 3]},
        "k": {"type": "boolean", "enum": [True]},
    }


KEYWORDS = [
    "title",
    "type",
    "default",
    "$schema",
    "$ref",
    "properties",
    "required",
    "items",
    "enum",
    "anyOf",
    "$defs",
    "description",
]


@pytest.mark.faults("S31", "S34")
@pytest.mark.parametrize("name", [*KEYWORDS, "order_ref", "config", "x/y", "~", "Ünï"])
def test_arguments_may_have_any_name(name: str) -> None:
    schema = tool(name, **{name: {"type": "string"}, "inner": tool(name, **{name: {"type": "integer"}})})
    for served in (plain(schema), strict(schema)):
        shown = next(iter(served["properties"]))
        assert shown == name or (shown in name.replace("$", "") or not re.fullmatch(r"[\w.-]+", name, re.ASCII))
        assert re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", shown)
        assert shown in served["required"]
    args = {name: "v", "inner": {name: 3}}
    codec = convert(schema).codec
    assert codec.decode(args) == codec.decode(codec.encode(args)) == args
    assert json.dumps(convert(schema).codec.decode({name: "v", "inner": None})) == json.dumps({name: "v"})


@pytest.mark.faults("S32")
def test_no_key_is_invented() -> None:
    schema = tool(
        "a", a={"type": "string", "description": "x"}, b={"type": "object", "properties": {"c": {"type": "integer"}}}
    )
    assert plain(schema) == schema


def test_draft_04_and_open_api_spellings_are_read() -> None:
    served = plain(
        tool(
            a={"type": "integer", "minimum": 0, "exclusiveMinimum": True},
            b={"type": "string", "nullable": True, "enum": ["x"]},
            c={"type": "string", "required": True},
        )
    )
    assert served["properties"]["a"] == {"type": "integer", "exclusiveMinimum": 0}
    assert served["properties"]["b"] == {"type": ["string", "null"], "enum": ["x", None]}
    assert served["required"] == ["c"]


@pytest.mark.parametrize("pattern", [r"^(?!-).*$", r"(?<=a)b", r"(?=x)"])
def test_look_around_goes_to_the_description(pattern: str) -> None:
    schema = tool("a", a={"type": "string", "pattern": pattern})
    for served in (plain(schema), strict(schema)):
        assert "pattern" not in served["properties"]["a"]
        assert pattern in served["properties"]["a"]["description"]


def test_malformed_keywords_are_mended_or_left_out() -> None:
    schema = tool(
        a={"type": "int", "minimum": "3", "enum": []},
        b={"type": "String", "minLength": -1, "description": 7},
        c={"type": "float", "multipleOf": 0},
    )
    served = strict(schema)["properties"]
    assert served == {
        "a": {"type": ["integer", "null"]},
        "b": {"type": ["string", "null"]},
        "c": {"type": ["number", "null"]},
    }


@pytest.mark.parametrize("wrong", ["x", 3, [1]])
def test_a_schema_that_is_none_refuses_the_tool(wrong: Any) -> None:
    with pytest.raises(SchemaError) as refused:
        convert(tool(a={"type": "array", "items": wrong} if not isinstance(wrong, list) else wrong))
    assert refused.value.pointer.startswith("/properties/a")


def test_a_converted_schema_travels_and_copies() -> None:
    converted = convert(tool("a", a={"anyOf": [tool(x={"type": "string"}), {"type": "string"}]}))
    args = {"a": {"x": None}}
    assert converted.codec.decode(args) == {"a": {}}
    for other in (pickle.loads(pickle.dumps(converted)), copy.deepcopy(converted)):
        assert other.strict == converted.strict
        assert other.codec.decode(args) == {"a": {}}
