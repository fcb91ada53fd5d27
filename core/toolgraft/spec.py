"""What a tool is, before any framework sees it: who it is, what it takes, what its server says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolRef:
    """The identity of a tool: it never changes, whatever name the model sees.

    Attributes:
        server: Name of the server in the caller's declaration.
        tool: Name of the tool on that server's wire.
    """

    server: str
    tool: str

    def __str__(self) -> str:
        return f"{self.server}.{self.tool}"


@dataclass(frozen=True, slots=True)
class Hints:
    """A server's claims about a tool, with the spec's defaults for what it leaves out (MCP: ToolAnnotations).

    They are claims: an untrusted server may say anything.

    Attributes:
        read_only: The tool does not modify its environment.
        destructive: It may delete or overwrite; only meaningful when not `read_only`.
        idempotent: Calling it again with the same arguments changes nothing more.
        open_world: It reaches out beyond a closed domain.
    """

    read_only: bool = False
    destructive: bool = True
    idempotent: bool = False
    open_world: bool = True


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool as its server declares it. Policies change it by `dataclasses.replace`.

    Attributes:
        ref: Identity: server and wire name.
        name: Public name, which the model sees.
        title: For people; by the spec's precedence title, annotations.title, name.
        description: For the model; empty when the server gives none.
        input_schema: JSON Schema of the arguments, as sent. Never mutated.
        output_schema: JSON Schema of the structured result as sent, or None.
        hints: The server's claims.
        meta: The tool's `_meta`, as sent.
    """

    ref: ToolRef
    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None = None
    hints: Hints = Hints()
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Refusal:
    """A tool that is not served, and why. Everything else of its server is.

    Attributes:
        ref: Server and wire name; the wire name is `#<index>` for a list member without one.
        pointer: JSON pointer (RFC 6901) into the tool as sent.
        reason: One sentence.
        hidden: Nothing is wrong with the tool: its own server keeps it from models.
    """

    ref: ToolRef
    pointer: str
    reason: str
    hidden: bool = False

    def __str__(self) -> str:
        return f"{self.ref}: {self.reason} (at '{self.pointer or '/'}')"
