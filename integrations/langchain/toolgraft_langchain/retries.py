"""What retry middleware has to know of a failed call that is raised."""

from __future__ import annotations

from toolgraft.calls import may_have_run
from toolgraft.errors import ArgumentsError, ClosedError, ToolgraftError


def may_retry(error: Exception) -> bool:
    """Whether a failed call may be made again, for `ToolRetryMiddleware(retry_on=may_retry)`.

    False where it may have run and had its side effect: repeating it is for whoever looked whether it happened. False
    also for arguments that do not fit and for tools that are closed: the next time is no better.
    """
    if isinstance(error, ArgumentsError | ClosedError) or may_have_run(error):
        return False
    return isinstance(error, ToolgraftError)


def failure_text(error: Exception) -> str:
    """Say what failed in the error's own words, for `ToolRetryMiddleware(on_failure=failure_text)`.

    The middleware's text ends in "Please try again", also for a call of which the error says not to repeat it.
    """
    return "\n".join([str(error), *getattr(error, "__notes__", ())])
