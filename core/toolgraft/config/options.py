"""Small frozen settings that servers share: argument checks, size limits, who is calling."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from toolgraft.config import takes, wellformed
from toolgraft.config.takes import Take, take_all
from toolgraft.errors import ConfigError
from toolgraft.spec import Safety, ToolSpec

Era: TypeAlias = Literal["auto", "legacy", "2026-07-28"]
"""Which protocol to speak: probe for it, the `initialize` handshake, or the stateless revision."""

StandardError: TypeAlias = Literal["log", "inherit", "discard"] | Path
"""Where a child's standard error goes: to the log, to ours, nowhere, or to a file."""

OnError: TypeAlias = Literal["model", "raise"]
"""Whether a failed call is told to the model as an error result, or raised to the caller."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Which failed calls are told to the model, and which are raised, each kind by itself.

    Attributes:
        tool: The tool says that it failed, or its server refused the call or the result is refused.
        arguments: The model's arguments do not fit.
        connection: The server could not be reached, was too slow, or its answer was lost.
        application: Code of yours failed: middleware, a bound argument, a headers function.
    """

    tool: OnError = "model"
    arguments: OnError = "model"
    connection: OnError = "model"
    application: OnError = "model"

    def __post_init__(self) -> None:
        takes_one = takes.one_of(OnError)
        for name in ("tool", "arguments", "connection", "application"):
            takes_one(f"Errors({name}=...)", getattr(self, name))

    @classmethod
    def of(cls, given: OnError | Errors) -> Errors:
        """Give a setting in its long form."""
        return given if isinstance(given, Errors) else cls(given, given, given, given)


NameTool: TypeAlias = Callable[[str, str], str]
"""Names a tool for the model: a function of the server's name and the tool's name on the wire."""

UnknownTools: TypeAlias = Literal["error", "warn"]
"""Whether a rule that names a tool which the server does not list is an error, or recorded as a warning."""

SafetyWord: TypeAlias = Safety | Literal["read_only", "idempotent", "side_effect"]
"""What sending a call twice would do, as it is declared."""

OutputCheck: TypeAlias = Literal["warn", "error", "off"]
"""What happens to a result that misses its tool's output schema."""

ShowStructured: TypeAlias = Literal["once", "no_text", "never"]
"""When the structured value of a result is shown to the model beside its text."""

OnOverflow: TypeAlias = Literal["cut", "refuse", "spill"]
"""What happens to a text that is too long for the model."""


@dataclass(frozen=True, slots=True)
class Checks:
    """What is done with arguments before a call.

    Attributes:
        coerce: Repair lossless slips led by the schema, e.g. `"3"` where only an integer may stand.
        validate: Check against the server's schema; a misfit is told to the model and the server is not called.
    """

    coerce: bool = True
    validate: bool = True

    def __post_init__(self) -> None:
        take_all(self, {"coerce": takes.flag, "validate": takes.flag})


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a result the model is given, and how much is taken from a server at all.

    Attributes:
        text: Characters of text to the model (about a quarter as many tokens), or None for no cap. Pictures and
            files are never cut, and the whole stays in the artifact.
        error_text: The same for the text of a failed call, of which head and tail are kept.
        structured: When the structured value is shown: `"once"`, where the text does not say the same; `"no_text"`,
            only where there is no text at all; `"never"`. It stays in the artifact.
        source_line: Whether the text of an embedded resource begins with a line that names its URI. Without it, code
            can read the text as it is.
        on_overflow: `"cut"` keeps head and tail with a notice, `"refuse"` tells the model the size only,
            `"spill"` writes the whole to a file and names it.
        spill_to: Folder for `"spill"`, a path or a string; `~` is your home. It is made with mode 0700, files in it
            with 0600.
        spill_days: Days after which such a file is removed, when another is written; None keeps them.
        spill_files: How many such files are kept, the newest; None keeps all.
        image_bytes: Bytes of one picture to the model; above it the picture is scaled down (extra `images`)
            or left out with a note.
        image_pixels: Pixels (width times height) of one picture to the model, treated the same.
        file_bytes: Bytes of one file (a PDF) to the model, where the framework takes files; above it a sentence
            stands in its place.
        wire_bytes: Bytes of one whole result; above it the call fails with `ResultError`, which says that
            the tool ran.
        wire_values: JSON values in one whole result (members of its objects and lists), treated the same. A content
            block counts as ten, for it takes more work.
    """

    text: int | None = 200_000
    error_text: int | None = 50_000
    structured: ShowStructured = "once"
    source_line: bool = True
    on_overflow: OnOverflow = "cut"
    spill_to: Path | str | None = None
    spill_days: float | None = 7.0
    spill_files: int | None = 1_000
    image_bytes: int = 5_000_000
    image_pixels: int = 8_000_000
    file_bytes: int = 10_000_000
    wire_bytes: int = 64 * 1024 * 1024
    wire_values: int = 200_000

    def __post_init__(self) -> None:
        take_all(self, _OF_LIMITS)
        if self.on_overflow == "spill" and self.spill_to is None:
            raise ConfigError('on_overflow="spill" needs spill_to, the folder for the files')


_OF_LIMITS: Final[Mapping[str, Take]] = {
    "text": takes.count(none="no cap"),
    "error_text": takes.count(none="no cap"),
    "structured": takes.one_of(ShowStructured),
    "source_line": takes.flag,
    "on_overflow": takes.one_of(OnOverflow),
    "spill_to": takes.unless(lambda given: given is None, wellformed.path),
    "spill_days": takes.seconds(none="files are kept", unit="days"),
    "spill_files": takes.count(none="all of them"),
    "image_bytes": takes.count(),
    "image_pixels": takes.count(),
    "file_bytes": takes.count(),
    "wire_bytes": takes.count(),
    "wire_values": takes.count(),
}


@dataclass(frozen=True, slots=True)
class CallId:
    """Which call of the framework's a call is. The same call, resumed or repeated after a crash, has the same one.

    Attributes:
        call: The framework's id of the tool call; models choose it, so that it is unique only within its run.
        run: What the run is known by: a LangGraph thread, an Agents trace; empty where there is none.
        namespace: LangGraph's checkpoint namespace, which tells the steps of a run apart; else empty.
    """

    call: str
    run: str = ""
    namespace: str = ""


@dataclass(frozen=True, slots=True)
class CallContext:
    """Who is calling, for headers, bound arguments and elicitation made per call.

    Attributes:
        server: Name of the server.
        tool: Wire name of the tool, or None outside a call (connecting, listing).
        user: The framework's own context: LangChain's `RunnableConfig` or the OpenAI Agents `RunContextWrapper`;
            None when the toolbox was called directly.
        id: Which call of the framework's it is, or None where it does not say.
    """

    server: str
    tool: str | None = None
    user: object = field(default=None, repr=False)  # a framework's context may hold keys
    id: CallId | None = None


Visible: TypeAlias = Callable[[ToolSpec, CallContext], bool | Awaitable[bool]]
"""Whether a run may see and call a tool (it may be async). The context's `id` is None where tools are listed."""

Meta: TypeAlias = Mapping[str, Any] | Callable[[CallContext], Mapping[str, Any] | Awaitable[Mapping[str, Any]]]
"""Fixed `_meta` of requests, or a function that gives it for each call (it may be async)."""

Headers: TypeAlias = Mapping[str, str] | Callable[[CallContext], Mapping[str, str] | Awaitable[Mapping[str, str]]]
"""Fixed HTTP headers, or a function that gives them for each request (it may be async)."""


@dataclass(frozen=True, slots=True)
class Elicitation:
    """A server's question to a person in the middle of a call (MCP: elicitation).

    Attributes:
        context: The server, tool and caller that it belongs to; `tool` is None where the protocol does not tell.
        message: The question, written by the server.
        schema: JSON Schema of the form (a flat object), or None for a URL.
        url: The page to open after the person consents, or None for a form.
    """

    context: CallContext
    message: str
    schema: Mapping[str, Any] | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's answer to an `Elicitation`.

    Attributes:
        action: `"accept"`, `"decline"` or `"cancel"`.
        content: The filled form; what is missing is taken from the schema's defaults.
    """

    action: Literal["accept", "decline", "cancel"]
    content: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)


Elicit: TypeAlias = Callable[[Elicitation], Answer | Awaitable[Answer]]
"""Asks a person. May be a coroutine function; its time does not count against the call's limit."""
