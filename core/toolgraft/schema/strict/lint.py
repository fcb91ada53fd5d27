"""The check of strict schemas: an allow-list of what OpenAI's strict mode is documented to take.

It shares no rule with the conversion, so that a slip there is caught here. Source: OpenAI, Structured Outputs,
*Supported schemas*, with its limits; what the page leaves open is one switch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from toolgraft.schema.language.pointers import Path, unescaped
from toolgraft.schema.language.pointers import pointer as pointer_text

MAX_PROPERTIES = 5_000
MAX_NESTING = 10
MAX_ENUM_VALUES = 1_000
MAX_NAMES = 120_000
"""Most characters of property names, definition names, enum and const values together."""
LARGE_ENUM = 250
MAX_LARGE_ENUM = 15_000
"""Most characters of one string enum of more than `LARGE_ENUM` values."""

FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})

_COMMON = frozenset({"type", "description", "enum"})
_OF_TYPE = {
    "string": frozenset({"pattern", "format"}),
    "number": frozenset({"multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"}),
    "integer": frozenset({"multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"}),
    "boolean": frozenset[str](),
    "null": frozenset[str](),
    "array": frozenset({"items", "minItems", "maxItems"}),
    "object": frozenset({"properties", "required", "additionalProperties"}),
}
_UNDOCUMENTED = frozenset({"minLength", "maxLength", "default", "title", "const", "examples", "$schema"})
_OF_VALUE = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_LOOK_AROUND = re.compile(r"\(\?<?[=!]")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that strict mode refuses.

    Attributes:
        pointer: JSON pointer (RFC 6901) into the strict schema.
        sentence: What is wrong there.
    """

    pointer: str
    sentence: str


def lint(schema: object, *, undocumented: bool = False) -> list[Fault]:
    """Check a strict schema.

    Args:
        schema: What would be sent as the parameters of a strict function.
        undocumented: Also take the keywords that the documentation does not list but that were seen to be
            accepted (`minLength`, `maxLength`, `default`, `title`, `const` beside a type, `examples`, `$schema`).

    Returns:
        What strict mode would refuse, at most 20 faults; empty for a sound schema.
    """
    linter = _Linter(schema, undocumented)
    linter.run()
    return linter.faults


class _Linter:
    def __init__(self, schema: object, undocumented: bool) -> None:
        self.schema = schema
        self.extra = _UNDOCUMENTED if undocumented else frozenset[str]()
        self.faults: list[Fault] = []
        self.allowed: dict[tuple[str, ...], frozenset[str]] = {}
        self.defs: dict[str, Any] = {}
        self.depths: dict[str, int] = {}
        self.inside: list[str] = []
        self.rounds: dict[str, int] = {}
        self.properties = self.enum_values = self.names = 0

    def run(self) -> None:
        root = _object(self.schema)
        if root is None or root.get("type") != "object":
            return self.fault("", "the root is not an object")
        defs = _object(root.get("$defs", {}))
        if defs is None:
            return self.fault("/$defs", "definitions that are not an object")
        self.defs = defs
        self.rounds = _rounds(defs) if defs else {}
        self.names += sum(map(len, defs))
        depth = self.node({key: value for key, value in root.items() if key != "$defs"}, "", 0)
        for name in defs:
            depth = max(depth, self.definition(name))
        if depth > MAX_NESTING:
            self.fault("", f"{depth} levels of nesting; {MAX_NESTING} are allowed")
        self.totals()

    def totals(self) -> None:
        for count, most, what in (
            (self.properties, MAX_PROPERTIES, "properties"),
            (self.enum_values, MAX_ENUM_VALUES, "enum values"),
            (self.names, MAX_NAMES, "characters of names and enum values"),
        ):
            if count > most:
                self.fault("", f"{count} {what} in total; {most} are allowed")

    def fault(self, pointer: Path, sentence: str) -> None:
        if len(self.faults) < 20:
            self.faults.append(Fault(pointer_text(pointer), sentence))

    def definition(self, name: str) -> int:
        """Levels inside a definition; going round in a recursive one adds none."""
        if self.inside and self.rounds[self.inside[-1]] == self.rounds[name]:
            return 0
        if name not in self.depths:
            if len(self.inside) > _MAX_CHAIN:
                self.fault(("/$defs", name), "definitions that refer on and on")
                return MAX_NESTING + 1
            self.inside.append(name)
            self.depths[name] = self.node(self.defs[name], ("/$defs", name), 0)
            self.inside.pop()
        return self.depths[name]

    def node(self, value: object, pointer: Path, level: int) -> int:
        """Check a node; give the levels of objects and arrays in it."""
        node = _object(value)
        if node is None:
            self.fault(pointer, "a schema that is not an object")
            return 0
        if level > 3 * MAX_NESTING:
            return MAX_NESTING + 1
        if "$ref" in node:
            return self.reference(node, pointer)
        if "anyOf" in node:
            return self.any_of(node, pointer, level)
        kind: Any = node.get("type")
        listed: tuple[str, ...] = (kind,) if isinstance(kind, str) else _names(kind)
        if (allowed := self.allowed.get(listed)) is None:
            if not listed or not all(each in _OF_TYPE for each in listed):
                self.fault(pointer, "a schema without a known 'type'")
                return 0
            allowed = self.allowed[listed] = _COMMON.union(self.extra, *(_OF_TYPE[each] for each in listed))
        if not node.keys() <= allowed:
            for keyword in sorted(node.keys() - allowed):
                self.fault(pointer, f"keyword '{keyword}'")
        if not _WITH_VALUES.isdisjoint(node):
            self.values(node, listed, pointer)
        depth = 0
        for kind in listed:
            if (inside := _INSIDE.get(kind)) is not None:
                depth = max(depth, 1 + inside(self, node, pointer, level + 1))
        return depth

    def reference(self, node: dict[str, Any], pointer: Path) -> int:
        target = node["$ref"]
        if len(node) > 1:
            self.fault(pointer, "'$ref' with other keywords beside it")
        name = unescaped(target[8:]) if isinstance(target, str) else ""
        if target == "#":
            return 0
        if not isinstance(target, str) or not target.startswith("#/$defs/") or name not in self.defs:
            self.fault(pointer, "a '$ref' that is not to a top-level definition")
            return 0
        return self.definition(name)

    def any_of(self, node: dict[str, Any], pointer: Path, level: int) -> int:
        for keyword in node.keys() - {"anyOf", "description"} - self.extra:
            self.fault(pointer, f"keyword '{keyword}' beside 'anyOf'")
        branches = node["anyOf"]
        if not pointer:
            self.fault(pointer, "'anyOf' at the root")
        if not isinstance(branches, list) or not branches:
            self.fault(pointer, "an 'anyOf' that is not a list of schemas")
            return 0
        listed = cast(list[object], branches)
        return max(self.node(branch, ((pointer, "anyOf"), i), level + 1) for i, branch in enumerate(listed))

    def values(self, node: dict[str, Any], kinds: Sequence[str], pointer: Path) -> None:
        if "description" in node and not isinstance(node["description"], str):
            self.fault(pointer, "a description that is not a string")
        if "format" in node and node["format"] not in FORMATS:
            self.fault(pointer, f"format '{node['format']}'")
        if "pattern" in node and (not isinstance(node["pattern"], str) or _LOOK_AROUND.search(node["pattern"])):
            self.fault(pointer, "a pattern with look-around")
        for keyword in () if _NUMBERS.isdisjoint(node) else sorted(_NUMBERS & node.keys()):
            if isinstance(node[keyword], bool) or not isinstance(node[keyword], int | float):
                self.fault(pointer, f"'{keyword}' that is not a number")
        if "enum" in node:
            self.enum(node["enum"], kinds, pointer)
        if "const" in node:
            self.enum([node["const"]], kinds, pointer)

    def enum(self, values: object, kinds: Sequence[str], pointer: Path) -> None:
        if not isinstance(values, list) or not values:
            return self.fault(pointer, "an enum without values")
        listed = cast(list[object], values)
        fitting = tuple(each for kind in kinds for each in _OF_VALUE.get(kind, ()))
        if not all(isinstance(each, fitting) and (not isinstance(each, bool) or bool in fitting) for each in listed):
            self.fault(pointer, "an enum value of another type than the schema's")
        length = sum(len(each) if isinstance(each, str) else len(str(each)) for each in listed)
        self.enum_values += len(listed)
        self.names += length
        if len(listed) > LARGE_ENUM and "string" in kinds and length > MAX_LARGE_ENUM:
            self.fault(pointer, f"an enum of {length} characters; {MAX_LARGE_ENUM} are allowed")

    def object(self, node: dict[str, Any], pointer: Path, level: int) -> int:
        members = _object(node.get("properties"))
        if members is None:
            self.fault(pointer, "an object without 'properties'")
            return 0
        if node.get("additionalProperties") is not False:
            self.fault(pointer, "an object without 'additionalProperties: false'")
        required = node.get("required")
        if required != list(members) and not _same_names(required, members):
            self.fault(pointer, "an object that does not require all of its properties")
        self.properties += len(members)
        self.names += sum(map(len, members))
        depth, inside = 0, (pointer, "properties")
        for name, member in members.items():
            if not _is_bare(member):
                depth = max(depth, self.node(member, (inside, name), level))
        return depth

    def array(self, node: dict[str, Any], pointer: Path, level: int) -> int:
        if "items" not in node:
            self.fault(pointer, "an array without 'items'")
            return 0
        return self.node(node["items"], (pointer, "items"), level)


_MAX_CHAIN = 40
"""Most definitions that refer from one to the next."""

_LEAF = frozenset({"type", "description"})
_WITH_VALUES = frozenset(
    {"description", "format", "pattern", "enum", "const", "multipleOf", "minItems", "maxItems"}
) | (frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"}))
_NUMBERS = _OF_TYPE["number"] | {"minItems", "maxItems", "minLength", "maxLength"}
_INSIDE: dict[str, Callable[[_Linter, dict[str, Any], Path, int], int]] = {
    "object": _Linter.object,
    "array": _Linter.array,
}


def _same_names(required: object, members: dict[str, Any]) -> bool:
    listed = cast(list[object], required) if isinstance(required, list) else [None]
    return len(listed) == len(members) and all(name in members for name in listed) and len(set(listed)) == len(listed)


def _names(kinds: object) -> tuple[str, ...]:
    """A list of types; what is none of a type is left as an unknown one."""
    listed = cast(list[object], kinds) if isinstance(kinds, list) else []
    return tuple(each if isinstance(each, str) else "" for each in listed)


def _is_bare(value: object) -> bool:
    """Whether a schema is a scalar with a description at most, perhaps nullable: most are, and need no closer look."""
    if not isinstance(value, dict):
        return False
    node = cast(dict[str, Any], value)
    if not node.keys() <= _LEAF or not isinstance(node.get("description", ""), str):
        return False
    kind = node.get("type")
    if isinstance(kind, list) and len(cast(list[Any], kind)) == 2 and kind[1] == "null":
        kind = cast(object, kind[0])
    return isinstance(kind, str) and kind in _OF_VALUE


def _object(value: object) -> dict[str, Any] | None:
    return cast(dict[str, Any], value) if isinstance(value, dict) else None


def _rounds(defs: dict[str, Any]) -> dict[str, int]:
    """Number definitions so that those that refer to each other in a round have the same (Tarjan's components)."""
    edges = {name: [other for other in _referred(schema) if other in defs] for name, schema in defs.items()}
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    rounds: dict[str, int] = {}
    open_names: list[str] = []
    for start in defs:
        path = [] if start in order else [start]
        while path:
            name = path[-1]
            if name not in order:
                order[name] = low[name] = len(order)
                open_names.append(name)
            following = next((other for other in edges[name] if other not in order), None)
            if following is not None:
                path.append(following)
                continue
            path.pop()
            low[name] = min([low[name], *(low[other] for other in edges[name] if other not in rounds)])
            while low[name] == order[name] and name not in rounds:
                rounds[open_names.pop()] = order[name]
    return rounds


def _referred(schema: object) -> list[str]:
    """Names of the definitions that a schema refers to."""
    found: list[str] = []
    waiting: list[object] = [schema]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            node = cast(dict[str, object], value)
            if isinstance(target := node.get("$ref"), str):
                found.append(unescaped(target[8:]))
            waiting += node.values()
        elif isinstance(value, list):
            waiting += cast(list[object], value)
    return found
