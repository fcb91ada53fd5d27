"""Failed calls: which are told to the model, as results, and which are raised."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, cast

from toolgraft.calls import RAN
from toolgraft.config import Errors, Limits, Server
from toolgraft.errors import (
    ArgumentsError,
    CallError,
    ClosedError,
    ConnectError,
    DeadlineError,
    PluginError,
    ToolError,
    ToolgraftError,
    ToolOutcomeUnknownError,
    TransportError,
    UnknownToolError,
)
from toolgraft.result import Text, ToolResult
from toolgraft.shown import for_model
from toolgraft.spec import ToolRef

_log: Final = logging.getLogger("toolgraft")

_CONNECTION: Final = (ConnectError, DeadlineError, ToolOutcomeUnknownError, TransportError)
_ARGUMENTS: Final = (ArgumentsError, UnknownToolError)


def steers_nothing(error: BaseException) -> bool:
    """For a framework that has no control flow by exceptions."""
    return False


async def told(
    call: Awaitable[ToolResult],
    ref: ToolRef,
    server: Server,
    limits: Limits,
    steers: Callable[[BaseException], bool] = steers_nothing,
) -> ToolResult:
    """Await a call, and give its failure as a result where the server's `errors` say so.

    Args:
        call: The call.
        ref: The tool.
        server: Its declaration.
        limits: How much of an error's text is told.
        steers: Whether an exception is the framework's own control flow, which passes as it is.

    Raises:
        ClosedError: The toolbox is closed: a mistake of the program, of which no model can make anything.
        ToolgraftError: Whatever failed, where `errors` say that it is raised; a `ToolError` for a tool that says
            itself that it failed.
        Exception: One that steers the framework, or one of the application's own code that is to be raised.
    """
    errors = Errors.of(server.errors)
    try:
        result = await call
        if result.is_error and errors.tool == "raise":
            raise ToolError(ref, for_model(result, limits, whole_at="the error's result").text, result=result)
    except Exception as error:
        if isinstance(error, ClosedError) or steers(error) or _raises(errors, error):
            raise
        if isinstance(error, ToolgraftError):
            return failure(error)
        _log.error("a call of %s failed", ref, exc_info=error)
        inside = CallError(ref, f"it failed inside the agent: {type(error).__name__}")
        return failure(inside, ran=RAN in getattr(error, "__notes__", ()))
    return result


def failure(error: ToolgraftError, *, ran: bool = False) -> ToolResult:
    """Tell the model of a failed call, and where middleware failed after the tool `ran`, of that too."""
    noted = ran or RAN in getattr(error, "__notes__", ())
    return ToolResult(parts=(Text(f"{error}. {RAN}" if noted else str(error)),), is_error=True)


def _raises(errors: Errors, error: Exception) -> bool:
    if isinstance(error, _ARGUMENTS):
        return errors.arguments == "raise"
    if isinstance(error, _CONNECTION):
        return errors.connection == "raise"
    if isinstance(error, ToolgraftError) and not isinstance(error, PluginError):
        return errors.tool == "raise"
    return errors.application == "raise"


def also(error: ToolgraftError, kind: type[Exception]) -> ToolgraftError:
    """Give an error that still is what it was, and an exception of the framework's `kind` as well.

    Frameworks let their own exceptions pass and wrap or hide all others. It pickles, as the error did.
    """
    if isinstance(error, kind):
        return error
    made = _again(type(error), kind, error.args, vars(error))
    made.__cause__, made.__suppress_context__ = error.__cause__, True
    return made.with_traceback(error.__traceback__)


def _again(
    ours: type[ToolgraftError], kind: type[Exception], args: tuple[Any, ...], state: Mapping[str, Any]
) -> ToolgraftError:
    def reduced(error: ToolgraftError) -> tuple[Any, ...]:
        return _again, (ours, kind, error.args, state)  # not what the framework has put on it since

    both = cast("type[ToolgraftError]", type(ours.__name__, (ours, kind), {"__reduce__": reduced}))
    error = both.__new__(both)  # without the constructors: `args` is the finished text, not what made it
    error.args = args
    vars(error).update(state)
    return error
