"""Every error toolgraft raises, as one tree.

    ToolgraftError
    ├── ConfigError               a server declaration or config file is wrong
    ├── MissingExtraError         an optional package is not installed (also an ImportError)
    ├── PluginError               a plugin that was asked for does not load, or broke its promise
    ├── SchemaError               a schema that cannot be given to a model
    ├── OAuthError                signing in to a server failed, or was refused by us
    ├── StoreError                what is kept between runs could not be read or written (also an OSError)
    ├── ConnectError              a server could not be reached or did not speak MCP
    ├── ServersRequiredError      one or more `required=True` servers failed
    ├── ClosedError               the toolbox or connection is closed, or this thread may not wait here
    └── CallError                 one call of one tool failed
        ├── ToolError             the tool ran and says that it failed
        ├── UnknownToolError      no such tool, or it is filtered out
        ├── ArgumentsError        the arguments do not fit the tool's schema; the server was not called
        ├── ProtocolError         the server answered with a JSON-RPC error
        │   └── PageRequiredError     it wants a page to be opened first, and nobody did
        ├── CallbackError         a function of the application's own, e.g. `elicit`, failed during the call
        ├── TransportError        the call failed on the wire
        ├── ApprovalError             the call waits for a person's yes and did not get it; the server was not called
        │   ├── RejectedError             a person said no
        │   ├── NoApproverError           nobody is there to ask
        │   └── ApprovalExpiredError      the yes is not for this call any more
        ├── DeadlineError         the call took longer than its limit
        ├── ResultError           the tool ran, but its result is refused
        └── ToolOutcomeUnknownError   a side effect was sent and nobody knows whether it happened

Each message names the server, the tool where there is one, what was wrong and what to do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from toolgraft.result import ToolResult
    from toolgraft.spec import ToolRef

OAuthProblem: TypeAlias = Literal[
    "not_offered",
    "unavailable",
    "too_slow",
    "too_large",
    "redirected",
    "address_refused",
    "not_https",
    "metadata_invalid",
    "issuer_mismatch",
    "resource_mismatch",
    "pkce_missing",
    "no_client",
    "registration_refused",
    "nobody_to_ask",
    "not_answered",
    "state_mismatch",
    "token_in_url",
    "access_denied",
    "authorization_refused",
    "token_refused",
    "token_invalid",
    "scope_missing",
    "signed_out",
    "assertion_failed",
    "store_failed",
]

OAUTH_PROBLEMS: Final[tuple[str, ...]] = get_args(OAuthProblem)
"""What may go wrong while signing in, a word each.

Of these an authorization server, or somebody in its place, is refused by us: `too_slow`, `too_large`, `redirected`,
`address_refused`, `not_https`, `metadata_invalid`, `issuer_mismatch`, `resource_mismatch`, `pkce_missing`,
`state_mismatch`, `token_in_url`, `token_invalid`.
"""

_LONGEST: Final = 50_000
"""Characters of one reason: a server writes it, and it stands in messages, logs and histories."""

_PROBLEMS: Final = 20
"""Problems of arguments that are listed in a message."""


class ToolgraftError(Exception):
    """Base of every error toolgraft raises on purpose. It pickles, so that worker processes can raise it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, vars(self))


def _again(kind: type[ToolgraftError], args: tuple[Any, ...], state: Mapping[str, Any]) -> ToolgraftError:
    """Make an error anew as it was, without its constructor: `args` is the finished text, not what made it."""
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(state)
    return error


_STEERING: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that steer a terminal, or turn or hide what follows; line breaks and tabs are text."""


def _plain(text: str) -> str:
    """What a server wrote, fit to be printed: characters that steer are written as escapes."""
    return _STEERING.sub(lambda found: repr(found.group())[1:-1], text.replace("\r\n", "\n"))


def _on_one_line(name: str) -> str:
    return _plain(name).replace("\n", "\\n").replace("\t", "\\t")


def _bearable(reason: str) -> str:
    reason = _plain(reason)
    if len(reason) <= _LONGEST:
        return reason
    head, tail = _LONGEST * 7 // 10, _LONGEST * 3 // 10
    return f"{reason[:head]}\n\n[{len(reason) - head - tail:,} characters left out here]\n\n{reason[-tail:]}"


class ConfigError(ToolgraftError, ValueError):
    """A server declaration or a config file is wrong.

    Attributes:
        where: The place, e.g. `mcp.json: servers.git.env.TOKEN`; empty for a declaration in code.
    """

    def __init__(self, message: str, *, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where


class MissingExtraError(ToolgraftError, ImportError):
    """An optional package is not installed; the text is the command that installs it."""

    def __init__(self, extra: str = "", *, package: str = "toolgraft") -> None:
        self.extra = extra
        super().__init__(f"pip install '{package}[{extra}]'" if extra else f"pip install '{package}'")


class PluginError(ToolgraftError):
    """A plugin that was asked for does not load, or returned what its hook does not allow."""


class SchemaError(ToolgraftError, ValueError):
    """A schema that cannot be given to a model.

    Attributes:
        pointer: JSON pointer (RFC 6901) to the offending node; empty for the root.
        reason: One sentence.
    """

    def __init__(self, reason: str, *, pointer: str = "") -> None:
        super().__init__(f"at '{pointer or '/'}': {reason}")
        self.reason = reason
        self.pointer = pointer


class OAuthError(ToolgraftError, PermissionError):
    """Signing in to a server, or renewing what was signed in, failed.

    Attributes:
        server: Name of the server.
        problem: What went wrong, as one word of `toolgraft.errors.OAUTH_PROBLEMS`.
        reason: The same as one sentence, without secrets.
    """

    def __init__(self, server: str, problem: OAuthProblem, reason: str) -> None:
        reason = _bearable(reason)
        super().__init__(f"server '{server}': {reason}")
        self.server = server
        self.problem: OAuthProblem = problem
        self.reason = reason


class StoreError(ToolgraftError, OSError):
    """What is kept between runs, in a file or a database, could not be read or written."""


class ConnectError(ToolgraftError, ConnectionError):
    """A server could not be reached, or what answered does not speak MCP.

    Attributes:
        server: Name of the server.
        target: The command or URL that was tried, without secrets.
        reason: The root cause as one sentence.
    """

    def __init__(self, server: str, target: str, reason: str) -> None:
        reason = _bearable(reason)
        super().__init__(f"server '{server}' ({target}): {reason}")
        self.server = server
        self.target = target
        self.reason = reason


class ServersRequiredError(ToolgraftError, ConnectionError):
    """One or more servers marked `required=True` failed.

    Attributes:
        failures: Server name to the error that ended its start.
    """

    def __init__(self, failures: Mapping[str, ToolgraftError]) -> None:
        lines = "".join(f"\n  - {error}" for error in failures.values())
        super().__init__(f"{len(failures)} required server(s) failed:{lines}")
        self.failures = dict(failures)


class ClosedError(ToolgraftError, RuntimeError):
    """The toolbox or connection is closed, was never opened, or may not be waited for from this thread."""


class CallError(ToolgraftError):
    """One call of one tool failed.

    Attributes:
        ref: The tool, or None where the call did not get as far as a tool.
        reason: What happened, as one sentence without the tool's name.
    """

    def __init__(self, ref: ToolRef | None, reason: str) -> None:
        reason = _bearable(reason)
        tool = f"tool '{_on_one_line(ref.tool)}' of server '{_on_one_line(ref.server)}': " if ref else ""
        super().__init__(f"{tool}{reason}")
        self.ref = ref
        self.reason = reason


class ToolError(CallError):
    """The tool ran and says that it failed (MCP: a result with `isError`); raised under `errors="raise"`.

    Attributes:
        result: All that it answered.
    """

    def __init__(self, ref: ToolRef | None, reason: str, *, result: ToolResult) -> None:
        super().__init__(ref, reason)
        self.result = result


class UnknownToolError(CallError, LookupError):
    """No tool of this name is served, or a filter removed it."""


class ArgumentsError(CallError, ValueError):
    """The arguments do not fit the tool's schema. The server was not called.

    Attributes:
        problems: One sentence a problem, each beginning with a JSON pointer.
    """

    def __init__(self, ref: ToolRef | None, problems: Sequence[str], *, so: str = "the tool was not called") -> None:
        listed = "; ".join(problems[:_PROBLEMS])
        if len(problems) > _PROBLEMS:
            listed += f"; and {len(problems) - _PROBLEMS:,} more"
        super().__init__(ref, f"invalid arguments, {so}: {listed}")
        self.problems = tuple(problems)


_PREFIX: Final = re.compile(r"\s*(?:error\s*:\s*)+", re.IGNORECASE)


class ProtocolError(CallError):
    """The server answered the call with a JSON-RPC error (MCP schema: `JSONRPCError`).

    Attributes:
        code: JSON-RPC error code.
        data: The error's `data`, as sent.
    """

    def __init__(self, ref: ToolRef | None, message: str, *, code: int, data: object = None) -> None:
        said = _PREFIX.sub("", message) or message  # of servers behind servers, each of which wrote it once more
        super().__init__(ref, f"{said} (error {code})")
        self.code = code
        self.data = data


class PageRequiredError(ProtocolError):
    """The server wants a page to be opened first, e.g. to sign in (MCP: elicitation, URL mode), and nobody did.

    The message names only the host: the rest of an address may hold a secret.

    Attributes:
        urls: The addresses, as sent; open one only with the person's consent.
    """

    def __init__(
        self, ref: ToolRef | None, message: str, *, urls: Sequence[str], code: int, data: object = None
    ) -> None:
        super().__init__(ref, message, code=code, data=data)
        self.urls = tuple(urls)


class CallbackError(CallError):
    """A function of the application's own failed during a call. Its exception is the `__cause__`.

    The message, which a model may see, names only the kind of that exception.

    Attributes:
        callback: Which function, e.g. `elicit`.
    """

    def __init__(self, ref: ToolRef | None, callback: str, what: str) -> None:
        super().__init__(ref, f"the application's own {callback}= function {what}; the call was ended")
        self.callback = callback


class ApprovalError(CallError, PermissionError):
    """The call waits for a person's yes and did not get it. The server was not called."""


class RejectedError(ApprovalError):
    """A person said no.

    Attributes:
        by: Who, where approvers have names.
    """

    def __init__(self, ref: ToolRef | None, reason: str, *, by: str = "") -> None:
        super().__init__(ref, f"not called: {by or 'a person'} said no{f': {reason}' if reason else ''}")
        self.by = by


_NOBODY: Final = "nobody is there to ask: give approver=, a function that asks"


class NoApproverError(ApprovalError):
    """The call waits for a yes, and nobody is there to ask."""

    def __init__(self, ref: ToolRef | None, why: str = _NOBODY) -> None:
        super().__init__(ref, f"not called: it needs a person's yes, and {why}")


class ApprovalExpiredError(ApprovalError):
    """There was a yes, but the call, its tool or the time is not what it was given for."""

    def __init__(self, ref: ToolRef | None, why: str) -> None:
        super().__init__(ref, f"not called, for the yes no longer holds: {why}. Call it anew, to be asked anew")


class TransportError(CallError, ConnectionError):
    """The call failed on the wire.

    Attributes:
        sent: False when the call certainly never left, so that trying again cannot run it twice.
        http_status: HTTP status code, or None where there was no HTTP answer.
        retry_after: The `Retry-After` header as sent, or None.
        www_authenticate: The `WWW-Authenticate` header as sent, or None.
        may_have_run: The call was sent and has side effects that may have happened.
    """

    def __init__(
        self,
        ref: ToolRef | None,
        reason: str,
        *,
        sent: bool = True,
        http_status: int | None = None,
        retry_after: str | None = None,
        www_authenticate: str | None = None,
        may_have_run: bool = False,
    ) -> None:
        super().__init__(ref, reason)
        self.may_have_run = may_have_run
        self.sent = sent
        self.http_status = http_status
        self.retry_after = retry_after
        self.www_authenticate = www_authenticate


class DeadlineError(CallError, TimeoutError):
    """The call took longer than its limit; the server was told to stop.

    Attributes:
        limit: The limit in seconds.
        source: Where the limit was set, e.g. `Stdio(timeout=...)`.
        may_have_run: The call was sent and has side effects that may have happened.
    """

    def __init__(self, ref: ToolRef | None, *, limit: float, source: str, may_have_run: bool = False) -> None:
        reason = f"no answer within {limit:g} s (set by {source}); raise it there if the tool is slow"
        if may_have_run:
            reason += ". It was sent and may have run: look whether it happened before you repeat it"
        super().__init__(ref, reason)
        self.may_have_run = may_have_run
        self.limit = limit
        self.source = source


class ResultError(CallError):
    """The tool ran, but its result is refused (too large, or off its output schema under `output_check="error"`)."""


class ToolOutcomeUnknownError(CallError):
    """A call that may have side effects was sent, and its answer was lost.

    It was not sent again: look at the server's own record before you repeat it. The cause is on `__cause__`.
    """
