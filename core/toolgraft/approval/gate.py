"""The gate: the last layer before the wire. Nothing reaches the server before a yes for exactly this call."""

from __future__ import annotations

import copy
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeAlias

from toolgraft.approval.asking import Steers, decisions_on, steers_nothing
from toolgraft.approval.digest import digest_of
from toolgraft.approval.finished import Finished
from toolgraft.approval.rules import approval_for, decided, waits
from toolgraft.calls import Call, Handler
from toolgraft.config import CallId, Server
from toolgraft.config.approval import Approval, ApprovalRequest, Approve, Approver
from toolgraft.connection.events import Approved, Asked, Emit, Rejected, unheard
from toolgraft.errors import ApprovalExpiredError, ArgumentsError, CallError, NoApproverError, RejectedError
from toolgraft.result import ToolResult
from toolgraft.spec import ToolSpec

Current: TypeAlias = Callable[[str], ToolSpec | None]
"""Gives a tool as it is served now, by its wire name."""

_MOST: Final = 1_000
"""Calls of which it is remembered that somebody was asked."""


class Gate:
    """The layer that asks.

    A yes is for one call: it is used by the call that asked for it and by no other, within its time.
    """

    def __init__(
        self,
        server: Server,
        whole: Approve | None,
        approver: Approver | None,
        current: Current | None = None,
        steers: Steers = steers_nothing,
        tell: Emit = unheard,
    ) -> None:
        """Prepare.

        Args:
            server: The declaration of the server whose calls pass here.
            whole: What holds where it says nothing.
            approver: Asks a person, where approvers have no functions of their own; None where nobody is there.
            current: The tool as it is served when the answer comes; None where nobody knows.
            steers: Which exceptions of the approver are the host's control flow.
            tell: Told who is asked about what, and what they say.
        """
        self._server = server
        self._whole = whole
        self._approver = approver
        self._current = current
        self._steers = steers
        self._tell = tell
        self._finished = Finished()
        self._told: OrderedDict[tuple[str, str], None] = OrderedDict()

    def asks(self, spec: ToolSpec, approver: Approver) -> Approval | None:
        """The rule for a tool by which `approver` is asked, if there is one."""
        approval = approval_for(spec.ref.tool, self._server, self._whole)
        if approval is None or approval.asked_by_name or self._approver != approver:
            return None
        return None if decided(approval.rule, spec, self._server) is False else approval

    async def request(self, call: Call) -> ApprovalRequest | None:
        """What a person would be asked about a call; None where it needs no yes. Nobody is asked.

        Raises:
            ArgumentsError: The arguments are nested too deeply.
        """
        approval = approval_for(call.ref.tool, self._server, self._whole)
        if approval is None or not await waits(approval.rule, call, self._server):
            return None
        # What the application has bound is no part of it: it may hold a token, and what is asked about may be stored.
        given = {name: value for name, value in call.arguments.items() if name not in self._server.bind}
        try:
            shown, digest = copy.deepcopy(given), digest_of(call, given)
        except RecursionError:
            raise ArgumentsError(call.ref, ["/: nested too deeply for a person to be asked about it"]) from None
        return ApprovalRequest(call.spec, shown, call.context, digest, (), approval.required)

    def tell_asked(self, request: ApprovalRequest) -> None:
        """Tell that a person is asked, once of each call of the host's."""
        key = _told_as(request)
        if key in self._told and request.context.id is not None:
            return
        self._told[key] = None
        while len(self._told) > _MOST:
            self._told.popitem(last=False)
        self._tell(Asked(*_whose(request), request.digest, request.required))

    async def __call__(self, call: Call, proceed: Handler, /) -> ToolResult:
        """Send the call once it may go.

        Raises:
            RejectedError: Somebody said no.
            NoApproverError: Nobody is there to ask.
            ApprovalExpiredError: The yes is for a call, a tool or a time that is not the one any more.
        """
        approval = approval_for(call.ref.tool, self._server, self._whole)
        request = await self.request(call) if approval is not None else None
        if approval is None or request is None:
            return await proceed(call)
        asked = replace(call, arguments=copy.deepcopy(dict(call.arguments)))  # what is shown is what is sent
        # Only where steps of a run have names is a call that comes again the same one.
        key = (call.id, request.digest) if call.id is not None and call.id.namespace else None
        return await self._finished.result(key, lambda: self._decided(asked, request, approval, proceed))

    async def _decided(self, asked: Call, request: ApprovalRequest, approval: Approval, proceed: Handler) -> ToolResult:
        """Ask, and let the call go where everything is still as it was shown."""
        try:
            await self._approved(asked, request, approval)
        except CallError as error:
            self._told.pop(_told_as(request), None)
            by = error.by if isinstance(error, RejectedError) else ""
            self._tell(Rejected(*_whose(request), request.digest, str(error), by))
            raise
        self._told.pop(_told_as(request), None)
        self._tell(Approved(*_whose(request), request.digest))
        return await proceed(asked)

    async def _approved(self, asked: Call, request: ApprovalRequest, approval: Approval) -> None:
        if self._approver is None and not approval.asked_by_name:
            raise NoApproverError(asked.ref)
        self.tell_asked(request)
        since = await decisions_on(request, approval, self._approver, self._steers)
        if change := self._change(asked, request):
            raise ApprovalExpiredError(asked.ref, change)
        if time.monotonic() - since > approval.expires:
            raise ApprovalExpiredError(asked.ref, f"it did not go within {approval.expires:g} s of the first yes")

    def _change(self, asked: Call, request: ApprovalRequest) -> str:
        """What is not as it was when the person was asked."""
        if digest_of(asked, request.arguments) != request.digest:
            return "its arguments were changed while a person was asked"
        now = asked.spec if self._current is None else self._current(asked.ref.tool)
        if now is None:
            return "its server does not serve it any more"
        if now.input_schema != asked.spec.input_schema:
            return "its definition was changed while a person was asked"
        return ""

    def __reduce__(self) -> tuple[Any, ...]:
        return Gate, (self._server, self._whole, self._approver, None, self._steers)  # elsewhere, nothing is listed


def _told_as(request: ApprovalRequest) -> tuple[str, str]:
    """Run and digest: one step of a host may ask, and another one make the call."""
    return request.context.id.run if request.context.id is not None else "", request.digest


def _whose(request: ApprovalRequest) -> tuple[str, str, CallId | None]:
    return request.spec.ref.server, request.spec.ref.tool, request.context.id
