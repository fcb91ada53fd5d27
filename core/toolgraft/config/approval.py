"""Which calls wait for a person's yes, who is asked, and what is asked and answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, cast, get_args

from toolgraft.config import takes
from toolgraft.config.options import CallContext
from toolgraft.config.takes import Take, named, take_all
from toolgraft.errors import ConfigError

if TYPE_CHECKING:
    from toolgraft.spec import ToolSpec

Word: TypeAlias = Literal["always", "never", "destructive", "side_effects"]
"""Every call; none; those that may delete or overwrite; those that do more than read."""

Permission: TypeAlias = Literal["ask", "allow"]
"""Whether the calls of a server go by the rules, or all without asking."""


class Asks(Protocol):
    """Tells whether a call waits for a yes, by tool, arguments and caller. One that raises means that it does."""

    def __call__(self, spec: ToolSpec, arguments: Mapping[str, Any], context: CallContext, /) -> bool | Awaitable[bool]:
        """Look at one call."""
        ...


Rule: TypeAlias = Word | Collection[str] | Asks
"""A word, wire names or `*` patterns of tools that are asked about, or a function."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One person's answer to an `ApprovalRequest`.

    Attributes:
        approved: Yes or no.
        reason: Why not; the model is told.
        by: Who decided, where more than one has to.
    """

    approved: bool
    reason: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """What a person is asked: whether exactly this call of exactly this tool may go.

    Attributes:
        spec: The tool, with its server, hints and safety.
        arguments: As the server will get them. Not in the repr: they may hold secrets.
        context: Who is calling, and which call of the framework's it is.
        digest: Stands for the tool's identity, its input schema and the arguments; an answer is for this digest alone.
        decided: The yes that are there already, where more than one is needed.
        required: How many are needed.
    """

    spec: ToolSpec
    arguments: Mapping[str, Any] = field(repr=False)
    context: CallContext
    digest: str
    decided: tuple[Decision, ...] = ()
    required: int = 1


Approver: TypeAlias = Callable[[ApprovalRequest], bool | Decision | Awaitable[bool | Decision]]
"""Asks a person. May be a coroutine function; its time does not count against the call's limit."""

Verify: TypeAlias = Callable[[Decision, ApprovalRequest], bool | Awaitable[bool]]
"""Whether a decision is of the person whom it names, e.g. by a signature. One that raises means that it is not."""


@dataclass(frozen=True, slots=True)
class Approval:
    """When a call waits for a yes, and how many persons have to say it.

    Attributes:
        rule: Which calls wait.
        required: How many different approvers have to say yes; one no ends the call.
        approvers: Who may decide: their names, or by name the function that asks each of them. Nobody's names: whoever
            is asked may.
        verify: Tells whether a decision is of whom it names.
        expires: Seconds after a yes within which the call has to go; a later one is asked about anew.
    """

    rule: Rule = "always"
    required: int = 1
    approvers: Collection[str] | Mapping[str, Approver] = ()
    verify: Verify | None = field(default=None, repr=False)
    expires: float = 300.0

    def __post_init__(self) -> None:
        take_all(self, _TAKES)
        if self.approvers and len(self.approvers) < self.required:
            raise ConfigError(f"Approval wants {self.required} yes of {len(self.approvers)} approvers")
        if self.required > 1 and not self.approvers:
            raise ConfigError("Approval(required=...) of more than one wants to know who: approvers=[...]")

    @property
    def asked_by_name(self) -> Mapping[str, Approver]:
        """The functions that ask approvers, by their names; empty where one function asks whoever is there."""
        given: Any = self.approvers
        return cast("Mapping[str, Approver]", given) if isinstance(given, Mapping) else {}

    @classmethod
    def of(cls, given: Rule | Approval) -> Approval:
        """Give a rule in its long form."""
        return given if isinstance(given, Approval) else cls(given)


Approve: TypeAlias = Rule | Approval | Mapping[str, Rule | Approval]
"""A rule, a whole `Approval`, or one of these by wire name or `*` pattern, of which the first that fits holds."""


def approve(field: str, given: Any) -> Any:
    """Check what `approve=` is given; patterns get their long form, which keeps the order."""
    if given is None or isinstance(given, Approval):
        return given
    if isinstance(given, Mapping):
        rules = cast("Mapping[object, Any]", given)
        return {_pattern(field, key): approve(f"{field}[{key!r}]", each) for key, each in rules.items()}
    return _rule(field, given)


def _pattern(field: str, key: object) -> str:
    if isinstance(key, str) and key:
        return key
    raise ConfigError(f"{field} has a rule for {named(key)}: rules go by the names of tools, or `*` patterns")


def _rule(field: str, given: Any) -> Any:
    if callable(given) or (isinstance(given, str) and given in get_args(Word)):
        return given
    if isinstance(given, str):
        words = ", ".join(map(repr, get_args(Word)))
        raise ConfigError(f"{field} is {words}, names of tools, or a function, not {given!r}; a name goes in a list")
    if isinstance(given, Collection) and not isinstance(given, bytes | Mapping):
        return tuple(_pattern(field, each) for each in cast("Collection[object]", given))
    raise ConfigError(f"{field} is a word, names of tools, or a function, not {named(given)}")


def _approvers(field: str, given: Any) -> Any:
    if isinstance(given, Mapping):
        return takes.by_name(takes.function("of an ApprovalRequest", none=False))(field, given)
    if isinstance(given, str) or not isinstance(given, Collection):
        raise ConfigError(f"{field} is a list of names, or a dict of functions by name, not {named(given)}")
    return tuple(dict.fromkeys(_pattern(field, each) for each in cast("Collection[object]", given)))


_TAKES: Final[Mapping[str, Take]] = {
    "rule": _rule,
    "required": takes.count("a number of approvers", least=1),
    "approvers": _approvers,
    "verify": takes.function("of a Decision and an ApprovalRequest"),
    "expires": takes.seconds(),
}
