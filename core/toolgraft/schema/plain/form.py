"""The plain form: a schema that every provider takes without strict mode, and that loses no meaning.

- The root is an object with `properties`, and has no union, `enum`, condition or `not` of its own; root unions
  become one object that takes what any alternative takes, and the alternatives are told.
- Every array has `items`, every object has `properties`; an object without declared members says that it is open.
  Nothing is closed that the server left open.
- Patterns with look-around, which providers refuse for the whole request, are told in the description.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from toolgraft.schema.language import patterns, prose
from toolgraft.schema.language.keywords import ANNOTATIONS, is_list, is_object, types_in
from toolgraft.schema.language.members import member_names
from toolgraft.schema.language.pointers import Node
from toolgraft.schema.read.closing import UNEVALUATED
from toolgraft.schema.read.merge import IMPOSSIBLE, intersect
from toolgraft.schema.read.normal import Normal
from toolgraft.schema.read.openness import takes_no_arguments
from toolgraft.schema.validation.relaxed import made_room_for

_UNIONS = ("anyOf", "oneOf")
_ROOT_KEEPS = ANNOTATIONS | {"type", "properties", "required", "additionalProperties", "patternProperties"}
_ROOT_TELLS = frozenset({"default", "examples", "example", "deprecated"})
_ROOT_MAPS = ("additionalProperties", "patternProperties")
_ROOT_SAYS_NOTHING = _ROOT_KEEPS - _ROOT_TELLS - {"patternProperties"}
_BRANCHES = ("if", "then", "else")
_DECLARES_ALL = ANNOTATIONS | {"type", "properties", "required", "not", "minProperties", "maxProperties"}
_MANY = ("anyOf", "oneOf", "allOf", "prefixItems")
_ONE = ("not", "if", "then", "else", "propertyNames", "contains", "unevaluatedProperties", "unevaluatedItems")
_NAMED = ("patternProperties", "dependentSchemas")
_SPECIAL = frozenset(
    {"properties", "items", "additionalProperties", "pattern", "enum", "default", "const", "examples", "example"}
    | {*_MANY, *_ONE, *_NAMED}
)


def plain_form(normal: Normal) -> Node:
    """Give the plain form of a normal schema, new to the last node."""
    root, defs = object_root(normal), normal.defs
    if normal.negates:  # patterns and members that are not offered must not make alternatives overlap
        root = made_room_for({**root, "$defs": defs}, _not_offered)
        defs = root.pop("$defs")
    served = _root(_node(root), normal.root)
    if defs:
        served["$defs"] = {name: _node(node) for name, node in defs.items()}
    return served


def _not_offered(key: str, value: Any) -> bool:
    if key in UNEVALUATED:  # an open object or array within what they speak of takes what they would refuse
        return True
    if key == "pattern":
        return not patterns.everywhere(value)
    return key == "properties" and IMPOSSIBLE in cast(Node, value).values()


def object_root(normal: Normal) -> Node:
    """The root without unions and conditions of its own: one object that takes what any alternative takes."""
    given = root = normal.root
    if root.keys() <= _ROOT_SAYS_NOTHING and not root.get("additionalProperties"):
        return root
    told: list[str] = []
    closing = _unevaluated(root, normal)
    if "unevaluatedProperties" in root:
        if not closing:
            told += _told_of_others(root["unevaluatedProperties"], "members", normal.defs)
        root = {key: value for key, value in root.items() if key != "unevaluatedProperties"}
    offering: list[Node] = []
    for keyword in _UNIONS:
        if keyword in root:
            variants = [normal.target(variant) for variant in root[keyword]]
            variants = [each for each in variants if each != IMPOSSIBLE and _may_be_object(each)]
            if variants:
                told.append(prose.alternatives(root[keyword], keyword == "oneOf"))
                root = _united(root, variants)
                offering += variants
    for member in root.get("allOf", ()):
        root = _joined(root, normal.target(member))
    offering += _conditional(root, normal, closed=bool(closing))
    root = _offered(root, offering, otherwise=closing.get("additionalProperties"))
    told += prose.notes(root, root.keys() - _ROOT_KEEPS - set(_UNIONS) | _ROOT_TELLS)
    kept = {key: value for key, value in root.items() if key in _ROOT_KEEPS} | closing
    told += _told_of_maps(kept, normal.defs)
    offered = member_names({key: value for key, value in kept.items() if key not in _ROOT_MAPS}, normal.defs)
    wanting = [name for name in member_names(given, normal.defs) if name not in offered]
    told += filter(None, [prose.further_members(prose.left_out(wanting, " ".join(told)))])
    return {**kept, "description": prose.said(kept.get("description", ""), told)} if told else kept


def _unevaluated(root: Node, normal: Normal) -> Node:
    """What the root says of members that none of its parts declares, where no part takes any."""
    if "unevaluatedProperties" not in root or "additionalProperties" in root:
        return {}
    parts = [part for keyword in (*_UNIONS, "allOf") for part in root.get(keyword, ())]
    parts += [root[keyword] for keyword in _BRANCHES if keyword in root]
    parts += root.get("dependentSchemas", {}).values()
    if any(not _DECLARES_ALL.issuperset(normal.target(part)) for part in parts):
        return {}
    return {"additionalProperties": root["unevaluatedProperties"]}


def _united(root: Node, variants: list[Node]) -> Node:
    """What all alternatives require is required; what one leaves open is."""
    needed = set[str](variants[0].get("required", ())).intersection(*(each.get("required", ()) for each in variants))
    united = dict(root)
    if required := [*root.get("required", ()), *sorted(needed - set(root.get("required", ())))]:
        united["required"] = required
    if "additionalProperties" not in root and any(each.get("additionalProperties") for each in variants):
        united["additionalProperties"] = {}
    return united


def _told_of_others(schema: Any, what: str, defs: Node | None = None) -> list[str]:
    """Say of a schema for what nothing else speaks of what it takes."""
    if schema is False:
        return [f"No other {what}."]
    return [f"Other {what}: {prose.schema_text(schema, defs=defs)}."] if schema else []


def _told_of_maps(root: Node, defs: Node) -> list[str]:
    """Say of arguments without names of their own what they are: many packages drop that at the root."""
    told: list[str] = []
    if root.get("patternProperties"):
        told.append(f"Arguments by name pattern: {prose.part_text(root, 'patternProperties', defs=defs)}.")
    if root.get("additionalProperties"):
        told.append(f"Other arguments, each: {prose.part_text(root, 'additionalProperties', defs=defs)}.")
    return told


def _conditional(root: Node, normal: Normal, *, closed: bool) -> list[Node]:
    """Schemas that hold under a condition, or are one: where the rest is closed, members may be theirs alone."""
    if root.get("additionalProperties") is False:
        return []
    branches = ("if", "then", "else") if closed else ("then", "else")
    found = [root[branch] for branch in branches if branch in root]
    return [normal.target(each) for each in (*found, *root.get("dependentSchemas", {}).values())]


def _offered(root: Node, parts: list[Node], otherwise: Any) -> Node:
    """Members that only some parts declare are offered too, as any of these, or what holds otherwise, has them."""
    told_of: dict[str, list[Node]] = {}
    for each in parts:
        for name, member in each.get("properties", {}).items():
            told_of.setdefault(name, []).append(member)
    if not told_of:
        return root
    members: Node = dict(root.get("properties", {}))
    for name, schemas in told_of.items():
        members.setdefault(name, _either([*schemas, otherwise] if otherwise else schemas))
    return {**root, "properties": members}


def _may_be_object(variant: Node) -> bool:
    return not types_in(variant) or "object" in types_in(variant)


def _either(schemas: list[Node]) -> Node:
    # by their text, since to Python 1 is True
    distinct = list({prose.whole_text_of(schema): schema for schema in schemas}.values())
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}


def _joined(root: Node, other: Node) -> Node:
    """Add what another schema that also applies declares, where that is exact; else its members, as they are."""
    declared: Node = {key: other[key] for key in ("properties", "required") if key in other}
    merged = intersect([root, declared], lambda link: None)
    if merged is not None:
        return {**merged, **{key: value for key, value in root.items() if key in _UNIONS}}
    members: Node = {**declared.get("properties", {}), **root.get("properties", {})}
    closed: Node = {"additionalProperties": {}} if root.get("additionalProperties") is False else {}
    return {**root, "properties": members, **closed}


def _root(served: Node, root: Node) -> Node:
    served["type"] = "object"
    if root.get("properties") == {} and takes_no_arguments(root):
        served.pop("additionalProperties", None)  # nothing said of others: neither do we
    served.setdefault("properties", {})
    return served


def _node(node: Node) -> Node:
    kind = node.get("type")
    if _SPECIAL.isdisjoint(node):
        out = dict(node)
    else:
        out = {key: _COPY[key](value) if key in _COPY else value for key, value in node.items()}
    if "pattern" in node and not patterns.everywhere(node["pattern"]):
        del out["pattern"]
        out["description"] = prose.said(out.get("description", ""), prose.notes(node, ("pattern",)))
    if type(kind) is list:
        out["type"] = list(cast(list[str], kind))
    if kind not in _SCALARS:
        _open(out, node)
    return out


_SIMPLE = frozenset({"type", "description"})
_SCALARS = ("string", "number", "integer", "boolean", "null")


def _open(out: Node, node: Node) -> None:
    """Write down what objects and arrays leave implicit, since providers and later steps guess."""
    kinds = types_in(node)
    if "object" in kinds:
        if not out.get("properties"):
            out["properties"] = {}
            if "unevaluatedProperties" not in node:
                out.setdefault("additionalProperties", True)
        if out.get("additionalProperties") == {}:
            out["additionalProperties"] = True
    if "array" in kinds:
        if node.get("items") is False:
            counts = (len(node.get("prefixItems", ())), node.get("maxItems"))
            out["maxItems"] = min(count for count in counts if count is not None)
            out["items"] = {}
        if "unevaluatedItems" in out:  # beside `items` it says nothing
            told = _told_of_others(out.pop("unevaluatedItems"), "items")
            out["description"] = prose.said(out.get("description", ""), told)
        out.setdefault("items", {})


def copied(value: Any) -> Any:
    """A deep copy of a JSON value."""
    if is_list(value):
        return [copied(inner) if isinstance(inner, list | dict) else inner for inner in value]
    if is_object(value):
        return {key: copied(inner) if isinstance(inner, list | dict) else inner for key, inner in value.items()}
    return value


def _rest(value: Any) -> Any:
    return value if value is False else _node(value)


def _members(value: Node) -> Node:
    """Declared members; one that may never be given is not offered."""
    return {
        name: dict(each) if each.keys() <= _SIMPLE and each.get("type") in _SCALARS else _node(each)
        for name, each in value.items()
        if each != IMPOSSIBLE
    }


def _listed(value: list[Node]) -> list[Node]:
    return [_node(each) for each in value]


def _by_name(value: Node) -> Node:
    return {name: _node(each) for name, each in value.items()}


_COPY: dict[str, Callable[[Any], Any]] = {
    "properties": _members,
    "items": _rest,
    "additionalProperties": _rest,
    "unevaluatedProperties": _rest,
    "unevaluatedItems": _rest,
    **dict.fromkeys(("required", "enum", "default", "const", "examples", "example", "dependentRequired"), copied),
    **dict.fromkeys(("propertyNames", "contains", "not", "if", "then", "else"), _node),
    **dict.fromkeys(_MANY, _listed),
    **dict.fromkeys(_NAMED, _by_name),
}
