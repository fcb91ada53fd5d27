"""What is wrong with arguments, in sentences that a model can act on: where, what was wanted, what came."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from toolgraft.schema.language.keywords import type_of
from toolgraft.schema.language.pointers import Node, pointer_of
from toolgraft.schema.validation.validator import is_undecided

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

MAX_PROBLEMS = 8
MAX_SENTENCE = 400
_SHOWN = 60
"""Most characters of a value that are shown."""


def sentences(errors: Iterable[ValidationError], schema: Node) -> list[str]:
    """Tell validation errors, at most `MAX_PROBLEMS` of at most `MAX_SENTENCE` characters."""
    told: list[str] = []
    for error in islice(errors, 50):
        if is_undecided(error):
            continue
        sentence = _sentence(error, schema)
        if sentence not in told:
            told.append(sentence)
        if len(told) == MAX_PROBLEMS:
            break
    return told


def _sentence(error: ValidationError, schema: Node) -> str:
    where, wanted = list(error.instance_path), _wanted(error, schema)
    kind = cast(Any, error.kind)
    told = f"wanted {wanted}, got {shown(error.instance)}"
    if kind.name == "required":
        where, told = [*where, kind.property], f"wanted {wanted}, got none"
    elif kind.name in ("additionalProperties", "unevaluatedProperties") and kind.unexpected:
        where, told = [*where, kind.unexpected[0]], wanted
    sentence = f"{_pointer(where)}: {told}"
    return sentence if len(sentence) <= MAX_SENTENCE else sentence[: MAX_SENTENCE - 1] + "…"


def _pointer(steps: list[Any]) -> str:
    text = pointer_of(steps) or "/"
    return text if len(text) <= 150 else text[:149] + "…"


def shown(value: object) -> str:
    """A value as it is shown in a sentence: its type, and its text where that is short."""
    kind = type_of(value)
    if kind in ("object", "array"):
        size = len(cast(list[object], value))
        return f"an {kind} of {size} {'member' if kind == 'object' else 'item'}{'' if size == 1 else 's'}"
    if kind == "null":
        return "null"
    text = json.dumps(value[: _SHOWN + 1] if isinstance(value, str) else value, ensure_ascii=False)
    return f"the {kind} {text if len(text) <= _SHOWN else text[:_SHOWN] + '…'}"


def _wanted(error: ValidationError, schema: Node) -> str:
    kind = cast(Any, error.kind)
    tell = _WANTED.get(kind.name)
    if kind.name in ("anyOf", "oneOf") and hasattr(kind, "context"):
        return _alternatives(error, schema)
    if kind.name in ("additionalProperties", "unevaluatedProperties"):
        return _known_members(error, schema)
    return tell(kind) if tell else f"a value that fits '{kind.name}'"


def _alternatives(error: ValidationError, schema: Node) -> str:
    """What the alternatives want: of those of the value's type, where there are any."""
    kind = cast(Any, error.kind)
    if type(kind).__name__.endswith("OneOfMultipleValid"):
        return "exactly one of the alternatives to fit"
    firsts: list[ValidationError] = [branch[0] for branch in kind.context if branch]
    typed = [each for each in firsts if not (each.kind.name == "type" and each.instance_path == error.instance_path)]
    told = list(dict.fromkeys(_told(each, error, schema) for each in (typed or firsts)))
    return " or ".join(told[:4]) + (" or …" if len(told) > 4 else "")


def _told(error: ValidationError, outer: ValidationError, schema: Node) -> str:
    inner = list(error.instance_path)[len(outer.instance_path) :]
    name = cast(Any, error.kind).property if error.kind.name == "required" else None
    at = [*inner, *([name] if name else [])]
    wanted = _wanted(error, schema)[:150]
    return f"{wanted} at '{_pointer(at)}'" if at else wanted


def _known_members(error: ValidationError, schema: Node) -> str:
    holder: Any = schema
    for step in list(error.schema_path)[:-1]:
        try:
            holder = holder[step]
        except (KeyError, IndexError, TypeError):
            return "no such member"
    known = list(cast(Node, holder).get("properties", ())) if isinstance(holder, dict) else []
    names = ", ".join(known[:20]) + (", …" if len(known) > 20 else "")
    return f"no such member (known: {names or 'none'})"


def _types(kind: Any) -> str:
    return " or ".join(f"{'an' if name[0] in 'aio' else 'a'} {name}" if name != "null" else name for name in kind.types)


def _one_of(kind: Any) -> str:
    options = [json.dumps(option, ensure_ascii=False)[:80] for option in kind.options[:20]]
    return f"one of {', '.join(options)}{', …' if len(kind.options) > 20 else ''}"


def _limit(before: str, after: str) -> Callable[[Any], str]:
    return lambda kind: f"{before} {kind.limit}{after}"


_WANTED: dict[str, Callable[[Any], str]] = {
    "type": _types,
    "required": lambda kind: "a value, since it is required",
    "enum": _one_of,
    "const": lambda kind: json.dumps(kind.expected_value, ensure_ascii=False)[:100],
    "format": lambda kind: f"the format '{kind.format}'",
    "pattern": lambda kind: f"a string that matches {kind.pattern[:150]}",
    "minimum": _limit("at least", ""),
    "maximum": _limit("at most", ""),
    "exclusiveMinimum": _limit("more than", ""),
    "exclusiveMaximum": _limit("less than", ""),
    "multipleOf": lambda kind: f"a multiple of {kind.multiple_of}",
    "minLength": _limit("at least", " characters"),
    "maxLength": _limit("at most", " characters"),
    "minItems": _limit("at least", " items"),
    "maxItems": _limit("at most", " items"),
    "minProperties": _limit("at least", " members"),
    "maxProperties": _limit("at most", " members"),
    "uniqueItems": lambda kind: "no item twice",
    "contains": lambda kind: "an item that fits what the array must contain",
    "not": lambda kind: f"a value that does not fit {json.dumps(kind.schema, ensure_ascii=False)[:150]}",
    "propertyNames": lambda kind: f"other member names ({_wanted(kind.error, {})})",
}
