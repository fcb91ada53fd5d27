"""Arguments without members or alternatives, which are told in words, for packages that carry little of an argument."""

from __future__ import annotations

from typing import Any, Final

from toolgraft.dialects.redraw.references import in_place
from toolgraft.dialects.redraw.walk import Change
from toolgraft.schema import Node
from toolgraft.schema.language import prose

_LONGEST: Final = 4_000
"""Characters of a schema that are told of one argument."""


def flat(*carried: str) -> Change:
    """Make the redraw of a form for a package that carries the description, a type and these keywords of an argument.

    Args:
        *carried: Keywords; `type` among them where an argument may have several types.
    """
    kept = frozenset(carried)

    def redraw(form: Node) -> Node:
        form = in_place(form)
        return {**form, "properties": {name: _flat(member, kept) for name, member in form["properties"].items()}}

    return redraw


def _flat(member: Node, kept: frozenset[str]) -> Node:
    kinds = list(dict.fromkeys(_kinds(member))) or ["string"]
    kind = next((each for each in kinds if each != "null"), "string")
    shown: str | list[str] = kinds if "type" in kept and len(kinds) > 1 else kind
    held = {key: value for key, value in member.items() if key not in kept and key not in _SAYS and key != "type"}
    if not held and member.get("type") == shown:
        return member
    told = prose.said(str(member.get("description", "")), _told(member, held, shown))
    rest = {key: value for key, value in member.items() if key in kept}
    return {**rest, "type": shown, **({"description": told} if told else {})}


def _told(member: Node, held: Node, shown: str | list[str]) -> list[str | None]:
    """Simple constraints as sentences; what has members, items or alternatives, as its JSON Schema."""
    if _SHAPES.isdisjoint(held) and member.get("type") == shown:
        return [prose.note(key, value) for key, value in held.items()]
    shape = {key: value for key, value in member.items() if key not in _SAYS}
    return [f"JSON Schema: {prose.text_of(shape, _LONGEST)}" if shape else "Any JSON value."]


def _kinds(member: Node) -> list[str]:
    """The types of an argument's values, in order."""
    given: Any = member.get("type", ())
    kinds = [given] if isinstance(given, str) else list(given)
    for key in ("anyOf", "oneOf"):
        for each in member.get(key, ()):
            kinds += _kinds(each)
    return kinds


_SAYS: Final = ("description", "title")
_SHAPES: Final = frozenset({"properties", "items", "anyOf", "oneOf", "allOf", "additionalProperties", "prefixItems"})
