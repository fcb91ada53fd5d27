"""Cohere: of each argument, its package carries one type and the description. What an argument holds is told there."""

from __future__ import annotations

from typing import Any, Final

from toolgraft.dialects.dialect import Dialect
from toolgraft.dialects.redraw.references import in_place
from toolgraft.schema import Node
from toolgraft.schema.language import prose

_LONGEST: Final = 4_000
"""Characters of a schema that are told of one argument."""


def flat(form: Node) -> Node:
    """Redraw a form as arguments of one type each, with what they hold told in words."""
    form = in_place(form)
    return {**form, "properties": {name: _flat(member) for name, member in form["properties"].items()}}


def _flat(member: Node) -> Node:
    kind = _kind(member)
    held = {key: value for key, value in member.items() if key not in ("description", "title", "type")}
    if not held and member.get("type") == kind:
        return member
    told = prose.said(str(member.get("description", "")), _told(member, held))
    return {"type": kind, "description": told} if told else {"type": kind}


def _told(member: Node, held: Node) -> list[str | None]:
    """Simple constraints as sentences; what has members, items or alternatives, as its JSON Schema."""
    if _SHAPES.isdisjoint(held) and isinstance(member.get("type"), str):
        return [prose.note(key, value) for key, value in held.items()]
    shape = {key: value for key, value in member.items() if key not in ("description", "title")}
    return [f"JSON Schema: {prose.text_of(shape, _LONGEST)}"]


def _kind(member: Node) -> str:
    """The one type that is told: the first that is not null."""
    given: Any = member.get("type", ())
    kinds = [given] if isinstance(given, str) else list(given)
    for key in ("anyOf", "oneOf"):
        kinds += [_kind(each) for each in member.get(key, ())]
    return next((kind for kind in kinds if kind != "null"), "string")


_SHAPES: Final = frozenset({"properties", "items", "anyOf", "oneOf", "allOf", "additionalProperties", "prefixItems"})

COHERE = Dialect("cohere", redraw=flat, pictures="nowhere", also=("langchain_cohere", "cohere_chat"))
