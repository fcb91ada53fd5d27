"""Objects that take members they do not declare: maps, free objects, open ones."""

from __future__ import annotations

from toolgraft.schema.decode.steps import Step
from toolgraft.schema.full.steps import Pairs, Rest
from toolgraft.schema.full.text import json_text, refuse_unless_full
from toolgraft.schema.language import prose
from toolgraft.schema.language.keywords import types_in
from toolgraft.schema.language.pointers import Node, Path
from toolgraft.schema.strict.builder import Builder
from toolgraft.schema.strict.parts import Built, closed, nullable, unused
from toolgraft.schema.strict.records import build_record
from toolgraft.schema.strict.scalars import scalar, tell


def build_open(builder: Builder, node: Node, path: Path, *, root: bool) -> Built:
    """Build an object that takes members it does not declare."""
    others = node.get("additionalProperties", {})
    by_pattern = node.get("patternProperties", {})
    if "unevaluatedProperties" in node and "additionalProperties" not in node:
        others = node["unevaluatedProperties"]
    if not node.get("properties") and not node.get("required") and not root:
        refuse_unless_full(builder, path, "is an object with any members" if not others else "is a map")
        return _map(builder, node, path, others, by_pattern)
    if not root or by_pattern or not node.get("properties"):
        refuse_unless_full(builder, path, "says that it takes members it does not declare")
    return _with_rest(builder, node, path, others, by_pattern)


def _map(builder: Builder, node: Node, path: Path, others: Node | bool, by_pattern: dict[str, Node]) -> Built:
    built = _pairs(builder, node, path, others, by_pattern)
    if built is None:
        return builder.text(node, path, "")
    out, step = built
    tell(out, {key: value for key, value in node.items() if key != "propertyNames"}, frozenset(), "object")
    note = "A map: each item is one member, no key twice."
    out["description"] = prose.said(out.get("description", ""), [note])
    return out, step


def _pairs(
    builder: Builder, node: Node, path: Path, others: Node | bool, by_pattern: dict[str, Node]
) -> tuple[Node, Step] | None:
    """A map as an array of pairs; None where its members have no one shape."""
    key: Node = {"type": "string"}
    value_path: Path
    names = builder.normal.target(node.get("propertyNames", {}))
    if by_pattern:
        if others is not False or len(by_pattern) != 1 or names:
            return None
        (pattern, member), where = next(iter(by_pattern.items())), "patternProperties"
        key, value_path = scalar({"type": "string", "pattern": pattern}, "string"), ((path, where), pattern)
    elif isinstance(others, bool) or not others:
        return None
    else:
        member, value_path = others, (path, "additionalProperties")
        if names and not set(types_in(names)) - {"string"}:
            key, _ = builder.node({**names, "type": "string"}, (path, "propertyNames"))
    builder.level += 1
    value, step = builder.node(member, value_path)
    builder.level -= 1
    return {"type": "array", "items": closed({"key": key, "value": value})}, Pairs(step)


def _with_rest(builder: Builder, node: Node, path: Path, others: Node | bool, by_pattern: dict[str, Node]) -> Built:
    undeclared = [name for name in node.get("required", ()) if name not in node.get("properties", {})]
    unknown: Node = others if isinstance(others, dict) and not by_pattern else {}
    declared = {**node.get("properties", {}), **dict.fromkeys(undeclared, unknown)}
    whole = {**node, "properties": declared}
    whole.pop("patternProperties", None)
    out, record = build_record(builder, whole, path)
    name = unused("additional_properties", declared)
    pairs = _pairs(builder, {}, path, others, by_pattern)
    hint: Node = {key: node[key] for key in ("additionalProperties", "patternProperties") if node.get(key)}
    schema, step = pairs or json_text(builder, {"type": "object", **hint})
    schema["description"] = prose.said("Further members; null for none.", [schema.get("description", "")]).rstrip()
    out["properties"][name] = nullable(schema)
    out["required"].append(name)
    return out, Rest(record, frozenset(declared), name, step)
