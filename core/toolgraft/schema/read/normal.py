"""One spelling: whatever dialect a schema is written in, every later room reads the same few forms.

What a normal schema is:

- 2020-12 keywords only (draft-04 bounds, boolean `required`, `definitions`, list `items`, `dependencies`,
  OpenAPI's `nullable` rewritten); no dialect keywords; malformed keyword values mended or left out.
- `$ref` points to `#/$defs/<name>` and has annotations beside it at most.
- `type` is there wherever it follows from the other keywords.
- `allOf` is merged wherever that is exact; what is left in an `allOf` cannot be merged.

Nothing is narrowed on the way. The input is read, never changed; parts of it are shared by the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from toolgraft.errors import SchemaError
from toolgraft.schema.language import prose
from toolgraft.schema.language.keywords import ANNOTATIONS, CONSTRAINING, LEGACY_DIALECTS, TAKEN_NAME, TYPES, types_in
from toolgraft.schema.language.limits import Budget, measure
from toolgraft.schema.language.pointers import Node, Path, pointer
from toolgraft.schema.read import keyword_values, merge
from toolgraft.schema.read.closing import CLOSING, UNEVALUATED, closed
from toolgraft.schema.read.mending import MEANS_NULL, listed, says_nothing
from toolgraft.schema.read.recursion import MAX_HOPS, PREFIX, refuse_endless
from toolgraft.schema.read.references import REFERENCE_KEYWORDS, References, Target, nodes_in


@dataclass(frozen=True, slots=True)
class Normal:
    """A schema in its one spelling.

    Attributes:
        root: The arguments' schema; its `type` is "object".
        defs: What references point to, by name.
        origin: Where each of `defs` stands in the schema as sent, as JSON pointers.
        negates: Whether something is refused because something else fits: there is a `oneOf`, `not` or `if`.
        refused_names: Whether there is a name of a member that some provider refuses.
    """

    root: Node
    defs: dict[str, Node]
    origin: dict[str, str]
    negates: bool
    refused_names: bool

    def target(self, node: Node) -> Node:
        """Follow references; they never lead back."""
        while "$ref" in node:
            node = self.defs[node["$ref"][len(PREFIX) :]]
        return node


def normalise(schema: Mapping[str, Any]) -> Normal:
    """Give a schema in its one spelling.

    Raises:
        SchemaError: It is not JSON, too large, not of an object, or a reference in it leads nowhere.
    """
    if not isinstance(cast(object, schema), Mapping):
        raise SchemaError(f"a tool's schema is an object, not {type(schema).__name__}")
    measure(schema)
    return _Normaliser(dict(schema)).run()


class _Normaliser:
    def __init__(self, raw: Node) -> None:
        self.raw = raw
        self.resource = raw
        self.references = References(raw)
        self.budget = Budget()
        self.defs: dict[str, Node] = {}
        self.origin: dict[str, str] = {}
        self.waiting: dict[str, Target] = {}
        self.open: set[str] = set()
        self.negates = False
        self.refused_names = False
        dialect = raw.get("$schema")
        self.legacy = isinstance(dialect, str) and any(name in dialect for name in LEGACY_DIALECTS)

    @cached_property
    def speaks_of_others(self) -> bool:
        """Whether something may speak of members that no schema within it declares."""
        return any("unevaluatedProperties" in node for node, _ in nodes_in(self.raw))

    def run(self) -> Normal:
        root = self.node(self.raw, "")
        while self.waiting:
            name = next(iter(self.waiting))
            self.define(name, self.waiting.pop(name))
        refuse_endless(root, self.defs)
        return Normal(self.rooted(root), self.defs, self.origin, self.negates, self.refused_names)

    def define(self, name: str, target: Target) -> Node | None:
        """Normalise what a reference points to; None while that is under way."""
        if name in self.defs:
            return self.defs[name]
        if name in self.open:
            return None
        if len(self.open) > MAX_HOPS:
            raise SchemaError("references lead on and on", pointer=target.pointer)
        self.open.add(name)
        outer, self.resource = self.resource, target.resource
        self.origin[name] = target.pointer
        self.defs[name] = self.node(target.schema, target.pointer)
        self.resource = outer
        self.open.discard(name)
        return self.defs[name]

    def node(self, raw: Any, path: Path) -> Node:
        if not isinstance(raw, dict):
            if isinstance(raw, bool):
                return {} if raw else dict(merge.IMPOSSIBLE)
            if says_nothing(raw):
                return {}
            raise SchemaError(f"a schema is an object or a boolean, not {type(raw).__name__}", pointer=pointer(path))
        node = cast(Node, raw)
        if node.keys() <= _SIMPLE and node.get("type") in _SIMPLE_TYPES and _is_told(node):
            return node  # by far the most common node; nothing to respell
        self.budget.spend(path)
        if "$id" in node and node is not self.raw and isinstance(node["$id"], str) and node["$id"][:1] != "#":
            outer, self.resource = self.resource, node
            out = self.keywords(node, path)
            self.resource = outer
            return out
        return self.keywords(node, path)

    def keywords(self, raw: Node, path: Path) -> Node:
        out: Node = {}
        for key, value in raw.items():
            if key == "description" and type(value) is str:
                out[key] = value
            elif key == "type":
                if type(value) is str and value in TYPES:
                    out[key] = value
                elif (kind := keyword_values.types(value)) is not None:
                    out["type"] = kind
            elif value is None and key not in MEANS_NULL:
                continue
            elif (rule := _RULES.get(key)) is not None:
                rule(self, out, key, value, path)
            elif key not in _DROPPED and ((check := keyword_values.WELL_FORMED.get(key)) is None or check(value)):
                out[key] = value
        if not _LATER.isdisjoint(raw):
            out = self.later(out, raw, path)
        if not CLOSING.isdisjoint(out):
            out = closed(out, self.look_up, looked_into=self.speaks_of_others)
            self.refused_names |= not all(map(TAKEN_NAME.fullmatch, out.get("properties", ())))
        return out if "type" in out else _typed(out)

    def later(self, out: Node, raw: Node, path: Path) -> Node:
        """Keywords whose meaning depends on those beside them."""
        for bound, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if raw.get(bound) is True and limit in out:
                out[bound] = out.pop(limit)
        if "additionalItems" in raw and isinstance(raw.get("items"), list):
            _rest(self, out, "items", raw["additionalItems"], (path, "additionalItems"))
        if "enum" in raw and (chosen := keyword_values.choices(listed(raw["enum"]), types_in(out))) is not None:
            if not chosen:  # the type allows none of them: the values are what the author wanted
                chosen = keyword_values.distinct(listed(raw["enum"]))
                out["type"] = keyword_values.types_of(chosen)
            out["enum"] = chosen
        if raw.get("nullable") is True:
            out = _nullable(out)
        for leader, led in _LED.items():
            if leader not in out:
                for keyword in led:
                    out.pop(keyword, None)
        links = [self.link(raw[each], path) for each in REFERENCE_KEYWORDS if raw.get(each) is not None]
        if links and (self.legacy or ("allOf" not in raw and len(links) == 1 and CONSTRAINING.isdisjoint(out))):
            return links[0] | {key: value for key, value in out.items() if key in ANNOTATIONS}
        members = cast(list[Any], raw["allOf"]) if isinstance(raw.get("allOf"), list) else []
        parts = [*links, *(self.node(each, ((path, "allOf"), i)) for i, each in enumerate(members))]
        return self.together(out, parts, path) if parts else out

    def link(self, reference: object, path: Path) -> Node:
        """A reference in its one spelling, or what it stands for where that is a boolean."""
        target = self.references.resolve(reference, self.resource, path)
        if isinstance(target.schema, bool):
            return {} if target.schema else dict(merge.IMPOSSIBLE)
        name = self.references.name(target)
        self.wait(name, target)
        return {"$ref": PREFIX + name}

    def together(self, out: Node, parts: list[Node], path: Path) -> Node:
        """A node and schemas that hold as well, as one schema where that is exact, else beside an `allOf`."""
        self.budget.spend(path, len(parts))
        out = _typed(out)
        left = {key: out.pop(key) for key in UNEVALUATED if key in out}  # they speak of what all parts leave over
        merged = merge.intersect([*parts, out], self.look_up)
        if left and merged is not None:
            merged = merge.followed(merged, self.look_up)
        if merged is None:
            return {**out, **left, "allOf": parts}
        self.budget.spend(path, len(merged.get("properties", ())))
        for keyword, value in left.items():
            if keyword not in merged and UNEVALUATED[keyword] not in merged:
                merged[keyword] = value
        if "description" not in out and len(told := self.descriptions(parts)) > 1:
            merged["description"] = prose.said("", told)
        return merged

    def descriptions(self, parts: list[Node]) -> list[str]:
        """What each of some schemas says of itself, each once."""
        wholes = [merge.followed(part, self.look_up) or part for part in parts]
        return list(dict.fromkeys(each["description"] for each in wholes if each.get("description")))

    def wait(self, name: str, target: Target) -> None:
        if name not in self.defs and name not in self.open:
            self.waiting.setdefault(name, target)

    def look_up(self, link: Node) -> Node | None:
        """What a normal reference stands for, to be merged; None while that is under way."""
        name = link["$ref"][len(PREFIX) :]
        if name not in self.defs and name in self.waiting:
            return self.define(name, self.waiting[name])
        return self.defs.get(name)

    def rooted(self, root: Node) -> Node:
        """The root as an object, whatever it was."""
        hops = 0
        while "$ref" in root and hops <= len(self.defs):
            beside = {key: value for key, value in root.items() if key != "$ref"}
            root, hops = {**self.defs[root["$ref"][len(PREFIX) :]], **beside}, hops + 1
        kinds = types_in(root)
        if kinds and "object" not in kinds:
            raise SchemaError(f"the arguments of a tool are an object, not {' or '.join(kinds)}")
        return {"type": "object", **root, **({"type": "object"} if kinds != ("object",) else {})}


def _is_told(node: Node) -> bool:
    """Whether title and description are text."""
    return isinstance(node.get("description", ""), str) and isinstance(node.get("title", ""), str)


def _split(node: Node) -> tuple[Node, Node]:
    """Annotations, and the rest."""
    said = {key: value for key, value in node.items() if key in ANNOTATIONS}
    return said, {key: value for key, value in node.items() if key not in ANNOTATIONS}


def _typed(out: Node) -> Node:
    """Write down the type that the other keywords show."""
    if "type" in out or "$ref" in out:
        return out
    if "const" in out:
        out["type"] = keyword_values.types_of([out["const"]])
    elif "enum" in out:
        out["type"] = keyword_values.types_of(out["enum"])
    elif not _OBJECT_MARKS.isdisjoint(out):
        out["type"] = "object"
    elif not _ARRAY_MARKS.isdisjoint(out):
        out["type"] = "array"
    return out


def _nullable(out: Node) -> Node:
    """OpenAPI 3.0's `nullable`, as a type."""
    if kinds := types_in(_typed(out)):
        out["type"] = [*kinds, *(() if "null" in kinds else ("null",))]
        if "enum" in out and None not in out["enum"]:
            out["enum"] = [*out["enum"], None]
        return out
    said, constraints = _split(out)
    return {**said, "anyOf": [constraints, {"type": "null"}]} if constraints else out


def _one(normaliser: _Normaliser, out: Node, key: str, value: Any, path: Path) -> None:
    if key in ("not", "if"):
        if says_nothing(value):
            return
        normaliser.negates = True
    out[key] = normaliser.node(value, (path, key))


def _rest(normaliser: _Normaliser, out: Node, key: str, value: Any, path: Path) -> None:
    """What may follow the declared members: False for nothing, else a schema."""
    out[key] = False if value is False else normaliser.node(value, (path, key))


def _many(normaliser: _Normaliser, out: Node, key: str, value: Any, path: Path) -> None:
    normaliser.negates |= key == "oneOf"
    parts = cast(list[Any], value) if isinstance(value, list) else []
    if key in _UNIONS:
        parts = [each for each in parts if each is not None]
    if parts:
        out[key] = [normaliser.node(each, ((path, key), i)) for i, each in enumerate(parts)]


def _named(normaliser: _Normaliser, out: Node, key: str, value: Any, path: Path) -> None:
    if says_nothing(value):
        return
    if not isinstance(value, dict):
        raise SchemaError(f"'{key}' is not an object", pointer=pointer((path, key)))
    inside: Path = (path, key)
    node = normaliser.node
    out[key] = {name: node(each, (inside, name)) for name, each in cast(Node, value).items() if each is not None}


def _properties(normaliser: _Normaliser, out: Node, key: str, value: Any, path: Path) -> None:
    _named(normaliser, out, key, value, path)
    if key not in out:
        return
    if not all(map(TAKEN_NAME.fullmatch, out[key])):
        normaliser.refused_names = True
    # draft-03 and many authors say `required: true` inside the member
    marked = [
        name for name, each in value.items() if isinstance(each, dict) and cast(Node, each).get("required") is True
    ]
    if marked:
        out["required"] = keyword_values.names([*out.get("required", []), *marked])


def _required(normaliser: _Normaliser, out: Node, key: str, value: Any, path: Path) -> None:
    if names := listed(value):
        out[key] = keyword_values.names([*out.get(key, []), *names])
        declared = out.get("properties", ())
        if not all(name in declared or TAKEN_NAME.fullmatch(name) for name in out[key]):
            normaliser.refused_names = True


def _items(normaliser: _Normaliser, out: Node, key: str, value: Any, path: Path) -> None:
    if isinstance(value, list):  # draft-07's tuple
        if places := cast(list[Any], value):
            out["prefixItems"] = [normaliser.node(each, ((path, key), i)) for i, each in enumerate(places)]
    else:
        _rest(normaliser, out, key, value, path)


def _dependencies(normaliser: _Normaliser, out: Node, key: str, value: Any, path: Path) -> None:
    """Draft-07's one keyword for what became two."""
    if not isinstance(value, dict):
        return
    for name, each in cast(Node, value).items():
        if isinstance(each, list):
            out.setdefault("dependentRequired", {})[name] = keyword_values.names(cast(object, each))
        else:
            out.setdefault("dependentSchemas", {})[name] = normaliser.node(each, ((path, key), name))


def _dependent_required(normaliser: _Normaliser, out: Node, key: str, value: Any, path: Path) -> None:
    if isinstance(value, dict):
        found = {name: keyword_values.names(each) for name, each in cast(Node, value).items()}
        out[key] = {**out.get(key, {}), **found}


_UNIONS = ("anyOf", "oneOf")
_Rule = Callable[[_Normaliser, Node, str, Any, Path], None]

_RULES: dict[str, _Rule] = {
    "properties": _properties,
    "required": _required,
    "items": _items,
    "dependencies": _dependencies,
    "dependentRequired": _dependent_required,
    **dict.fromkeys(("patternProperties", "dependentSchemas"), _named),
    **dict.fromkeys(("anyOf", "oneOf", "prefixItems"), _many),
    **dict.fromkeys(("propertyNames", "contains", "not", "if", "then", "else"), _one),
    **dict.fromkeys(("additionalProperties", "unevaluatedProperties", "unevaluatedItems"), _rest),
}

_DROPPED = frozenset(
    {"$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$comment"}
    | {"$defs", "definitions", "nullable", "enum", "allOf", "additionalItems", *REFERENCE_KEYWORDS}
)
_LED = {"if": ("then", "else"), "contains": ("minContains", "maxContains")}
"""Keywords without which others mean nothing."""

_LATER = frozenset(
    {"exclusiveMinimum", "exclusiveMaximum", "enum", "nullable", "allOf", "additionalItems", *REFERENCE_KEYWORDS}
    | {"then", "else", "minContains", "maxContains"}
)
_SIMPLE = frozenset({"type", "description", "default", "title"})
_SIMPLE_TYPES = ("string", "integer", "boolean", "number", "null")
_OBJECT_MARKS = frozenset({"properties", "additionalProperties", "patternProperties", "propertyNames"})
_ARRAY_MARKS = frozenset({"items", "prefixItems"})
