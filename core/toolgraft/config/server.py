"""What every server has in common, however it is reached."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self, TypedDict

from toolgraft.config import takes, wellformed
from toolgraft.config.approval import Approve, Permission, approve
from toolgraft.config.keywords import unexpected
from toolgraft.config.list_limits import ListLimits
from toolgraft.config.misplaced import Declaration
from toolgraft.config.options import (
    Checks,
    Elicit,
    Era,
    Errors,
    Limits,
    Meta,
    NameTool,
    OnError,
    OutputCheck,
    SafetyWord,
    UnknownTools,
    Visible,
)
from toolgraft.config.takes import Take, take_all
from toolgraft.filters import Chosen


@dataclass(frozen=True, kw_only=True, repr=False)
class Server(Declaration):
    """What any server may be told.

    Attributes:
        name: What it is called in names, errors and logs; taken from the target when left out.
        required: Whether `graft` raises when it fails, instead of going on with the others.
        trust: Whether its hints are believed. Untrusted hints can only tighten, never loosen.
        safety: What sending a call twice would do, `"read_only"`, `"idempotent"` or `"side_effect"`, by wire name or
            `*` pattern. It wins over everything that a server says, and over `repeatable`. Of several that match, the
            one that tells most of the name holds.
        only: Wire names or `*` patterns of the tools to serve, or filters (see `toolgraft.filters`); empty means all.
        without: The same for tools not to serve; it wins.
        visible: Says of each tool whether a run may see and call it: a function of `ToolSpec` and `CallContext`, asked
            for each turn and again at each call. One that raises hides the tool. None shows all.
        unknown_tools: Whether a name in a rule that the server does not list is an `"error"`, or a warning
            (`"warn"`) in `toolbox.warnings`.
        prefix: True gives public names `mcp__<server>__<tool>`, a string gives `<string>_<tool>`, and a function of
            server and tool gives the name itself; it is made legal, and one of a kind.
        timeout: Seconds for one call, all input rounds together, or None for no limit. A person's time is
            not counted.
        tool_timeouts: The same by wire name or `*` pattern, before `timeout`.
        progress_cap: Seconds in all that a call may take when each progress notice of the server starts its limit
            anew; None, the default, means that progress changes nothing.
        connect_timeout: Seconds for starting, handshake and first tool list.
        era: Protocol to speak; `"auto"` probes and remembers.
        bind: Arguments the model does not see and cannot set, by name; they are added to each call of a
            tool that takes them. A value may be a function of the `CallContext`.
        meta: What is sent beside the arguments of each call (MCP: `_meta`), e.g. a tenant; or a function of the
            `CallContext` that gives it. A call's own `meta` goes on top.
        errors: Whether failed calls go to the model (the default) or are raised; `Errors(...)` tells their kinds apart.
        checks: What is done with arguments before a call.
        limits: How much of a result is taken and shown.
        tool_limits: The same by wire name or `*` pattern, before `limits`.
        list_limits: How much of its tool list is taken, and what happens to what is more or is hidden in it.
        provenance: Whether each description begins with a line that says which tool of which server it is.
        output_check: What happens to a result that misses its output schema.
        approve: Which calls wait for a person's yes: `"always"`, `"never"`, `"destructive"`, `"side_effects"`, names or
            `*` patterns, a function, an `Approval`, or a dict of these by name or pattern. None leaves it to the graft.
        permission: `"allow"` lets every call of this server go without asking, whatever the graft says.
        repeatable: Wire names or `*` patterns of tools that may be sent again after a lost answer, by your word.
        elicit: Asks a person when the server needs input; None declines and does not offer it.
        resources: Whether a model is given two more tools, `list_resources` and `read_resource`, unless the server has
            tools of these names; `only` leaves them in.
        follow_links: How many linked resources of one result are read and put in its place; 0 leaves links.
        client_info: Name and version to introduce ourselves with.
    """

    transport: ClassVar[str]
    """How it is reached, in a word or two."""

    _takes: ClassVar[Mapping[str, Take]] = {
        "name": takes.kind(str, "a string"),
        "required": takes.flag,
        "trust": takes.flag,
        "safety": takes.by_name(wellformed.safety),
        "only": wellformed.chosen,
        "without": wellformed.chosen,
        "visible": takes.function("of a ToolSpec and a CallContext"),
        "unknown_tools": takes.one_of(UnknownTools),
        "prefix": takes.unless(
            callable, takes.kind((bool, str), "True, False, a string, or a function of server and tool")
        ),
        "timeout": takes.seconds(none="no limit"),
        "tool_timeouts": takes.by_name(takes.seconds(none="no limit")),
        "progress_cap": takes.seconds(none="progress changes nothing"),
        "connect_timeout": takes.seconds(),
        "era": takes.one_of(Era),
        "bind": takes.by_name(),
        "meta": takes.unless(callable, takes.by_name()),
        "errors": takes.unless(lambda given: isinstance(given, Errors), takes.one_of(OnError)),
        "checks": takes.kind(Checks, "Checks(coerce=..., validate=...)"),
        "limits": takes.kind(Limits, "Limits(text=..., ...)"),
        "tool_limits": takes.by_name(takes.kind(Limits, "Limits(text=..., ...)")),
        "list_limits": takes.kind(ListLimits, "ListLimits(description_bytes=..., ...)"),
        "provenance": takes.flag,
        "output_check": takes.one_of(OutputCheck),
        "approve": approve,
        "permission": takes.one_of(Permission),
        "repeatable": wellformed.names,
        "elicit": takes.function("of an Elicitation"),
        "resources": takes.flag,
        "follow_links": takes.count("a number of links"),
        "client_info": wellformed.name_and_version,
    }
    """By field: what it takes. Each kind of server has a table of its own fields too."""

    name: str = ""
    required: bool = False
    trust: bool = False
    safety: Mapping[str, SafetyWord] = field(default_factory=dict[str, SafetyWord], hash=False)
    only: Chosen = ()
    without: Chosen = ()
    visible: Visible | None = None
    unknown_tools: UnknownTools = "error"
    prefix: bool | str | NameTool = False
    timeout: float | None = 300.0
    tool_timeouts: Mapping[str, float | None] = field(default_factory=dict[str, "float | None"], hash=False)
    progress_cap: float | None = None
    connect_timeout: float = 60.0
    era: Era = "auto"
    bind: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    meta: Meta = field(default_factory=dict[str, Any], hash=False)
    errors: OnError | Errors = "model"
    checks: Checks = Checks()
    limits: Limits = Limits()
    tool_limits: Mapping[str, Limits] = field(default_factory=dict[str, Limits], hash=False)
    list_limits: ListLimits = ListLimits()
    provenance: bool = False
    output_check: OutputCheck = "warn"
    approve: Approve | None = field(default=None, hash=False)
    permission: Permission = "ask"
    repeatable: Sequence[str] = ()
    elicit: Elicit | None = None
    resources: bool = False
    follow_links: int = 0
    client_info: tuple[str, str] | None = None

    def __init_subclass__(cls) -> None:
        """Have `help()` of each kind of server tell the common fields too."""
        if cls.__doc__ and not cls.__name__.startswith("_"):
            cls.__doc__ = f"{inspect.cleandoc(cls.__doc__)}\n\nCommon fields:\n{_common_fields()}\n"

    def __new__(cls, *_: object, **given: object) -> Self:
        """Refuse arguments that are not taken, with what was probably meant."""
        known = [each.name for each in fields(cls)]
        for name in given:
            if name not in known:
                raise unexpected(cls.__name__, name, known)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for kind in type(self).__mro__:  # its own fields first
            take_all(self, vars(kind).get("_takes", {}))
        self._set("name", self.name or self._derived_name())

    def _set(self, field_name: str, value: object) -> None:
        object.__setattr__(self, field_name, value)

    @property
    def target(self) -> str:
        """The command or URL, without secrets."""
        raise NotImplementedError

    def _derived_name(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.target!r}, name={self.name!r})"


def _common_fields() -> str:
    return inspect.cleandoc(Server.__doc__ or "").partition("Attributes:\n")[2].rstrip()


class ServerOptions(TypedDict, total=False):
    """The fields of `Server`, for signatures that pass them on."""

    name: str
    required: bool
    trust: bool
    safety: Mapping[str, SafetyWord]
    only: Chosen
    without: Chosen
    visible: Visible | None
    unknown_tools: UnknownTools
    prefix: bool | str | NameTool
    timeout: float | None
    tool_timeouts: Mapping[str, float | None]
    progress_cap: float | None
    connect_timeout: float
    era: Era
    bind: Mapping[str, Any]
    meta: Meta
    errors: OnError | Errors
    checks: Checks
    limits: Limits
    tool_limits: Mapping[str, Limits]
    list_limits: ListLimits
    provenance: bool
    output_check: OutputCheck
    approve: Approve | None
    permission: Permission
    repeatable: Sequence[str]
    elicit: Elicit | None
    resources: bool
    follow_links: int
    client_info: tuple[str, str] | None
