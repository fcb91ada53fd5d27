"""A tool joined to its server: what an adapter turns into a framework's tool."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import isawaitable
from typing import Any, Final, Self

from toolgraft.calls import Call, Handler, Middleware, onion
from toolgraft.config import CallContext, Limits, Server, wellformed
from toolgraft.connection import Deadline
from toolgraft.connection.connection import Connection
from toolgraft.content import check_size, follow_links, to_result
from toolgraft.content.unknown import MakePart, with_known
from toolgraft.errors import ArgumentsError, CallError, ClosedError, ToolgraftError
from toolgraft.output_schema import check_for
from toolgraft.policies.filter import matches
from toolgraft.result import Text, ToolResult
from toolgraft.schema import Checker, Converted, arguments_of, without
from toolgraft.spec import ToolSpec

_log: Final = logging.getLogger("toolgraft")


@dataclass(frozen=True, slots=True)
class Line:
    """What the calls of one server's tools have in common.

    Attributes:
        server: Its declaration.
        connection: Its connection.
        middleware: Layers around each call, outermost first.
        part: Makes parts of content blocks of unknown kinds, or None.
    """

    server: Server
    connection: Connection
    middleware: Sequence[Middleware] = ()
    part: MakePart | None = None


class BoundTool:
    """One tool of one server, ready to be called from any task.

    It holds no session, so a copy is the same tool; pickled, it connects anew in the other process at its first call.

    Attributes:
        spec: What the tool is.
        schema: What the model is shown, and the way back.
    """

    __slots__ = ("_bound", "_checker", "_handler", "_line", "schema", "spec")

    def __init__(self, spec: ToolSpec, schema: Converted, line: Line) -> None:
        self.spec = spec
        self.schema = schema
        self._line = line
        self._bound = _bound_names(spec, line.server)
        self._checker: Checker | None = None
        self._handler: Handler | None = None

    @property
    def server(self) -> Server:
        """The declaration of the tool's server."""
        return self._line.server

    @property
    def connection(self) -> Connection:
        """The connection that its calls go over."""
        return self._line.connection

    def serves(self, spec: ToolSpec, line: Line) -> bool:
        """Whether this is the tool of `spec` on `line`, so that it need not be made again."""
        return self._line is line and self.spec == spec

    @property
    def limits(self) -> Limits:
        """How much of a result the model is given."""
        server = self._line.server
        return server.tool_limits.get(self.spec.ref.tool, server.limits)

    async def call(
        self, arguments: Mapping[str, Any], *, user: object = None, timeout: float | None = None
    ) -> ToolResult:
        """Call the tool.

        Args:
            arguments: As the model wrote them.
            user: The framework's own context, for headers and bound arguments made per call.
            timeout: Seconds for this call, before the server's own limit.

        Raises:
            CallError: The call failed; the subclass says how and whether it may have run.
            ClosedError: The toolbox is closed.
            ConfigError: `timeout` is no number of seconds above 0.
        """
        ref = self.spec.ref
        context = CallContext(ref.server, ref.tool, user)
        ready = await self._prepare(arguments, context)
        seconds, source = self._limit(timeout)
        handler = self._handler or self._build()
        return await handler(Call(self.spec, ready, context, seconds, source))

    async def answer(
        self, arguments: Mapping[str, Any], *, user: object = None, timeout: float | None = None
    ) -> ToolResult:
        """Call the tool and give failures as results too, unless its server says `errors="raise"`.

        Raises:
            ClosedError: The toolbox is closed.
            ToolgraftError: Under `errors="raise"`, whatever `call` raises.
        """
        try:
            return await self.call(arguments, user=user, timeout=timeout)
        except ClosedError:
            raise
        except ToolgraftError as error:
            if self._line.server.errors == "raise":
                raise
            return failure(error)

    def answer_sync(self, arguments: Mapping[str, Any], *, user: object = None) -> ToolResult:
        """Do as `answer` does, from a thread that may wait.

        Raises:
            ClosedError: This thread runs the event loop that the answer would have to come from.
        """
        return self._line.connection.wait(lambda: self.answer(arguments, user=user))

    def fault(self, error: Exception) -> ToolResult:
        """Tell the model of an error of the application's own code around a call: middleware, a bound argument.

        The text names only the kind of error: what its message says is for the log.

        Raises:
            Exception: The error itself, under `errors="raise"`.
        """
        if self._line.server.errors == "raise":
            raise error
        _log.error("%r failed", self, exc_info=error)
        return failure(CallError(self.spec.ref, f"it failed inside the agent: {type(error).__name__}"))

    async def _prepare(self, arguments: Mapping[str, Any], context: CallContext) -> Mapping[str, Any]:
        """Bring what the model wrote to what the server takes, or say what is wrong with it."""
        server = self._line.server
        ready = self.schema.codec.decode(dict(arguments))
        checks = server.checks
        if checks.coerce or checks.validate:
            checker = self._checker or self._check()
            if checks.coerce:
                ready = checker.coerce(ready)
            if checks.validate and (problems := checker.problems(ready)):
                raise ArgumentsError(self.spec.ref, problems)
        if not server.bind:
            return ready
        if taken := [name for name in server.bind if name in ready and name not in self._bound]:  # by an open map
            raise ArgumentsError(self.spec.ref, [f"/{name}: it is not yours to set" for name in taken])
        added = {name: await _resolved(server.bind[name], context) for name in self._bound}
        return {**ready, **added}

    def _check(self) -> Checker:
        self._checker = Checker(open_schema(self.spec, self._line.server))
        return self._checker

    def _limit(self, asked: float | None) -> tuple[float | None, str]:
        server, tool = self._line.server, self.spec.ref.tool
        if asked is not None:
            wellformed.seconds("timeout", asked)
            return asked, "the call's timeout"
        if tool in server.tool_timeouts:
            return server.tool_timeouts[tool], f"{type(server).__name__}(tool_timeouts={{{tool!r}: ...}})"
        return server.timeout, f"{type(server).__name__}(timeout=...)"

    def _build(self) -> Handler:
        line, spec, limits = self._line, self.spec, self.limits
        server, connection = line.server, line.connection
        repeatable = _repeatable(spec, server)
        checked = check_for(spec, server.output_check)

        async def send(call: Call) -> ToolResult:
            started = time.monotonic()
            limit = Deadline(call.timeout, call.timeout_source, server.progress_cap)
            raw = await connection.call_tool(
                spec.ref, call.arguments, context=call.context, limit=limit, repeatable=repeatable
            )
            check_size(raw, limits.wire_bytes, spec.ref)
            result = checked(to_result(raw))
            if line.part is not None:
                result = with_known(result, line.part)
            if server.follow_links:
                left = None if call.timeout is None else max(0.0, call.timeout - (time.monotonic() - started))
                read = partial(connection.read_resource, context=call.context)
                following = follow_links(result, read, limit=server.follow_links, max_bytes=limits.wire_bytes)
                result = await _within(left, following, result, call.timeout_source)
            return result

        self._handler = onion(line.middleware, send)
        return self._handler

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __copy__(self) -> Self:
        return self

    def __reduce__(self) -> tuple[type[BoundTool], tuple[ToolSpec, Converted, Line]]:
        return BoundTool, (self.spec, self.schema, self._line)

    def __repr__(self) -> str:
        return f"BoundTool({self.spec.name!r}, {self._line.server!r})"


def failure(error: ToolgraftError) -> ToolResult:
    """Tell the model of a failed call."""
    return ToolResult(parts=(Text(str(error)),), is_error=True)


def open_schema(spec: ToolSpec, server: Server) -> Mapping[str, Any]:
    """The schema of the arguments that are the model's to give: without those that are bound."""
    bound = _bound_names(spec, server)
    return without(spec.input_schema, bound) if bound else spec.input_schema


def _bound_names(spec: ToolSpec, server: Server) -> list[str]:
    if not server.bind:
        return []
    taken = arguments_of(spec.input_schema)
    return [name for name in server.bind if name in taken]


async def _resolved(value: object, context: CallContext) -> object:
    if not callable(value):
        return value
    made = value(context)
    return await made if isawaitable(made) else made


async def _within(
    seconds: float | None, following: Awaitable[ToolResult], result: ToolResult, source: str
) -> ToolResult:
    """Follow links for as long as is left of the call's limit; the result itself is there and is not lost to that."""
    clock = asyncio.timeout(seconds)
    try:
        async with clock:
            return await following
    except TimeoutError:
        if not clock.expired():
            raise
        note = f"links were not read within the call's limit (set by {source})"
        return replace(result, warnings=(*result.warnings, note))


def _repeatable(spec: ToolSpec, server: Server) -> bool:
    """Whether a lost call may be sent again: by the user's word, or by the hint of a trusted server."""
    if matches(spec.ref.tool, server.repeatable):
        return True
    return server.trust and (spec.hints.read_only or spec.hints.idempotent)
