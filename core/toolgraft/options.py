"""What holds for a whole toolbox: the values, the keyword arguments that give them, and their checks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, Protocol, TypedDict, TypeVar, cast

from toolgraft.config import Server, takes, wellformed
from toolgraft.config.approval import Approve, Approver, approve
from toolgraft.config.takes import Take, named, take_all
from toolgraft.dialects import PORTABLE, Dialect, dialect_named
from toolgraft.errors import ConfigError

if TYPE_CHECKING:
    from typing_extensions import ReadOnly

    from toolgraft.calls import Middleware
    from toolgraft.config import Visible
    from toolgraft.connection import Event
    from toolgraft.policies import Policy
    from toolgraft.schema import Strictness

_ELSEWHERE: Final = {
    "interceptors": "middleware",
    "tool_interceptors": "middleware",
    "require_approval": "approve",
    "needs_approval": "approve",
    "tool_filter": "visible",
    "tool_name_prefix": "prefix",
    "include_server_in_tool_names": "prefix",
    "convert_schemas_to_strict": "strict",
    "callbacks": "on_event",
    "handle_tool_errors": "errors",
    "handle_tool_error": "errors",
    "raise_on_error": "errors",
}
"""Keyword arguments of other libraries, and ours that do the same."""

_TOLD: Final = {
    "servers": "servers are given one by one: graft(*servers)",
    "connections": "a dict of connections is given as it is: graft(connections)",
    "config": "a config is given as it is: graft(config)",
}
"""Keyword arguments of other libraries that have no like here, and what to write."""


def _functions(field: str, value: Any) -> tuple[Any, ...]:
    if callable(value):
        raise ConfigError(f"{field} is a list of functions: write {field}=[...]")
    listed = _listed(field, value, "a list of functions")
    for each in listed:
        if not callable(each):
            raise ConfigError(f"{field} is a list of functions, and there is {named(each)} in it")
    return listed


def _plugins(field: str, value: Any) -> tuple[Any, ...]:
    listed = _listed(field, value, "a list")
    for each in listed:
        if isinstance(each, type):
            raise ConfigError(f"{field} is a list of objects, modules and names, not of {named(each)}: make one of it")
    return listed


def _listed(field: str, value: Any, wanted: str) -> tuple[Any, ...]:
    if isinstance(value, str):
        raise ConfigError(f"{field} is {wanted}, not a string: write {field}=[{value!r}]")
    if not isinstance(value, Iterable):
        raise ConfigError(f"{field} is {wanted}, not {named(value)}: write {field}=[...]")
    return tuple(cast("Iterable[Any]", value))


def _strictness(field: str, value: object) -> object:
    if value is False or value in ("natural", "full"):
        return value
    raise ConfigError(f"{field} is 'natural', 'full' or False, not {value!r}")


def _model(field: str, value: object) -> Dialect:
    if isinstance(value, Dialect):
        return value
    if isinstance(value, str):
        return dialect_named(value)
    raise ConfigError(f"{field} is the name of a provider or of a model, not {named(value)}")


_TAKES: Final[Mapping[str, Take]] = {
    "strict": _strictness,
    "model": _model,
    "live": takes.flag,
    "approve": approve,
    "approver": takes.function("of an ApprovalRequest"),
    "policies": _functions,
    "visible": takes.function("of a ToolSpec and a CallContext"),
    "middleware": _functions,
    "taken": wellformed.names_of_tools,
    "plugins": _plugins,
    "discover_plugins": takes.flag,
    "description_limit": takes.count("a number of characters", none="the whole"),
    "at_once": takes.count("a number of servers", least=1),
    "on_event": takes.function("of an Event"),
    "control_flow": takes.function("of an exception"),
}
"""By field: what it takes."""


@dataclass(frozen=True, slots=True)
class Options:
    """What holds for a whole toolbox. Each is a keyword argument of `connect` and `graft`.

    Attributes:
        strict: Which tools get an OpenAI strict schema: `"natural"` those that keep their shape, `"full"` nearly
            all, by encodings that are undone on the way back, False none.
        model: Which model reads the tools, or whose it is: `"openai:gpt-5"`, `"gemini"`, what the framework has for a
            model. Arguments and results then have that provider's best form; with nothing told, one that all take.
        live: Keep the yielded list current in place when a server changes its tools. A tool that has changed is a
            new object there: what you have set on the old one (an approval, a timeout) is not set on it.
        approve: Which calls wait for a person's yes, where a server does not say; see `Server.approve`.
        approver: Asks a person for a yes, `async (ApprovalRequest) -> bool | Decision`. Where the framework
            pauses a run for it, none is needed.
        policies: Functions from the list of a server's tools to those to serve, run after the filters of its
            declaration and the plugins' policies.
        visible: Says of each tool whether a run may see and call it, as a server's `visible` does of its own: a
            function of `ToolSpec` and `CallContext`, asked for each turn and again at each call. One that raises hides
            the tool, and both have to agree.
        middleware: Layers around each call, outermost first, inside those of plugins.
        taken: Names that tools of your own have already, or those tools: no grafted tool gets one of them. Of two tools
            of one name an agent has one; `create_agent` keeps the last of its list and tells nobody.
        plugins: Plugin objects or names of installed ones; these must load.
        discover_plugins: Whether installed plugins that nobody asked for take part.
        description_limit: Longest description given to the model, in characters; None gives them whole.
        at_once: How many servers are started at the same time.
        on_event: Told of what happens to connections, of what is decided on lists, and of each decision on a call (see
            `toolgraft.Event` and its subclasses). Called on the toolbox's event loop; it must return soon, and what it
            raises is logged.
        control_flow: Tells which exceptions of a declaration's functions (`elicit`, `headers`, ...) are how the host
            steers its run, e.g. an interrupt: these pass to whoever called the tool. The framework's own are known
            without it.
    """

    strict: Strictness = "natural"
    model: str | Dialect = PORTABLE
    live: bool = False
    approve: Approve | None = field(default=None, hash=False)
    approver: Approver | None = field(default=None, repr=False)
    policies: Sequence[Policy] = ()
    visible: Visible | None = None
    middleware: Sequence[Middleware] = ()
    taken: Collection[str] = ()
    plugins: Sequence[object] = ()
    discover_plugins: bool = True
    description_limit: int | None = None
    at_once: int = 32
    on_event: Callable[[Event], None] | None = field(default=None, repr=False)
    control_flow: Callable[[BaseException], bool] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        take_all(self, _TAKES)

    @property
    def dialect(self) -> Dialect:
        """What the model's provider takes."""
        return self.model if isinstance(self.model, Dialect) else dialect_named(self.model)


class HasName(Protocol):
    """A tool of any framework, as far as `taken` asks."""

    @property
    def name(self) -> str:
        """What a model calls it by."""
        ...


class GraftOptions(TypedDict, total=False):
    """The keyword arguments that every framework's `graft` takes; see `Options`."""

    strict: Strictness
    model: ReadOnly[object]
    live: bool
    approve: Approve | None
    approver: Approver | None
    policies: Sequence[Policy]
    visible: Visible | None
    middleware: Sequence[Middleware]
    taken: Collection[str | HasName | Callable[..., Any]]
    plugins: Sequence[object]
    discover_plugins: bool
    description_limit: int | None
    at_once: int
    on_event: Callable[[Event], None] | None
    control_flow: Callable[[BaseException], bool] | None


F = TypeVar("F", bound=Callable[..., Any])


def tells_options(*more: type) -> Callable[[F], F]:
    """Have `help()` of a function tell every option that it takes.

    Args:
        *more: Classes whose fields it takes as well, e.g. a framework's adapter.
    """

    def tell(function: F) -> F:
        told = "\n".join(_attributes_of(each) for each in (Options, *more))
        function.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\nOptions:\n{told}\n"
        return function

    return tell


def _attributes_of(kind: type) -> str:
    return inspect.cleandoc(kind.__doc__ or "").partition("Attributes:\n")[2].rstrip()


def options_of(given: Mapping[str, Any], *own: str) -> Options:
    """Make options of the keyword arguments of `connect`, or of a framework's `graft`.

    Args:
        given: The keyword arguments, without the framework's own.
        *own: Names of those that the framework's `graft` takes besides, for the error's hint.

    Raises:
        ConfigError: One has a value that it cannot have.
        TypeError: There is no such keyword argument.
    """
    known = [*own, *(each.name for each in fields(Options))]
    for name in given:
        if name not in known:
            raise TypeError(f"unexpected keyword argument {name!r}{_hint(name, known)}")
    return Options(**given)


def _hint(name: str, known: Sequence[str]) -> str:
    if name in (each.name for each in fields(Server)):
        return f": it is a server's, as in Stdio(..., {name}=...)"
    if name in _ELSEWHERE:
        ours = _ELSEWHERE[name]
        where = "" if ours in known else ", a server's"
        return f"; here it is {ours!r}{where}"
    if name in _TOLD:
        return f": {_TOLD[name]}"
    import difflib  # here, for a light import

    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; it takes {', '.join(known)}"
