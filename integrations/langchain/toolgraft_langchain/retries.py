"""What retry middleware has to know of a failed call that is raised."""

from __future__ import annotations

from toolgraft.errors import ArgumentsError, ToolgraftError, ToolOutcomeUnknownError


def may_retry(error: Exception) -> bool:
    """Whether a failed call may be made again, for `ToolRetryMiddleware(retry_on=may_retry)`.

    False where it may have run and had its side effect: repeating it is for whoever looked whether it happened. False
    also for arguments that do not fit: they fit no better the next time.
    """
    if isinstance(error, ToolOutcomeUnknownError | ArgumentsError) or getattr(error, "may_have_run", False):
        return False
    return isinstance(error, ToolgraftError)


def failure_text(error: Exception) -> str:
    """Say what failed in the error's own words, for `ToolRetryMiddleware(on_failure=failure_text)`.

    The middleware's text ends in "Please try again", also for a call of which the error says not to repeat it.
    """
    return str(error)
