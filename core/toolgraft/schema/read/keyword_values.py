"""Keyword values as they should be: what is malformed is mended where its meaning is plain, else left out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, cast

from toolgraft.schema.language.keywords import TYPE_SLIPS, TYPES, admits, type_of


def is_number(value: object) -> bool:
    """A JSON number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_count(value: object) -> bool:
    """A whole number that is not negative."""
    return is_number(value) and cast(float, value) >= 0 and cast(float, value) == int(cast(float, value))


def is_string(value: object) -> bool:
    """A string."""
    return isinstance(value, str)


def is_bool(value: object) -> bool:
    """A boolean."""
    return isinstance(value, bool)


def is_factor(value: object) -> bool:
    """A number that others can be a multiple of."""
    return is_number(value) and cast(float, value) > 0


WELL_FORMED: dict[str, Callable[[object], bool]] = {
    "description": is_string,
    "title": is_string,
    "format": is_string,
    "pattern": is_string,
    "minimum": is_number,
    "maximum": is_number,
    "exclusiveMinimum": is_number,
    "exclusiveMaximum": is_number,
    "multipleOf": is_factor,
    "minLength": is_count,
    "maxLength": is_count,
    "minItems": is_count,
    "maxItems": is_count,
    "minContains": is_count,
    "maxContains": is_count,
    "minProperties": is_count,
    "maxProperties": is_count,
    "uniqueItems": is_bool,
}
"""Keywords whose value is one plain thing, and how that must look."""


def one_type(value: object) -> str | None:
    """A type name, mended where it is a programming language's; None where it says nothing."""
    if not isinstance(value, str):
        return None
    if value in TYPES:
        return value
    lowered = value.lower()
    return lowered if lowered in TYPES else TYPE_SLIPS.get(lowered)


def types(value: object) -> str | list[str] | None:
    """The value of `type`; None where it restricts nothing that we know."""
    if not isinstance(value, list):
        return one_type(value)
    named = [one_type(each) for each in cast(list[object], value)]
    if None in named or not named:
        return None
    distinct = list(dict.fromkeys(cast(list[str], named)))
    return distinct[0] if len(distinct) == 1 else distinct


def names(value: object) -> list[str]:
    """A list of member names, each once."""
    if not isinstance(value, list):
        return []
    return list(dict.fromkeys(name for name in cast(list[object], value) if isinstance(name, str)))


def distinct(values: Sequence[Any]) -> list[Any]:
    """The values of an enum, each once, in order."""
    if all(type(value) is str for value in values):
        return list(dict.fromkeys(values))
    found: dict[tuple[str, Any], Any] = {}
    for value in values:
        nested = isinstance(value, dict | list)
        found.setdefault((type_of(value), json.dumps(value, sort_keys=True) if nested else value), value)
    return list(found.values())


def choices(value: object, kinds: tuple[str, ...]) -> list[Any] | None:
    """The values of an enum that its types allow; None where the enum says nothing."""
    if not isinstance(value, list) or not value:
        return None
    found = distinct(cast(list[Any], value))
    return [each for each in found if admits(kinds, each)] if kinds else found


def types_of(values: Sequence[Any]) -> str | list[str]:
    """The types of some values, as `type` would say it."""
    found = list(dict.fromkeys(map(type_of, values)))
    if "number" in found and "integer" in found:
        found.remove("integer")
    return found[0] if len(found) == 1 else found
