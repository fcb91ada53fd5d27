"""What the fields of a frozen setting take, as one table for each class: name to the check that gives what is kept.

A check is a function of a field's name and of the value given for it. It returns the value as it is kept, or raises a
`ConfigError` that names the field. No value is shown that may be a secret in the wrong place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast, get_args

from toolgraft.errors import ConfigError

Take: TypeAlias = Callable[[str, Any], Any]


def take_all(owner: object, takes: Mapping[str, Take]) -> None:
    """Check the fields of a frozen object that has just been made, and keep what the checks give."""
    for field, take in takes.items():
        object.__setattr__(owner, field, take(field, getattr(owner, field)))


def named(value: Any) -> str:
    """Return what an error calls a value: its kind, never itself."""
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    kind = type(value).__name__
    return f"{'an' if kind[:1].lower() in 'aeio' else 'a'} {kind}"


def flag(field: str, value: object) -> bool:
    """Take True or False and nothing else: `"no"` and `"false"` are true in Python."""
    if isinstance(value, bool):
        return value
    raise ConfigError(f"{field} is True or False, not {named(value)}")


def kind(kinds: type | tuple[type, ...], wanted: str) -> Take:
    """Take objects of a class or of several; `wanted` says what they are."""

    def take(field: str, value: object) -> object:
        if isinstance(value, kinds):
            return value
        raise ConfigError(f"{field} is {wanted}, not {named(value)}")

    return take


def one_of(literal: Any) -> Take:
    """Take the values of a `Literal`."""
    allowed = get_args(literal)

    def take(field: str, value: object) -> object:
        if any(value == each and type(value) is type(each) for each in allowed):
            return value
        raise ConfigError(f"{field} is one of {', '.join(map(repr, allowed))}, not {str(value)[:40]!r}")

    return take


def either(first: str, second: str) -> Take:
    """Take one of two words."""

    def take(field: str, value: object) -> object:
        if isinstance(value, str) and value in (first, second):
            return value
        given = repr(value[:40]) if isinstance(value, str) else named(value)
        raise ConfigError(f"{field} is {first!r} or {second!r}, not {given}")

    return take


def seconds(none: str = "", unit: str = "seconds") -> Take:
    """Take a number above 0; `none` says what None would mean, where it may be None."""

    def take(field: str, value: object) -> object:
        if value is None and none:
            return value
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:  # not NaN either
            return value
        hint = f": write {field}=value.total_seconds()" if hasattr(value, "total_seconds") else ""
        given = str(value) if isinstance(value, int | float) and not isinstance(value, bool) else named(value)
        or_none = f", or None for {none}" if none else ""
        raise ConfigError(f"{field} is a number of {unit} above 0{or_none}, not {given}{hint}")

    return take


def count(of: str = "a whole number of 0 or more", *, least: int = 0, none: str = "") -> Take:
    """Take a whole number of at least `least`; `none` says what None would mean, where it may be None."""

    def take(field: str, value: object) -> object:
        if value is None and none:
            return value
        if isinstance(value, int) and not isinstance(value, bool) and value >= least:
            return value
        given = f"{value}; the least is {least}" if type(value) is int else named(value)
        raise ConfigError(f"{field} is {of}{f', or None for {none}' if none else ''}, not {given}")

    return take


def function(of: str, none: bool = True) -> Take:
    """Take a function, as a rule or None; `of` says what it is a function of or what it does."""

    def take(field: str, value: object) -> object:
        if callable(value) or (value is None and none):
            return value
        raise ConfigError(f"{field} is a function {of}, not {named(value)}")

    return take


def by_name(take: Take | None = None) -> Take:
    """Take a mapping by name as a copy, so that nobody's later change reaches it; `take` checks each value."""

    def take_each(field: str, value: object) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise ConfigError(f"{field} is a mapping by name, not {named(value)}")
        copied = dict(cast("Mapping[str, Any]", value))
        if wrong := [key for key in copied if not isinstance(key, str)]:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"{field} is a mapping by name, and there is {named(wrong[0])} among its keys")
        return {key: take(f"{field}[{key!r}]", each) for key, each in copied.items()} if take else copied

    return take_each


def unless(passes: Callable[[object], bool], take: Take) -> Take:
    """Take what `passes` as it is, e.g. a function in place of a dict, and check anything else."""

    def take_rest(field: str, value: object) -> object:
        return value if passes(value) else take(field, value)

    return take_rest
