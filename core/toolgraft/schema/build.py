"""The strict form: what OpenAI's strict mode takes, and the steps that undo what was changed for it.

Natural keeps the author's shape:

- Objects are closed and require all members. An optional member also takes null; on the way back that null is
  dropped, unless the server takes null there. Where it does, absent and null are told apart: if the schema says
  `default: null`, null is sent, since it is what absence means; else null is sent as null, and the member also
  takes the object `{"omit": "yes"}`, which is dropped.
- `oneOf` becomes `anyOf`; exclusivity is left to the check before the call. Several types become an `anyOf`.
- Constraints beyond the documented subset, defaults and examples are told in the description.

Full also says in other shapes what the subset cannot say (see `full`). What neither can do is refused with a reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolgraft.schema.decode.steps import Items, Named, Plan, Step, has_effect
from toolgraft.schema.full import maps, root, text, tuples
from toolgraft.schema.language import prose
from toolgraft.schema.language.keywords import SCALARS, types_in
from toolgraft.schema.language.limits import Budget
from toolgraft.schema.language.pointers import Node, Path, pointer
from toolgraft.schema.read.merge import CONSTRAINT_ONLY
from toolgraft.schema.read.normal import Normal
from toolgraft.schema.read.null import NullTaken
from toolgraft.schema.read.openness import is_open, says_open
from toolgraft.schema.read.recursion import PREFIX
from toolgraft.schema.strict import records, unions
from toolgraft.schema.strict.parts import BuildOptions, Built, NotStrictError, closed, unused
from toolgraft.schema.strict.pending import Pending
from toolgraft.schema.strict.scalars import TOLD, enumerated, scalar, tell


def build(normal: Normal, options: BuildOptions, budget: Budget | None = None) -> tuple[Node, Plan]:
    """Give the strict form of a schema and what undoes it.

    Raises:
        NotStrictError: A place cannot be built.
        SchemaError: The budget is spent.
    """
    return StrictBuilder(normal, options, budget or Budget()).run()


class StrictBuilder:
    """Builds one schema."""

    def __init__(self, normal: Normal, options: BuildOptions, budget: Budget) -> None:
        self.normal = normal
        self.options = options
        self.budget = budget
        self.takes_null = NullTaken(normal)
        self.texts: dict[str, str] = {}
        self.defs: dict[str, Node] = {}
        self.named: dict[str, Step | None] = {}
        self.waiting: list[str] = []
        self.unions: list[Pending] = []
        self.omitted: dict[str, str] = {}
        self.level = 0

    def run(self) -> tuple[Node, Plan]:
        """Build the root and all that it refers to."""
        schema, step = root.build_root(self, self.normal.root)
        while self.waiting:
            name = self.waiting.pop(0)
            self.level = 0
            built, inner = self.node(self.normal.defs[name], self.normal.origin[name])
            self.defs[name], self.named[name] = built, inner
        alive = unions.settle(self, self.named)
        if self.defs:
            schema["$defs"] = self.defs
        return schema, Plan(step if step is not None and has_effect(step, alive) else None, self.named)

    def node(self, node: Node, path: Path) -> Built:
        """Build one node."""
        kind = node.get("type")
        if kind in _SCALAR_TYPES and _COMPLEX.isdisjoint(node):
            return scalar(node, kind), None
        self.budget.spend(path)
        if self.options.as_text and pointer(path) in self.options.as_text:
            return self.text(node, path, "")
        if "$ref" in node:
            return self.reference(node, path)
        if node.get("not") == {}:
            raise NotStrictError(path, "nothing fits here")
        if "anyOf" in node or "oneOf" in node:
            return unions.union(self, node, path)
        if (obstacle := self.obstacle(node, path)) is not None:
            if not self.options.full:
                raise obstacle
            return self.text(node, path, obstacle.sentence)
        if not isinstance(kind, str):
            if not kind:
                return self.text(node, path, "takes any value")
            return unions.several(self, node, types_in(node), path)
        if kind in SCALARS:
            return enumerated(node, kind, path, self.options), None
        if self.level >= self.options.levels:
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
                parts = [{"required": list(held)}, *held.values()]
            if keyword == "allOf" and any(not part.keys() <= CONSTRAINT_ONLY for part in parts):
                return NotStrictError((path, "allOf"), "several schemas must hold that cannot be merged into one")
            if any(says_open(self.normal.target(part)) for part in parts) and not is_open(node, root=False):
                return NotStrictError((path, keyword), "a condition says that it takes more members")
            for name in (name for part in parts for name in _spoken_of(part, self.normal)):
                if name not in node.get("properties", {}):
                    return NotStrictError((path, keyword), f"a condition speaks of the member '{name[:100]}'")
        return None

    def text(self, node: Node, path: Path, sentence: str) -> Built:
        """Build a place as JSON text, where the options allows that."""
        return text.build_text(self, node, path, sentence)

    def omission(self, member: str) -> Node:
        """A reference to the definition of what stands for "absent" where null has a meaning of its own."""
        if member not in self.omitted:
            name = self.omitted[member] = unused("omitted", {*self.normal.defs, *self.defs})
            shape = closed({member: {"type": "string", "enum": ["yes"]}})
            self.defs[name] = {**shape, "description": "Leaves the argument out."}
        return {"$ref": PREFIX + self.omitted[member]}

    def told(self, name: str, longest: int) -> str:
        """The beginning of a definition's text, of one character more than asked for where there is more."""
        if name not in self.texts:
            self.texts[name] = prose.whole_text_of(self.normal.defs[name])[: longest + 1]
        return self.texts[name]

    def reference(self, node: Node, path: Path) -> Built:
        """Build a reference: kept; small values that are described here are put in place."""
        name = node["$ref"][len(PREFIX) :]
        target = self.normal.target(node)
        if len(node) > 1 and target.get("type") in _SCALAR_TYPES and len(target.get("enum", ())) <= 20:
            inline = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
            return self.node(inline, path)
        if name not in self.named:
            self.named[name] = None
            self.waiting.append(name)
        link: Node = {"$ref": PREFIX + name}
        told = prose.said(node.get("description", ""), prose.notes(node, TOLD))
        return ({"description": told, "anyOf": [link]} if told else link), Named(name)

    def array(self, node: Node, path: Path) -> Built:
        """Build an array."""
        if "prefixItems" in node:
            return tuples.build_tuple(self, node, path)
        items = node.get("items", {})
        if items is False:
            items, node = {"type": "null"}, {**node, "maxItems": 0}
        inner, step = self.node(items, (path, "items"))
        out: Node = {"type": "array", "items": inner}
        tell(out, node, _ARRAY_KEPT, "array")
        return out, None if step is None else Items(step)

    def object_(self, node: Node, path: Path, *, root: bool = False) -> Built:
        """Build an object: closed where its author left openness unsaid, changed where it is open."""
        if is_open(node, root=root):
            return maps.build_open(self, node, path, root=root)
        out, record = records.build_record(self, node, path)
        return out, record if record.members else None


def _spoken_of(node: Node, normal: Normal) -> Iterator[str]:
    """Members that a condition or its consequence declares or asks for; the caller's budget bounds the work."""
    node = normal.target(node)
    yield from node.get("properties", ())
    yield from node.get("required", ())
    for trigger, needed in node.get("dependentRequired", {}).items():
        yield from (trigger, *needed)
    yield from node.get("dependentSchemas", ())
    parts = [node[keyword] for keyword in ("if", "then", "else") if keyword in node]
    parts += (part for keyword in ("anyOf", "oneOf", "allOf") for part in node.get(keyword, ()))
    for part in (*parts, *node.get("dependentSchemas", {}).values()):
        yield from _spoken_of(part, normal)


_CONDITIONS = frozenset({"allOf", "if", "then", "else", "dependentSchemas"})
_SCALAR_TYPES = ("string", "integer", "boolean", "number", "null")
_COMPLEX = frozenset({"enum", "const", "anyOf", "oneOf", "$ref", "if", "then", "else", "not", "allOf"})
_ARRAY_KEPT = frozenset({"minItems", "maxItems"})
