"""What a tool answered, in neutral form: parts, structured value, error flag."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, TypeAlias


class Absent(Enum):
    """The type of `ABSENT`."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final = Absent.ABSENT
"""No structured value was sent; `None`, `{}`, `[]`, `0` and `False` are values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What all parts of a result have in common (MCP: content block annotations).

    Attributes:
        audience: Who the part is for, of `"user"` and `"assistant"`; empty means both.
        priority: 0 (optional) to 1 (required), or None when the server does not say.
        origin: The kind of block it came from, e.g. `"text"`, `"resource"`, `"resource_link"`.
        last_modified: ISO 8601 time of its last change, as sent.
        meta: The block's `_meta`, as sent.
    """

    audience: tuple[str, ...] = ()
    priority: float | None = None
    origin: str = "text"
    last_modified: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def for_model(self) -> bool:
        """Whether the part is meant for the model (no audience, or one that has the assistant)."""
        return not self.audience or "assistant" in self.audience


@dataclass(frozen=True, slots=True)
class Text(Part):
    """Plain text.

    Attributes:
        text: The text.
        uri: Where it came from, for the text of an embedded resource.
        mime_type: Its media type, where one was given.
    """

    text: str
    uri: str | None = None
    mime_type: str | None = None


@dataclass(frozen=True, slots=True)
class Image(Part):
    """A picture that models take: png, jpeg, gif or webp, as its own bytes say.

    Attributes:
        data: Base64, standard alphabet, no line breaks; decoded only by those who need bytes.
        mime_type: Media type by magic bytes, whatever the label said.
        uri: Where it came from, for an embedded resource.
    """

    data: str = field(repr=False)
    mime_type: str
    uri: str | None = None


@dataclass(frozen=True, slots=True)
class Audio(Part):
    """Sound. Models of today's tool calls do not take it; it stays in the artifact.

    Attributes:
        data: Base64.
        mime_type: Media type as labelled.
        uri: Where it came from, for an embedded resource.
    """

    data: str = field(repr=False)
    mime_type: str
    uri: str | None = None


@dataclass(frozen=True, slots=True)
class File(Part):
    """Bytes of any other kind.

    Attributes:
        data: Base64.
        mime_type: Media type as labelled, by magic bytes when the label is missing or says nothing.
        name: File name, from the URI where there is one.
        uri: Where it came from.
    """

    data: str = field(repr=False)
    mime_type: str = "application/octet-stream"
    name: str | None = None
    uri: str | None = None


@dataclass(frozen=True, slots=True)
class Link(Part):
    """A pointer to a resource that can be read from the server (MCP: ResourceLink).

    Attributes:
        uri: Its URI.
        name: Its name.
        title: For people.
        description: What is behind it.
        mime_type: Media type.
        size: Bytes, if known.
    """

    uri: str
    name: str | None = None
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None


AnyPart: TypeAlias = Text | Image | Audio | File | Link


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered.

    Attributes:
        parts: The content blocks in the order sent.
        structured: The structured value, any JSON; `ABSENT` when none was sent.
        is_error: The tool says that it failed; parts and structured value say how.
        meta: The result's `_meta`.
        warnings: What was noticed on the way (e.g. a result that misses its output schema), a sentence each.
        native: A value of the framework's own that middleware answered with; it goes to the framework as it is.
    """

    parts: tuple[AnyPart, ...] = ()
    structured: Any = ABSENT
    is_error: bool = False
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])
    warnings: tuple[str, ...] = ()
    native: object = field(default=None, repr=False)
