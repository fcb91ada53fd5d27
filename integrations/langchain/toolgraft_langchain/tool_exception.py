"""Failed calls that are raised, as LangChain's `ToolException` besides what they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from langchain_core.tools import ToolException
from toolgraft.errors import CallError, ToolgraftError, ToolOutcomeUnknownError


def as_tool_exception(error: Exception) -> Exception:
    """Give a failed call's error as a `ToolException` that still is what it was, e.g. a `ToolError`.

    `handle_tool_error` and retry middleware look for `ToolException`. Any other exception is given back as it is.
    """
    if not isinstance(error, CallError) or isinstance(error, ToolException):
        return error
    made = _again(type(error), error.args, vars(error))
    made.__cause__, made.__suppress_context__ = error.__cause__, True
    return made.with_traceback(error.__traceback__)


def may_retry(error: Exception) -> bool:
    """Whether a failed call may be made again, for `ToolRetryMiddleware(retry_on=may_retry)`.

    False where it may have run and had its side effect: repeating it is for whoever looked whether it happened.
    """
    if isinstance(error, ToolOutcomeUnknownError) or getattr(error, "may_have_run", False):
        return False
    return isinstance(error, ToolgraftError)


def failure_text(error: Exception) -> str:
    """Say what failed in the error's own words, for `ToolRetryMiddleware(on_failure=failure_text)`.

    The middleware's text ends in "Please try again", also for a call of which the error says not to repeat it.
    """
    return str(error)


def _again(kind: type[CallError], args: tuple[Any, ...], state: Mapping[str, Any]) -> CallError:
    both = _both(kind)
    error = both.__new__(both)
    error.args = args
    vars(error).update(state)
    return error


def _reduced(error: CallError) -> tuple[Any, ...]:
    return _again, (type(error).__mro__[1], error.args, vars(error))


def _both(kind: type[CallError]) -> type[CallError]:
    return cast("type[CallError]", type(kind.__name__, (kind, ToolException), {"__reduce__": _reduced}))
