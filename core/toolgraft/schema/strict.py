"""The strict form: what OpenAI's strict mode takes, and the steps that undo what was re-drawn for it.

Natural keeps the author's shape:

- Objects are closed and require all members. An optional member also takes null; on the way back that null is
  dropped, unless the server takes null there. Where it does, absent and null are told apart: if the schema says
  `default: null`, null is sent, since it is what absence means; else null is sent as null, and the member also
  takes the object `{"omit": "yes"}`, which is dropped.
- `oneOf` becomes `anyOf`; exclusivity is left to the check before the call. Several types become an `anyOf`.
- Constraints beyond the documented subset, defaults and examples are told in the description.

Full also re-draws what the subset cannot say (see `redraw`). What neither can do is refused with a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolgraft.schema import patterns, prose, redraw, unions
from toolgraft.schema.circles import PREFIX
from toolgraft.schema.drawing import (
    OMISSION,
    Draw,
    Manner,
    NotStrictError,
    closed,
    described,
    nullable,
    unused,
    widened,
)
from toolgraft.schema.keywords import ANY_TYPE, CONSTRAINTS, SCALARS, admits, types_in
from toolgraft.schema.lint import FORMATS, LARGE_ENUM
from toolgraft.schema.merge import CONSTRAINT_ONLY, IMPOSSIBLE
from toolgraft.schema.normal import Normal
from toolgraft.schema.nulls import NullTaken
from toolgraft.schema.steps import Items, Member, Named, Plan, Record, Step, has_effect
from toolgraft.schema.walk import Budget, Node, Path


def draw(normal: Normal, manner: Manner, budget: Budget | None = None) -> tuple[Node, Plan]:
    """Give the strict form of a schema and what undoes it.

    Raises:
        NotStrictError: A place cannot be drawn.
        SchemaError: The budget is spent.
    """
    return Drawer(normal, manner, budget or Budget()).run()


class Drawer:
    """Draws one schema."""

    def __init__(self, normal: Normal, manner: Manner, budget: Budget) -> None:
        self.normal = normal
        self.manner = manner
        self.budget = budget
        self.takes_null = NullTaken(normal)
        self.texts: dict[str, str] = {}
        self.defs: dict[str, Node] = {}
        self.named: dict[str, Step | None] = {}
        self.waiting: list[str] = []
        self.unions: list[unions.Pending] = []
        self.omitted: str | None = None
        self.level = 0

    def run(self) -> tuple[Node, Plan]:
        """Draw the root and all that it refers to."""
        schema, step = redraw.root(self, self.normal.root)
        while self.waiting:
            name = self.waiting.pop(0)
            self.level = 0
            drawn, inner = self.node(self.normal.defs[name], self.normal.origin[name])
            self.defs[name], self.named[name] = drawn, inner
        alive = unions.settle(self)
        if self.defs:
            schema["$defs"] = self.defs
        return schema, Plan(step if step is not None and has_effect(step, alive) else None, self.named)

    def node(self, node: Node, path: Path) -> Draw:
        """Draw one node."""
        kind = node.get("type")
        if kind in _SCALAR_LIST and _COMPLEX.isdisjoint(node):
            return self.scalar(node, kind), None
        self.budget.spend(path)
        if self.manner.as_text and redraw.is_textual(self.manner.as_text, path):
            return self.text(node, path, "")
        if "$ref" in node:
            return self.reference(node, path)
        if node.get("not") == {}:
            raise NotStrictError(path, "nothing fits here")
        if "anyOf" in node or "oneOf" in node:
            return unions.union(self, node, path)
        if (obstacle := self.obstacle(node, path)) is not None:
            if not self.manner.full:
                raise obstacle
            return self.text(node, path, obstacle.sentence)
        if not isinstance(kind, str):
            return unions.several(self, node, types_in(node), path) if kind else redraw.anything(self, node, path)
        if kind in SCALARS:
            return self.enumerated(node, kind, path)
        if self.level >= self.manner.levels:
            return self.text(node, path, "is nested too deep")
        if "enum" in node or "const" in node:
            return self.text(node, path, "has a fixed object or array as value")
        self.level += 1
        try:
            return self.array(node, path) if kind == "array" else self.object_(node, path)
        finally:
            self.level -= 1

    def obstacle(self, node: Node, path: Path) -> NotStrictError | None:
        """Conditions are told and checked; those that declare members of their own cannot be."""
        if _CONDITIONS.isdisjoint(node):
            return None
        for keyword in sorted(_CONDITIONS & node.keys()):
            held: Any = node[keyword]
            parts: list[Node] = held if keyword == "allOf" else [held]
            if keyword == "dependentSchemas":
                parts = list(held.values())
            if keyword == "allOf" and any(not part.keys() <= CONSTRAINT_ONLY for part in parts):
                return NotStrictError((path, "allOf"), "several schemas must hold that cannot be merged into one")
            for name in (name for part in parts for name in _declared(part, self.normal)):
                if name not in node.get("properties", {}):
                    return NotStrictError((path, keyword), f"a condition declares the member '{name[:100]}'")
        return None

    def text(self, node: Node, path: Path, sentence: str) -> Draw:
        """Draw a place as JSON text, where the manner allows that."""
        return redraw.text(self, node, path, sentence)

    def told(self, name: str, longest: int) -> str:
        """The beginning of a definition's text, of one character more than asked for where there is more."""
        if name not in self.texts:
            self.texts[name] = prose.whole_text_of(self.normal.defs[name])[: longest + 1]
        return self.texts[name]

    def reference(self, node: Node, path: Path) -> Draw:
        """Draw a reference: kept; small values that are described here are put in place."""
        name = node["$ref"][len(PREFIX) :]
        target = self.normal.target(node)
        if len(node) > 1 and target.get("type") in _SCALAR_LIST and len(target.get("enum", ())) <= 20:
            inline = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
            return self.node(inline, path)
        if name not in self.named:
            self.named[name] = None
            self.waiting.append(name)
        link: Node = {"$ref": PREFIX + name}
        told = prose.said(node.get("description", ""), prose.notes(node, _TOLD))
        return ({"description": told, "anyOf": [link]} if told else link), Named(name)

    def scalar(self, node: Node, kind: str) -> Node:
        """Draw a string, number, boolean or null."""
        if node.keys() <= _PLAIN_KEYS:
            return dict(node)
        out: Node = {"type": kind}
        if node.keys() <= _TITLED:
            return out
        if (described := node.get("description")) is not None:
            out["description"] = described
        allowed, told = _DRAWN[kind], list[str | None]()
        for key, value in node.items():
            if key in allowed and (key not in _CAREFUL or _CAREFUL[key](value)):
                out[key] = value
            elif key in _TOLD or key in CONSTRAINTS[kind] or key in ANY_TYPE:
                told.append(prose.note(key, value))
        if described := prose.said(out.get("description", ""), told) if told else "":
            out["description"] = described
        return out

    def enumerated(self, node: Node, kind: str, path: Path) -> Draw:
        """Draw a scalar with fixed values."""
        values: list[Any] = node["enum"] if "enum" in node else [node["const"]] if "const" in node else []
        if "const" in node:
            values = [node["const"]] if not values or node["const"] in values else []
        values = [value for value in values if admits((kind,), value)]
        rest = {key: value for key, value in node.items() if key not in ("enum", "const")}
        out = self.scalar(rest, kind)
        if not values:
            if "enum" in node or "const" in node:
                raise NotStrictError(path, "none of the fixed values is of the type")
            return out, None
        if kind == "integer":  # 1.0 is an integer to JSON Schema, but not to every reader of an enum
            values = [int(value) for value in values]
        if len(values) > self.manner.enum_values or (self.manner.full and _too_long(values)):
            out["description"] = prose.said(out.get("description", ""), [f"One of: {prose.text_of(values, 4_000)}."])
            return out, None
        out["enum"] = values
        return out, None

    def array(self, node: Node, path: Path) -> Draw:
        """Draw an array."""
        if "prefixItems" in node:
            return redraw.tuple_(self, node, path)
        items = node.get("items", {})
        if items is False:
            items, node = {"type": "null"}, {**node, "maxItems": 0}
        inner, step = self.node(items, (path, "items"))
        out: Node = {"type": "array", "items": inner}
        self.tell(out, node, _ARRAY_DRAWN, "array")
        return out, None if step is None else Items(step)

    def tell(self, out: Node, node: Node, drawn: frozenset[str], kind: str) -> None:
        """Copy what is drawn as it is; tell the rest."""
        told: list[str | None] = []
        for key, value in node.items():
            if key in drawn:
                out[key] = value
            elif key in _TOLD or ((key in CONSTRAINTS[kind] or key in ANY_TYPE) and key not in _SHAPE):
                told.append(prose.note(key, value))
        if described := prose.said(node.get("description", ""), told):
            out["description"] = described

    def object_(self, node: Node, path: Path, *, root: bool = False) -> Draw:
        """Draw an object: closed where its author left openness unsaid, re-drawn where it is open."""
        if redraw.is_open(node, root=root):
            return redraw.open_object(self, node, path, root=root)
        out, record = self.record(node, path)
        return out, record if record.members else None

    def record(self, node: Node, path: Path, *, defaults: bool = True) -> tuple[Node, Record]:
        """Draw the declared members of an object; without `defaults`, absence never means null."""
        properties: dict[str, Node] = node.get("properties", {})
        required = dict.fromkeys(node.get("required", ()))
        members: Node = {}
        steps: dict[str, Member] = {}
        inside: Path = (path, "properties")
        for name, declared in properties.items():
            if declared.keys() <= _PLAIN_KEYS and (kind := declared.get("type")) in _NOT_NULL_SCALARS:
                if name in required:
                    members[name] = dict(declared)
                else:
                    members[name] = {**declared, "type": [kind, "null"]}
                    steps[name] = _DROPS_NULL
                continue
            if declared == IMPOSSIBLE:
                continue
            drawn, step = self.node(declared, (inside, name))
            if "title" in declared and "description" not in drawn and not _repeats(declared["title"], name):
                drawn = described(drawn, declared["title"])
            if name not in required:
                drawn, steps[name] = self.optional(declared, drawn, step, defaults)
            elif step is not None:
                steps[name] = Member(step)
            members[name] = drawn
        for name in required:
            if name not in members:
                raise NotStrictError(path, f"requires the member '{name[:100]}', which it does not declare")
        out = closed(members)
        if not node.keys() <= _BARE_OBJECT:
            self.tell(out, node, frozenset(), "object")
        return out, Record(steps)

    def optional(self, declared: Node, drawn: Node, step: Step | None, defaults: bool) -> tuple[Node, Member]:
        """Draw a member that may be absent."""
        kind = declared.get("type")
        if (kind in _NOT_NULL and _COMPLEX.isdisjoint(declared)) or not self.takes_null(declared):
            return nullable(drawn), _DROPS_NULL if step is None else Member(step, drop_null=True, optional=True)
        if defaults and self.default(declared, 0) is None:
            return nullable(drawn), Member(step, optional=True)
        if self.omitted is None:
            self.omitted = unused("omitted", self.normal.defs)
            omission = closed({"omit": {"type": "string", "enum": ["yes"]}})
            self.defs[self.omitted] = {**omission, "description": "Leaves the argument out."}
        drawn = widened(nullable(drawn), {"$ref": PREFIX + self.omitted})
        told = 'null is sent as null; {"omit": "yes"} leaves this out.'
        return described(drawn, told), Member(step, optional=True, omission=OMISSION)

    def default(self, node: Node, otherwise: object) -> object:
        """What absence means."""
        found: object = node.get("default", self.normal.target(node).get("default", otherwise))
        return found


def _declared(node: Node, normal: Normal) -> list[str]:
    """Members that a condition's consequence declares."""
    node = normal.target(node)
    found = list(node.get("properties", {}))
    for keyword in ("then", "else"):
        if keyword in node:
            found += _declared(node[keyword], normal)
    return found


def _repeats(title: str, name: str) -> bool:
    if title.replace(" ", "").lower() == name.replace("_", "").lower():
        return True
    return "".join(filter(str.isalnum, title)).lower() == "".join(filter(str.isalnum, name)).lower()


def _too_long(values: list[Any]) -> bool:
    return len(values) > LARGE_ENUM and sum(len(str(value)) for value in values) > 15_000


_DROPS_NULL = Member(None, drop_null=True, optional=True)
_CONDITIONS = frozenset({"allOf", "if", "then", "else", "dependentSchemas"})
_NOT_NULL_SCALARS = ("string", "integer", "boolean", "number")
_SCALAR_LIST = (*_NOT_NULL_SCALARS, "null")
_NOT_NULL = (*_NOT_NULL_SCALARS, "array", "object")
_COMPLEX = frozenset({"enum", "const", "anyOf", "oneOf", "$ref", "if", "then", "else", "not", "allOf"})
_PLAIN_KEYS = frozenset({"type", "description"})
_TITLED = frozenset({"type", "title"})
_BARE_OBJECT = frozenset({"type", "properties", "required", "additionalProperties", "title"})
_TOLD = frozenset({"default", "examples", "example", "deprecated", "contentEncoding", "contentMediaType"})
_SHAPE = frozenset({"properties", "required", "additionalProperties", "items", "prefixItems", "patternProperties"})
_ARRAY_DRAWN = frozenset({"minItems", "maxItems"})
_BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_DRAWN: Mapping[str, frozenset[str]] = {
    "string": frozenset({"pattern", "format"}),
    "number": _BOUNDS,
    "integer": _BOUNDS,
    "boolean": frozenset(),
    "null": frozenset(),
}
_CAREFUL: Mapping[str, Callable[[Any], bool]] = {"pattern": patterns.strictly, "format": FORMATS.__contains__}
