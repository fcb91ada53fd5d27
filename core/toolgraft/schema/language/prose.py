"""Constraints in words: what a schema form cannot say is told in the description, and checked before the call."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from toolgraft.schema.language.keywords import is_list
from toolgraft.schema.language.members import definitions_used, member_names, without_words
from toolgraft.schema.language.pointers import Node

_ENCODE = json.JSONEncoder(ensure_ascii=False).encode

_LONGEST = 1_000
"""Most characters of one value or sub-schema in a description."""

_MOST_NAMES = 20_000
"""Most characters of names of members that are told for want of a place; beyond, how many there are."""


def text_of(value: object, longest: int = _LONGEST) -> str:
    """A JSON value as compact text, cut with a mark where it is long."""
    return cut(_ENCODE(value), longest)


def cut(text: str, longest: int) -> str:
    """A text, cut with a mark where it is long."""
    return text if len(text) <= longest else f"{text[:longest]} […]"


def whole_text_of(value: object) -> str:
    """A JSON value as text, however long."""
    return _ENCODE(value)


def part_text(node: Node, keyword: str, longest: int = _LONGEST, defs: Node | None = None) -> str:
    """What a schema has under one keyword, as compact text, with every name of a member that stands in it.

    Of a long one, what is said of members is left out; what is longer still is cut, and the names after that follow.

    Args:
        node: The schema.
        keyword: The keyword.
        longest: Characters from which on it is long.
        defs: What references in it point to, where that is not given to the model.
    """
    held = {keyword: node[keyword]}
    used = definitions_used(held, defs) if defs else {}
    text = _with_definitions(held[keyword], used)
    if len(text) > longest:
        text = _with_definitions(without_words(held)[keyword], without_words({"$defs": used})["$defs"])
    if len(text) <= longest:
        return text
    kept = cut(text, longest)
    return f"{kept} {further_members(left_out(member_names(held, used), kept))}".rstrip()


def _with_definitions(value: Any, defs: Node) -> str:
    return f"{_ENCODE(value)}, with $defs: {_ENCODE(defs)}" if defs else _ENCODE(value)


def schema_text(schema: Any, longest: int = _LONGEST, defs: Node | None = None) -> str:
    """A schema as `part_text` gives a part of one."""
    return part_text({"items": schema}, "items", longest, defs)


def left_out(names: Iterable[str], text: str) -> list[str]:
    """Those names that do not stand in a text, neither as a word nor in quotes."""
    return [name for name in names if not _stands_in(name, text)]


def further_members(names: list[str]) -> str:
    """Names of members for which there is no place otherwise, as a sentence; empty where there are none."""
    if not names:
        return ""
    told = ", ".join(names)
    if len(told) <= _MOST_NAMES:
        return f"Further members: {told}."
    kept = told[:_MOST_NAMES].rpartition(", ")[0]
    return f"Further members: {kept} and {len(names) - kept.count(', ') - 1} more."


def _stands_in(name: str, text: str) -> bool:
    if name not in text:
        return _ENCODE(name) in text
    return re.search(rf"(?<![\w$@]){re.escape(name)}(?!\w)", text) is not None


def said(description: str, notes: Iterable[str | None]) -> str:
    """A description with sentences added, where there are any."""
    text = description.rstrip()
    for note in notes:
        if not note:
            continue
        stop = "" if not text or text[-1] in ".!?:)…" else "."
        text = f"{text}{stop} {note}" if text else note
    return text


def note(keyword: str, value: Any) -> str | None:
    """One keyword as a sentence; None where there is nothing to tell."""
    tell = _SENTENCES.get(keyword)
    return tell(value) if tell else None


def notes(node: Node, keywords: Iterable[str]) -> list[str]:
    """Some keywords of a node as sentences, in the node's order."""
    wanted = frozenset(keywords)
    found = [note(key, value) for key, value in node.items() if key in wanted]
    return [sentence for sentence in found if sentence]


def alternatives(variants: list[Node], exclusive: bool) -> str:
    """What distinguishes the alternatives of an object, in words."""
    told = [_alternative(variant) for variant in variants]
    return f"{'Exactly' if exclusive else 'At least'} one of these holds: {'; '.join(told)}."


def _alternative(variant: Node) -> str:
    if variant.keys() <= {"required", "type", "description", "title"} and variant.get("required"):
        given = ", ".join(variant["required"])
        return f"{given} given" + (f" ({variant['title']})" if "title" in variant else "")
    if (members := variant.get("properties")) and variant.keys() <= {"type", "properties", "required", "title"}:
        fixed = [f"{name} is {text_of(member['const'])}" for name, member in members.items() if "const" in member]
        rest = [name for name, member in members.items() if "const" not in member]
        needed = frozenset(variant.get("required", ()))
        told = fixed + [f"{name} ({'required' if name in needed else 'optional'})" for name in rest]
        if len(told) <= 12:
            return " with ".join(filter(None, (variant.get("title", ""), ", ".join(told))))
    return schema_text(variant, 400)


def _condition(value: Any) -> str:
    return f"Not: {text_of(value)}." if value else "Nothing fits here."


def _each(prefix: str) -> Callable[[Any], str]:
    return lambda value: f"{prefix}: {text_of(value)}."


def _part(keyword: str, prefix: str) -> Callable[[Any], str]:
    return lambda value: f"{prefix}: {part_text({keyword: value}, keyword)}."


def _literal(prefix: str) -> Callable[[Any], str]:
    return lambda value: f"{prefix}: {value}."


def _example(value: Any) -> str:
    shown = value[:3] if is_list(value) else [value]
    return f"Examples: {', '.join(text_of(each, 200) for each in shown)}." if shown else ""


def _dependent(value: dict[str, list[str]]) -> str:
    return " ".join(f"With {name}, also give {', '.join(needed)}." for name, needed in value.items() if needed)


_SENTENCES: dict[str, Callable[[Any], str | None]] = {
    "default": lambda value: None if value is None else f"Default: {text_of(value, 300)}.",
    "examples": _example,
    "example": _example,
    "deprecated": lambda value: "Deprecated." if value is True else None,
    "format": _literal("Format"),
    "pattern": _literal("Pattern"),
    "minLength": _literal("Minimum length"),
    "maxLength": _literal("Maximum length"),
    "minimum": _literal("Minimum"),
    "maximum": _literal("Maximum"),
    "exclusiveMinimum": _literal("Greater than"),
    "exclusiveMaximum": _literal("Less than"),
    "multipleOf": _literal("Multiple of"),
    "minItems": _literal("Minimum number of items"),
    "maxItems": _literal("Maximum number of items"),
    "uniqueItems": lambda value: "No item twice." if value else None,
    "prefixItems": _part("prefixItems", "The first items, in order"),
    "contains": _part("contains", "Holds an item that fits"),
    "minContains": _literal("Least number of such items"),
    "maxContains": _literal("Most number of such items"),
    "minProperties": _literal("Minimum number of members"),
    "maxProperties": _literal("Maximum number of members"),
    "propertyNames": _each("Member names fit"),
    "patternProperties": _part("patternProperties", "Members by name pattern"),
    "dependentRequired": _dependent,
    "dependentSchemas": _part("dependentSchemas", "With these members, also"),
    "not": _condition,
    "if": _part("if", "If it fits"),
    "then": _part("then", "then"),
    "else": _part("else", "else"),
    "allOf": lambda value: " ".join(f"Also: {schema_text(each)}." for each in value),
    "const": _each("Always"),
    "enum": _each("One of"),
    "additionalProperties": lambda value: f"Other members, each: {schema_text(value)}" if value else None,
    "items": lambda value: f"Items, each: {schema_text(value)}" if value else None,
    "contentEncoding": _literal("Encoding"),
    "contentMediaType": _literal("Media type"),
    "unevaluatedProperties": lambda value: None if value is False else f"Other members: {schema_text(value)}.",
    "unevaluatedItems": lambda value: None if value is False else f"Other items: {schema_text(value)}.",
}
