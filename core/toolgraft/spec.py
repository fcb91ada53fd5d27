"""What a tool is, before any framework sees it: who it is, what it takes, what its server says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, TypeAlias


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
    """A server's claims about a tool (MCP: ToolAnnotations). None means that it does not tell.

    They are claims: an untrusted server may say anything. Decisions are made on `filled`.

    Attributes:
        read_only: The tool does not modify its environment.
        destructive: It may delete or overwrite; only meaningful when not `read_only`.
        idempotent: Calling it again with the same arguments changes nothing more.
        open_world: It reaches out beyond a closed domain.
    """

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None

    @property
    def filled(self) -> FilledHints:
        """The same with the spec's defaults for what is not told; nothing that is read-only is destructive."""
        read_only = self.read_only is True
        return FilledHints(
            read_only=read_only,
            destructive=self.destructive is not False and not read_only,
            idempotent=self.idempotent is True,
            open_world=self.open_world is not False,
        )


@dataclass(frozen=True, slots=True)
class FilledHints:
    """Hints on which a decision can be made. Fields as in `Hints`, none of them open."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool


class Safety(Enum):
    """What sending a call twice would do. Decided in `toolgraft.policies.safety`, and read from `ToolSpec.safety`."""

    READ_ONLY = "read_only"
    IDEMPOTENT = "idempotent"
    SIDE_EFFECT = "side_effect"

    @property
    def repeatable(self) -> bool:
        """Whether a call whose answer was lost may be sent again."""
        return self is not Safety.SIDE_EFFECT


@dataclass(frozen=True, slots=True)
class SafetyReason:
    """Why a tool's `safety` is what it is.

    Attributes:
        by: `"safety"` or `"repeatable"`, the field of the declaration that says so; `"trust"`, a hint of a trusted
            server; `"untrusted"`, a hint that would relax it and does not count; `"default"`, nobody says anything.
        sentence: The same for people.
    """

    by: Literal["safety", "repeatable", "trust", "untrusted", "default"]
    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Flag:
    """Something in a tool that a person should know of, though it is served.

    Attributes:
        pointer: JSON pointer (RFC 6901) into the tool as sent.
        reason: What it is, e.g. `characters that nobody sees: U+200B`.
    """

    pointer: str
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} (at '{self.pointer or '/'}')"


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
        safety: What sending a call twice would do, by the user's word or by the hints of a trusted server.
        safety_reason: Why it is that.
        destructive: Whether it may delete or overwrite, as decided; never where it is read-only.
        meta: The tool's `_meta`, as sent.
        flags: What its server hides in it, or what was cut of it.
    """

    ref: ToolRef
    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None = None
    hints: Hints = Hints()
    safety: Safety = Safety.SIDE_EFFECT
    safety_reason: SafetyReason = SafetyReason("default", "nobody says otherwise")
    destructive: bool = True
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Renamed:
    """A tool that a model knows by another name than its server does.

    Attributes:
        ref: Server and wire name.
        name: Public name.
        reason: Why, in one sentence.
    """

    ref: ToolRef
    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.ref} is '{self.name}': {self.reason}"


RefusalKind: TypeAlias = Literal["defect", "rule", "hidden"]
"""Why a tool is not served: it cannot be, the user does not want it, or its server does not want it."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A tool that is not served, and why. Everything else of its server is.

    Attributes:
        ref: Server and wire name; the wire name is `#<index>` for a list member without one.
        pointer: JSON pointer (RFC 6901) into the tool as sent.
        reason: One sentence.
        kind: `"defect"` where something is wrong with the tool, `"rule"` where a filter or a policy leaves it out,
            `"hidden"` where its own server keeps it from models.
    """

    ref: ToolRef
    pointer: str
    reason: str
    kind: RefusalKind = "defect"

    def __str__(self) -> str:
        return f"{self.ref}: {self.reason} (at '{self.pointer or '/'}')"
