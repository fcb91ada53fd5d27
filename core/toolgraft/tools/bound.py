"""A tool joined to its server: what an adapter turns into a framework's tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from inspect import isawaitable
from typing import Any, Self, Unpack

from toolgraft.approval import Gate
from toolgraft.calls import Call, CallOptions, Deadline, Handler
from toolgraft.config import CallContext, Limits, Server, takes
from toolgraft.config.approval import Approval, ApprovalRequest, Approver
from toolgraft.connection.connection import Connection
from toolgraft.errors import ArgumentsError
from toolgraft.filters import most_telling
from toolgraft.result import ToolResult
from toolgraft.schema import Converted, Strictness, arguments_of, convert, readable, without
from toolgraft.spec import ToolSpec
from toolgraft.tools.failures import told
from toolgraft.tools.order import in_order
from toolgraft.tools.route import Route


class BoundTool:
    """One tool of one server, ready to be called from any task.

    It holds no session, so a copy is the same tool; pickled, it connects anew in the other process at its first call.

    Attributes:
        spec: What the tool is.
        schema: What the model is shown, and the way back.
    """

    __slots__ = ("_bound", "_handler", "_listed", "_redrawn", "_route", "schema", "spec")

    def __init__(self, spec: ToolSpec, schema: Converted, route: Route, description: str | None = None) -> None:
        self._listed = spec
        self.spec = spec if description is None else replace(spec, description=description)
        self.schema = schema
        self._route = route
        self._bound = _bound_names(spec, route.server)
        self._handler: Handler | None = None
        self._redrawn: dict[Strictness, BoundTool] = {}

    @property
    def name(self) -> str:
        """Its public name."""
        return self.spec.name

    @property
    def server(self) -> Server:
        """The declaration of the tool's server."""
        return self._route.server

    @property
    def connection(self) -> Connection:
        """The connection that its calls go over."""
        return self._route.connection

    def serves(self, spec: ToolSpec, route: Route) -> bool:
        """Whether this is the tool of `spec` on `route`, so that it need not be made again."""
        return self._route is route and self._listed == spec

    @property
    def limits(self) -> Limits:
        """How much of a result the model is given."""
        server = self._route.server
        rules = most_telling(server.tool_limits, self.spec.ref.tool)
        return server.tool_limits[rules[0]] if rules else server.limits

    @property
    def shown_output_schema(self) -> Mapping[str, Any] | None:
        """What a model may be told of the structured result; None where that would hide something, or be untrue."""
        schema = self.spec.output_schema
        if schema is None or not self.spec.flags or self.server.list_limits.hidden == "keep":
            return schema
        return readable(dict(schema))

    def redrawn(self, strict: Strictness) -> BoundTool:
        """The same tool with its arguments in another form, see `toolgraft.schema.convert`; made once."""
        if strict not in self._redrawn:
            schema = converted(self.spec, self._route.server, strict)
            self._redrawn[strict] = BoundTool(self.spec, schema, self._route)
        return self._redrawn[strict]

    async def call(self, arguments: Mapping[str, Any], **caller: Unpack[CallOptions]) -> ToolResult:
        """Call the tool.

        Args:
            arguments: As the model wrote them.
            **caller: Who calls and on which terms, see `toolgraft.calls.CallOptions`.

        Raises:
            CallError: The call failed; the subclass says how and whether it may have run.
            ClosedError: The toolbox is closed.
            ConfigError: `timeout` is no number of seconds above 0.
        """
        if self._handler is None:
            self._handler = in_order(self.spec, self._route, self.limits, self._require_valid)
        return await self._handler(await self._call(arguments, caller))

    async def would_ask(self, arguments: Mapping[str, Any], **caller: Unpack[CallOptions]) -> ApprovalRequest | None:
        """Give what a person would be asked about a call; None where it needs no yes, or goes nowhere.

        Nothing is sent, and nobody is asked; who asks says so by `tell_asked`.

        Raises:
            CallError: The arguments do not fit.
        """
        if self.may_be_hidden and not await self.is_visible(**caller):
            return None
        call = await self._call(arguments, caller)
        if self._route.server.checks.validate:
            self._require_valid(call)
        for gate in self._gates:
            if (request := await gate.request(call)) is not None:
                return request
        return None

    def tell_asked(self, request: ApprovalRequest) -> None:
        """Tell those who listen that a person is asked, once of each call."""
        for gate in self._gates:
            gate.tell_asked(request)

    def asked_by(self, approver: Approver) -> Approval | None:
        """The rule by which `approver` is asked for its calls, if there is one."""
        return next((rule for gate in self._gates if (rule := gate.asks(self.spec, approver))), None)

    @property
    def _gates(self) -> list[Gate]:
        return [layer for layer in self._route.innermost if isinstance(layer, Gate)]

    async def _call(self, arguments: Mapping[str, Any], caller: CallOptions) -> Call:
        ref = self.spec.ref
        context = CallContext(ref.server, ref.tool, caller.get("user"), caller.get("id"))
        return Call(
            self.spec,
            await self._prepare(arguments, context),
            context,
            self._deadline(caller.get("timeout")),
            await self._meta(caller.get("meta"), context),
            caller.get("on_progress"),
        )

    async def answer(self, arguments: Mapping[str, Any], **caller: Unpack[CallOptions]) -> ToolResult:
        """Do as `call` does, and give a failure as a result where the server's `errors` say so; see `failures.told`."""
        return await told(self.call(arguments, **caller), self.spec.ref, self.server, self.limits)

    def answer_sync(self, arguments: Mapping[str, Any], **caller: Unpack[CallOptions]) -> ToolResult:
        """Do as `answer` does, from a thread that may wait.

        Raises:
            ClosedError: This thread runs the event loop that the answer would have to come from.
        """
        return self.connection.wait(lambda: self.answer(arguments, **caller))

    @property
    def may_be_hidden(self) -> bool:
        """Whether some runs may not use it; `is_visible` says which."""
        return bool(self._route.visibility.rules)

    async def is_visible(self, **caller: Unpack[CallOptions]) -> bool:
        """Whether a run may use the tool, as the `visible` functions say now.

        Args:
            **caller: Who asks, as in `call`.
        """
        ref = self.spec.ref
        context = CallContext(ref.server, ref.tool, caller.get("user"), caller.get("id"))
        return await self._route.visibility.shows(self.spec, context)

    def is_visible_sync(self, **caller: Unpack[CallOptions]) -> bool:
        """Do as `is_visible` does, from a thread that may wait.

        Raises:
            ClosedError: This thread runs the event loop that the answer would have to come from.
        """
        return self.connection.wait(lambda: self.is_visible(**caller))

    async def _prepare(self, arguments: Mapping[str, Any], context: CallContext) -> Mapping[str, Any]:
        """Bring what the model wrote to what the server takes, and add the bound arguments."""
        server = self._route.server
        ready = self.schema.codec.decode(dict(arguments))
        if server.checks.coerce:
            ready = self.schema.checker.coerce(ready)
        if not server.bind:
            return ready
        if taken := [name for name in server.bind if name in ready and name not in self._bound]:  # by an open map
            raise ArgumentsError(self.spec.ref, [f"/{name}: it is not yours to set" for name in taken])
        added = {name: await _resolved(server.bind[name], context) for name in self._bound}
        return {**ready, **added}

    def _require_valid(self, call: Call) -> None:
        """Check the arguments as they leave the last layer of middleware; bound ones are the application's own."""
        given = {name: value for name, value in call.arguments.items() if name not in self._bound}
        if problems := self.schema.checker.problems(given):
            raise ArgumentsError(call.ref, problems)

    def _deadline(self, asked: float | None) -> Deadline:
        server = self._route.server
        if asked is not None:
            takes.seconds()("timeout", asked)
            return Deadline(asked, "the call's timeout", server.progress_cap)
        kind = type(server).__name__
        for rule in most_telling(server.tool_timeouts, self.spec.ref.tool):
            return Deadline(server.tool_timeouts[rule], f"{kind}(tool_timeouts={{{rule!r}: ...}})", server.progress_cap)
        return Deadline(server.timeout, f"{kind}(timeout=...)", server.progress_cap)

    async def _meta(self, given: Mapping[str, Any] | None, context: CallContext) -> Mapping[str, Any]:
        declared = self._route.server.meta
        if callable(declared):
            declared = await _resolved(declared, context)
        return {**declared, **given} if given else declared

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __copy__(self) -> Self:
        return self

    def __reduce__(self) -> tuple[type[BoundTool], tuple[ToolSpec, Converted, Route]]:
        return BoundTool, (self.spec, self.schema, self._route)

    def __repr__(self) -> str:
        return f"BoundTool({self.spec.name!r}, {self._route.server!r})"


def converted(spec: ToolSpec, server: Server, strict: Strictness) -> Converted:
    """What models are given of a tool's arguments, and the way back.

    Raises:
        SchemaError: No model can be given them.
    """
    schema = convert(open_schema(spec, server), strict)
    return schema.without_hidden() if spec.flags and server.list_limits.hidden == "strip" else schema


def open_schema(spec: ToolSpec, server: Server) -> Mapping[str, Any]:
    """The schema of the arguments that are the model's to give: without those that are bound."""
    bound = _bound_names(spec, server)
    return without(spec.input_schema, bound) if bound else spec.input_schema


def _bound_names(spec: ToolSpec, server: Server) -> list[str]:
    if not server.bind:
        return []
    taken = arguments_of(spec.input_schema)
    return [name for name in server.bind if name in taken]


async def _resolved(value: Any, context: CallContext) -> Any:
    if not callable(value):
        return value
    made = value(context)
    return await made if isawaitable(made) else made
