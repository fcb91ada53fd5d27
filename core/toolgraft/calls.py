"""One call on its way to a server, and the onion of middleware around it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import Any, Final, Protocol, TypeAlias, TypedDict, cast, runtime_checkable

from toolgraft.config import CallContext, CallId
from toolgraft.errors import PluginError, ResultError, ToolOutcomeUnknownError
from toolgraft.result import ToolResult
from toolgraft.spec import Safety, ToolRef, ToolSpec


@dataclass(frozen=True, slots=True)
class Deadline:
    """The one limit of a call: all input rounds together, a person's time not counted.

    Attributes:
        seconds: The limit, or None for none.
        source: Where it was set, for the error, e.g. `Stdio(timeout=...)`.
        progress_cap: Seconds in all that a call may take when progress from the server restarts its limit;
            None, the default, means that progress changes nothing.
    """

    seconds: float | None
    source: str
    progress_cap: float | None = None


NO_DEADLINE: Final = Deadline(None, "no limit")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a call has come, as its server tells (MCP: progress).

    Attributes:
        done: What is done; it grows.
        total: What there is to do, where the server knows.
        message: For people.
    """

    done: float
    total: float | None = None
    message: str | None = None


OnProgress: TypeAlias = Callable[[Progress], None]
"""Told of each progress notice of a call, in the loop that its connection lives in. It must return soon."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of one tool, from the framework to the wire. Middleware changes it by `dataclasses.replace`.

    Attributes:
        spec: The tool.
        arguments: As the server takes them: decoded, bound arguments added. Not in the repr: they may hold a token.
        context: Who is calling, and which call of the framework's it is.
        deadline: How long the whole call may take.
        meta: What is sent beside the arguments (MCP: `_meta`), e.g. a tenant or a trace.
        on_progress: Told of progress; None does not ask the server for any.
    """

    spec: ToolSpec
    arguments: Mapping[str, Any] = field(repr=False)
    context: CallContext
    deadline: Deadline = NO_DEADLINE
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)
    on_progress: OnProgress | None = field(default=None, repr=False)

    @property
    def ref(self) -> ToolRef:
        """Which tool of which server."""
        return self.spec.ref

    @property
    def id(self) -> CallId | None:
        """Which call of the framework's it is, where the framework says."""
        return self.context.id

    @property
    def safety(self) -> Safety:
        """What sending it twice would do."""
        return self.spec.safety


class CallOptions(TypedDict, total=False):
    """What a caller may say of one call beside its arguments. Everything may be left out.

    Attributes:
        user: The framework's own context, for headers, bound arguments and middleware.
        id: Which call of the framework's it is.
        timeout: Seconds for this call, before the server's own limit.
        meta: What is sent beside the arguments (MCP: `_meta`), on top of the declaration's.
        on_progress: Told of the server's progress.
    """

    user: object
    id: CallId | None
    timeout: float | None
    meta: Mapping[str, Any]
    on_progress: OnProgress | None


Handler: TypeAlias = Callable[[Call], Awaitable[ToolResult]]
"""The rest of the line: sends the call and gives its result."""


@runtime_checkable
class Middleware(Protocol):
    """One layer around calls: sees the call before, the result after, and may answer in its place.

    It runs in the caller's task and may raise; a layer must not call `proceed` twice for a tool with side effects.
    The arguments are checked after the last layer, so that a layer may add one that the tool requires. In place of a
    `ToolResult` it may answer with a value of the framework's own, e.g. LangGraph's `Command`.
    """

    async def __call__(self, call: Call, proceed: Handler, /) -> ToolResult:
        """Handle the call, as a rule by `await proceed(call)`."""
        ...


def onion(layers: Sequence[Middleware], innermost: Sequence[Middleware], send: Handler) -> Handler:
    """Wrap `send` in layers, the first one outermost.

    Args:
        layers: Those of plugins and callers.
        innermost: Our own, next to `send`: no other layer gets behind them.
        send: Puts the call on the wire.
    """
    handler = send
    for layer in reversed(innermost):
        handler = _around(layer, handler)
    for layer in reversed(layers):
        handler = _guarded(layer, handler)
    return handler


def _around(layer: Middleware, inner: Handler) -> Handler:
    async def handle(call: Call) -> ToolResult:
        return await layer(call, inner)

    return handle


def _guarded(layer: Middleware, inner: Handler) -> Handler:
    async def handle(call: Call) -> ToolResult:
        ran = False

        async def proceed(changed: Call) -> ToolResult:
            nonlocal ran
            if changed.ref != call.ref:
                raise PluginError(
                    f"middleware {_name(layer)} replaced the tool of a call, {call.ref}, by {changed.ref}: "
                    "a call goes to its own tool only; call the other one by toolbox.call(...)"
                )
            try:
                result = await inner(changed)
            except Exception as error:
                ran = ran or may_have_run(error)
                raise
            ran = True
            return result

        try:
            return _answer_of(layer, await _awaitable(layer, layer(call, proceed)))
        except Exception as error:
            if ran and not may_have_run(error):
                error.add_note(RAN)
            raise

    return handle


RAN: Final = "The tool had run, or may have: look at what it did before you repeat it."
"""The note of an exception that middleware raised after its call had reached the server."""


def may_have_run(error: BaseException) -> bool:
    """Whether a failed call may have been carried out, so that making it again may do twice what it does.

    True also of exceptions that middleware raised after the tool had run. False for a tool that says itself that it
    failed.
    """
    if isinstance(error, ToolOutcomeUnknownError | ResultError) or getattr(error, "may_have_run", False):
        return True
    return RAN in getattr(error, "__notes__", ())


def _awaitable(layer: Middleware, made: object) -> Awaitable[object]:
    if not isawaitable(made):
        raise PluginError(f"middleware {_name(layer)} is no coroutine function: write `async def` and no `yield`")
    return made


def _answer_of(layer: Middleware, answer: object) -> ToolResult:
    if answer is None:
        raise PluginError(f"middleware {_name(layer)} answered with nothing: return await proceed(call)")
    if isawaitable(answer):
        _drop(answer)
        raise PluginError(f"middleware {_name(layer)} did not await its call: return await proceed(call)")
    return answer if isinstance(answer, ToolResult) else ToolResult(native=answer)


def _drop(unawaited: Awaitable[object]) -> None:
    """End what nobody will await: a coroutine that has not begun, or a task."""
    end = getattr(unawaited, "close", None) or getattr(unawaited, "cancel", None)
    if end is not None:
        end()


def _name(layer: Middleware) -> str:
    return cast("str", getattr(layer, "__qualname__", type(layer).__name__))
