"""Arguments without members or alternatives, which are told in words, for packages that carry little of an argument."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from toolgraft.dialects.redraw.references import in_place
from toolgraft.dialects.redraw.walk import each_schema
from toolgraft.schema import Node
from toolgraft.schema.language import prose

_LONGEST: Final = 6_000
"""Characters of a schema that are told of one argument as it is."""

_MOST: Final = 30_000
"""Characters of a schema that are told by references, and without what is said of its members."""


@dataclass(frozen=True, slots=True)
class Flat:
    """The redraw of a form for a package that carries the description, a type and a few keywords of an argument.

    Attributes:
        carried: Those keywords; `type` among them where an argument may have several types.
    """

    carried: frozenset[str]

    def __call__(self, form: Node) -> Node:
        """Redraw a form."""
        placed, defs = in_place(form), form.get("$defs", {})
        members = {
            name: _flat(member, self.carried, partial(_as_text, form["properties"][name], defs))
            for name, member in placed["properties"].items()
        }
        return {**placed, "properties": members}


def _flat(member: Node, kept: frozenset[str], as_text: Callable[[Node], str]) -> Node:
    kinds = list(dict.fromkeys(_kinds(member))) or ["string"]
    kind = next((each for each in kinds if each != "null"), "string")
    shown: str | list[str] = kinds if "type" in kept and len(kinds) > 1 else kind
    held = {key: value for key, value in member.items() if key not in kept and key not in _SAYS and key != "type"}
    if not held and member.get("type") == shown:
        return member
    simple = _SHAPES.isdisjoint(held) and member.get("type") == shown
    notes = [prose.note(key, value) for key, value in held.items()] if simple else [as_text(member)]
    told = prose.said(str(member.get("description", "")), notes)
    rest = {key: value for key, value in member.items() if key in kept}
    return {**rest, "type": shown, **({"description": told} if told else {})}


def _as_text(source: Node, defs: Node, member: Node) -> str:
    """Tell an argument as its JSON Schema; a large one by references, and without what is said of its members."""
    shape = {key: value for key, value in member.items() if key not in _SAYS}
    if not shape:
        return "Any JSON value."
    text = prose.whole_text_of(shape)
    if len(text) > _LONGEST:
        used = {name: _without_words(defs[name]) for name in _used(source, defs)}
        text = prose.schema_text({**_without_words(source), **({"$defs": used} if used else {})}, _MOST)
    return f"JSON Schema: {text}"


def _used(node: Node, defs: Node) -> list[str]:
    """The definitions that a schema refers to, directly or by others."""
    found: dict[str, Node] = {"": node}

    def note(each: Node) -> Node:
        name = str(each.get("$ref", "")).removeprefix("#/$defs/")
        if name in defs and name not in found:
            found[name] = defs[name]
            left.append(name)
        return each

    left = [""]
    while left:
        each_schema(found[left.pop()], note)
    return [*found][1:]


def _without_words(node: Node) -> Node:
    return each_schema(node, lambda each: {key: value for key, value in each.items() if key not in _ASIDE})


def _kinds(member: Node) -> list[str]:
    """The types of an argument's values, in order."""
    given: Any = member.get("type", ())
    kinds = [given] if isinstance(given, str) else list(given)
    for key in ("anyOf", "oneOf"):
        for each in member.get(key, ()):
            kinds += _kinds(each)
    return kinds


_SAYS: Final = ("description", "title")
_ASIDE: Final = (*_SAYS, "default", "examples", "example", "deprecated", "format", "pattern")
_SHAPES: Final = frozenset({"properties", "items", "anyOf", "oneOf", "allOf", "additionalProperties", "prefixItems"})
