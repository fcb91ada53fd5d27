"""One member of a server's list of prompts or resources: its names and texts, within the limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

from toolgraft.config.list_limits import ListLimits
from toolgraft.connection.listing.bounds import within
from toolgraft.content.hidden import without_hidden
from toolgraft.content.text import encodable

T = TypeVar("T")

_HEAD = 40


class NotOffered(Exception):
    """A member of a list cannot be taken; the message says why."""


class Member:
    """Reads the members of one object, whatever a server put there."""

    def __init__(self, raw: object, limits: ListLimits) -> None:
        if not isinstance(raw, Mapping):
            raise NotOffered(f"it is {type(raw).__name__}, not an object")
        self._raw = cast("Mapping[str, Any]", raw)
        self._limits = limits

    def name(self, key: str, most: int | None = None) -> str:
        """A text by which it is asked for; it goes back to the server as it came.

        Raises:
            NotOffered: It is none, or too long.
        """
        value, most = self._raw.get(key), self._limits.name if most is None else most
        if not isinstance(value, str) or not value:
            raise NotOffered(f"its {key} is {type(value).__name__ if value != '' else 'empty'}, not a text")
        if len(value) > most:
            raise NotOffered(f"its {key} has {len(value):,} characters, more than {most:,}: {value[:_HEAD]!a}…")
        if encodable(value) != value:
            raise NotOffered(f"its {key} holds what is no text")
        return value

    def text(self, key: str) -> str:
        """A text for people and models, as they see it; empty where there is none."""
        value = self._raw.get(key)
        if not isinstance(value, str):
            return ""
        shown = encodable(value) if self._limits.hidden == "keep" else without_hidden(value)
        return within(shown, self._limits.description_bytes)

    def said(self, key: str) -> str | None:
        """A text, or None."""
        return self.text(key) or None

    def count(self, key: str) -> int | None:
        """A number of something, or None."""
        value = self._raw.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**63:
            return None
        return int(value)

    def flag(self, key: str) -> bool:
        """Whether it is so; what is no boolean is not."""
        return self._raw.get(key) is True

    def listed(self, key: str) -> list[object]:
        """The members of a list; of nothing else there are any."""
        value = self._raw.get(key)
        return cast("list[object]", value) if isinstance(value, list) else []

    def object(self, key: str) -> Mapping[str, Any]:
        """An object as sent; empty where there is none."""
        value = self._raw.get(key)
        return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def read_all(
    server: str, what: str, listed: Iterable[object], read: Callable[[object], T]
) -> tuple[list[T], list[str]]:
    """Read a list; what is wrong with a member costs that one.

    Returns:
        What could be read, and a sentence for each member that could not.
    """
    found: list[T] = []
    refused: list[str] = []
    for at, raw in enumerate(listed):
        try:
            found.append(read(raw))
        except NotOffered as error:
            refused.append(f"server '{server}': {what} #{at} is left out: {error}")
    return found, refused
