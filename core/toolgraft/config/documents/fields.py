"""Takes the fields of one JSON object, checks their types, and knows what was left over."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, cast

from toolgraft.errors import ConfigError

_JSON_NAMES = {"dict": "an object", "list": "a list", "str": "a string", "bool": "a boolean", "int": "a number"}


def called(value: object) -> str:
    """Return what JSON calls the type of a value."""
    return "null" if value is None else _JSON_NAMES.get(type(value).__name__, f"a {type(value).__name__}")


def printable(text: str, longest: int = 80) -> str:
    """Return a name from a config file, fit to stand in a message: on one line, and without what steers a terminal."""
    shown = text[:longest]
    return shown if shown.isprintable() else repr(shown)[1:-1]


def object_of(value: object, what: str, where: str) -> Mapping[str, Any]:
    """Return a JSON object, also one that was made in code.

    Raises:
        ConfigError: It is none; `what` says what it should be. Or a key of it is no string.
    """
    if not isinstance(value, Mapping):
        raise ConfigError(f"must be {what}, not {called(value)}", where=where)
    keys = cast("Mapping[object, object]", value)
    if not all(isinstance(key, str) for key in keys):
        raise ConfigError("has a key that is no string", where=where)
    return cast("Mapping[str, Any]", value)


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that `name` is probably a slip of, whatever the case, or None."""
    plain = {each.lower().replace("_", ""): each for each in known}
    cutoff = 0.75 if len(name) > 4 else 0.65  # two letters of three may be swapped
    close = get_close_matches(name.lower().replace("_", ""), plain, n=1, cutoff=cutoff)
    return plain[close[0]] if close else None


@dataclass(frozen=True, repr=False)
class Fields:
    """The fields of one server's entry. Each is taken once, by the first of its names that is there.

    Attributes:
        raw: The entry as read.
        where: File and server, for errors.
        expand: Replaces `${…}` in a text; its second argument is the place, for errors.
    """

    raw: Mapping[str, Any]
    where: str
    expand: Callable[[str, str], str]
    taken: set[str] = field(default_factory=set[str])

    def __contains__(self, name: str) -> bool:
        return self.raw.get(name) is not None

    def at(self, name: str, detail: str = "") -> str:
        """Return where a field stands, for errors."""
        return f"{self.where}.{printable(name)}{printable(detail, 200)}"

    def left_over(self) -> list[str]:
        """Return the names that nobody took, as written."""
        return [name for name in self.raw if name not in self.taken]

    def value(self, *names: str) -> tuple[str, Any]:
        """Take a field by the first of its names that is there; the value is None when none is.

        Raises:
            ConfigError: Two of its names are there with different values.
        """
        self.taken.update(names)
        there = [name for name in names if name in self]
        if not there:
            return names[0], None
        first = there[0]
        for other in there[1:]:
            if self.raw[other] != self.raw[first]:
                raise ConfigError(f"contradicts '{first}'; keep one of the two", where=self.at(other))
        return first, self.raw[first]

    def text(self, *names: str) -> str | None:
        """Take a string and expand it."""
        name, value = self.value(*names)
        return None if value is None else self.expand(self._string(value, self.at(name)), self.at(name))

    def word(self, *names: str) -> str | None:
        """Take a string as it is."""
        name, value = self.value(*names)
        return None if value is None else self._string(value, self.at(name))

    def flag(self, *names: str) -> bool | None:
        """Take a boolean."""
        name, value = self.value(*names)
        if value is None or isinstance(value, bool):
            return value
        raise ConfigError(f"must be true or false, not {called(value)}", where=self.at(name))

    def number(self, *names: str) -> tuple[str, float | None]:
        """Take a number above 0, with the name that it was found by."""
        name, value = self.value(*names)
        if value is None:
            return name, None
        if isinstance(value, bool) or not isinstance(value, int | float) or not (0 < value < math.inf):
            hint = "; write its total_seconds()" if hasattr(value, "total_seconds") else ""
            raise ConfigError(f"must be a number above 0{hint}", where=self.at(name))
        return name, value

    def words(self, *names: str) -> tuple[str, ...] | None:
        """Take a list of strings as they are, e.g. names of tools."""
        name, value = self.value(*names)
        return None if value is None else tuple(self._strings(name, value, as_is=True))

    def texts(self, *names: str) -> tuple[str, ...] | None:
        """Take a list of strings and expand each; numbers become text."""
        name, value = self.value(*names)
        return None if value is None else tuple(self._strings(name, value, as_is=False))

    def table(self, *names: str) -> dict[str, str]:
        """Take an object of strings and expand its values; numbers become text, null leaves one out."""
        name, value = self.value(*names)
        if value is None:
            return {}
        filled: dict[str, str] = {}
        for key, each in object_of(value, "an object of strings", self.at(name)).items():
            here = self.at(name, f".{key}")
            if each is not None:
                filled[key] = self.expand(self._string(each, here, numbers=True), here)
        return filled

    def _strings(self, name: str, value: object, *, as_is: bool) -> Iterable[str]:
        if not isinstance(value, list | tuple):
            hint = f'; write ["{value}"]' if isinstance(value, str) and as_is else ", each argument on its own"
            raise ConfigError(f"must be a list of strings, not {called(value)}{hint}", where=self.at(name))
        for index, each in enumerate(cast("list[object]", value)):
            here = self.at(name, f"[{index}]")
            text = self._string(each, here, numbers=not as_is)
            yield text if as_is else self.expand(text, here)

    def _string(self, value: object, where: str, *, numbers: bool = False) -> str:
        if isinstance(value, str):
            return value
        if numbers and isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        hint = f'; write "{str(value).lower()}"' if isinstance(value, bool) else ""
        raise ConfigError(f"must be a string, not {called(value)}{hint}", where=where)
