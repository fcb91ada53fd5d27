"""Which tools of a server: by name, by what is known of them, by a function of yours; put together with `&`, `|`, `~`.

    Http(url, only=read_only() & ~tagged("billing"))
    Http(url, without=["delete_*", where(lambda spec: spec.destructive)])

May import `spec` and `errors`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from inspect import isawaitable, iscoroutinefunction
from typing import Final, NoReturn, TypeAlias, cast

from toolgraft.errors import ConfigError
from toolgraft.spec import Safety, ToolSpec

_MARKS: Final = re.compile(r"[*?]|\[[^]]*]")


def is_pattern(name: str) -> bool:
    """Whether a name in a rule stands for more than one tool."""
    return any(mark in name for mark in "*?[")


def matches(name: str, pattern: str) -> bool:
    """Whether a wire name is the one in a rule, or one that its pattern stands for."""
    return name == pattern or fnmatchcase(name, pattern)


def most_telling(patterns: Iterable[str], name: str) -> list[str]:
    """Choose, of rules by name or pattern, those that hold for a tool: its name, else what tells most of that.

    Args:
        patterns: The names and patterns.
        name: The tool's name on the wire.

    Returns:
        None, one, or several that tell as much.
    """
    held = [pattern for pattern in patterns if matches(name, pattern)]
    most = max((_told(pattern, name) for pattern in held), default=0)
    return [pattern for pattern in held if _told(pattern, name) == most]


def _told(pattern: str, name: str) -> int:
    return len(name) + 1 if pattern == name else len(_MARKS.sub("", pattern))


class Filter:
    """A choice among tools. `read_only()`, `tagged(...)` and `where(...)` make one; `&`, `|` and `~` put them together.

    A string beside one is a name or a pattern: `read_only() | "save_*"`.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The names of tools, and patterns, that it speaks of."""
        return ()

    def keeps(self, spec: ToolSpec) -> bool:
        """Whether a tool is chosen."""
        raise NotImplementedError

    def __and__(self, other: Filter | str) -> Filter:
        return _All((self, as_filter(other)))

    def __rand__(self, other: str) -> Filter:
        return as_filter(other) & self

    def __or__(self, other: Filter | str) -> Filter:
        return _Any((self, as_filter(other)))

    def __ror__(self, other: str) -> Filter:
        return as_filter(other) | self

    def __invert__(self) -> Filter:
        return _Not(self)

    def __bool__(self) -> NoReturn:
        raise TypeError("filters are put together with `&`, `|` and `~`, not with `and`, `or` and `not`")


Chosen: TypeAlias = Filter | Sequence[str | Filter]
"""What `only` and `without` take: names, `*` patterns and filters, or one filter."""


def read_only() -> Filter:
    """Choose the tools that are decided to be read-only.

    A hint counts for that where the server is trusted; else it is `safety={...}` of the declaration that says so.
    """
    return _ReadOnly()


def tagged(*tags: str) -> Filter:
    """Choose the tools that have one of these tags.

    Servers write tags into a tool's `_meta`: under `tags`, and FastMCP under `fastmcp` or `_fastmcp`, `tags`.

    Raises:
        ConfigError: There are none, or one is no string.
    """
    if not tags or not all(isinstance(tag, str) for tag in tags):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConfigError('tagged(...) takes the tags, each a string: tagged("billing", "admin")')
    return _Tagged(frozenset(tags))


def where(chooses: Callable[[ToolSpec], bool]) -> Filter:
    """Choose the tools for which a function says so. One for which it raises is not served.

    Raises:
        ConfigError: It is no function, or a coroutine function; a list is judged once, for all runs.
    """
    if not callable(chooses) or iscoroutinefunction(chooses):
        raise ConfigError("where(...) takes a function of a ToolSpec that is not async")
    return _Where(chooses)


def filters_of(chosen: Chosen) -> tuple[Filter, ...]:
    """Give what `only` or `without` takes as filters; a tool is chosen that one of them keeps."""
    return (chosen,) if isinstance(chosen, Filter) else tuple(map(as_filter, chosen))


def as_filter(given: Filter | str) -> Filter:
    """Give a name or a pattern as a filter."""
    return given if isinstance(given, Filter) else _Named(given)


def tags_of(spec: ToolSpec) -> frozenset[str]:
    """The tags that a server gives a tool in its `_meta`."""
    holders = (spec.meta, spec.meta.get("fastmcp"), spec.meta.get("_fastmcp"))
    listed = (cast("Mapping[str, object]", each).get("tags") for each in holders if isinstance(each, Mapping))
    return frozenset(
        tag for tags in listed if isinstance(tags, list) for tag in cast("list[object]", tags) if isinstance(tag, str)
    )


@dataclass(frozen=True, repr=False)
class _Named(Filter):
    name: str

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    def keeps(self, spec: ToolSpec) -> bool:
        return matches(spec.ref.tool, self.name)

    def __repr__(self) -> str:
        return repr(self.name)


@dataclass(frozen=True, repr=False)
class _ReadOnly(Filter):
    def keeps(self, spec: ToolSpec) -> bool:
        return spec.safety is Safety.READ_ONLY

    def __repr__(self) -> str:
        return "read_only()"


@dataclass(frozen=True, repr=False)
class _Tagged(Filter):
    tags: frozenset[str]

    def keeps(self, spec: ToolSpec) -> bool:
        return not self.tags.isdisjoint(tags_of(spec))

    def __repr__(self) -> str:
        return f"tagged({', '.join(map(repr, sorted(self.tags)))})"


@dataclass(frozen=True, repr=False)
class _Where(Filter):
    chooses: Callable[[ToolSpec], bool]

    def keeps(self, spec: ToolSpec) -> bool:
        kept: object = self.chooses(spec)
        if isawaitable(kept):  # it would be true, whatever comes of it
            getattr(kept, "close", bool)()
            raise TypeError("its function is async")
        return bool(kept)

    def __repr__(self) -> str:
        return f"where({getattr(self.chooses, '__qualname__', type(self.chooses).__name__)})"


@dataclass(frozen=True, repr=False)
class _Several(Filter):
    parts: tuple[Filter, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for part in self.parts for name in part.names)


class _All(_Several):
    def keeps(self, spec: ToolSpec) -> bool:
        return all(part.keeps(spec) for part in self.parts)

    def __repr__(self) -> str:
        return f"({' & '.join(map(repr, self.parts))})"


class _Any(_Several):
    def keeps(self, spec: ToolSpec) -> bool:
        return any(part.keeps(spec) for part in self.parts)

    def __repr__(self) -> str:
        return f"({' | '.join(map(repr, self.parts))})"


@dataclass(frozen=True, repr=False)
class _Not(Filter):
    part: Filter

    @property
    def names(self) -> tuple[str, ...]:
        return self.part.names

    def keeps(self, spec: ToolSpec) -> bool:
        return not self.part.keeps(spec)

    def __repr__(self) -> str:
        return f"~{self.part!r}"
