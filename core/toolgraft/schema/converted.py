"""One tool schema, as the forms that a model may be given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from toolgraft.errors import SchemaError

Strictness = Literal["natural", "full", False]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a schema is not served as strict.

    Attributes:
        pointer: JSON pointer (RFC 6901) into the schema; empty for the root.
        sentence: One sentence.
    """

    pointer: str
    sentence: str


class Codec(Protocol):
    """Takes arguments from the form the model was given to the form the server takes, and back."""

    def decode(self, args: dict[str, Any]) -> dict[str, Any]:
        """Give the server's arguments for the model's; raises `ArgumentsError`."""
        ...

    def encode(self, args: dict[str, Any]) -> dict[str, Any]:
        """Give the model's arguments for the server's."""
        ...


class _Same:
    def decode(self, args: dict[str, Any]) -> dict[str, Any]:
        return args

    def encode(self, args: dict[str, Any]) -> dict[str, Any]:
        return args


@dataclass(frozen=True)
class Converted:
    """A tool's schema in the forms a model may be given.

    Attributes:
        plain: Accepted by every provider without strict mode.
        strict: Accepted by OpenAI's strict mode, or None.
        reason: Why `strict` is None; None when it is there.
        codec: From what the model writes to what the server takes.
    """

    plain: dict[str, Any]
    strict: dict[str, Any] | None
    reason: Reason | None
    codec: Codec


def convert(input_schema: Mapping[str, Any], strict: Strictness = "natural") -> Converted:
    """Give the forms of a tool's schema."""
    kind = input_schema.get("type", "object")
    if kind != "object":
        raise SchemaError(f"the arguments of a tool are an object, not {kind}")
    plain = {**input_schema, "type": "object", "properties": input_schema.get("properties", {})}
    return Converted(plain, None, Reason("", "strict form not asked for"), _Same())
