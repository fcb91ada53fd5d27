"""The gate: the last layer before the wire. Nothing reaches the server before a yes for exactly this call."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from toolgraft.approval.asking import Steers, decisions_on, steers_nothing
from toolgraft.approval.digest import digest_of
from toolgraft.approval.finished import Finished
from toolgraft.approval.rules import approval_for, waits
from toolgraft.calls import Call, Handler
from toolgraft.config import Server
from toolgraft.config.approval import Approval, ApprovalRequest, Approve, Approver
from toolgraft.errors import ApprovalExpiredError, NoApproverError
from toolgraft.result import ToolResult
from toolgraft.spec import ToolSpec

Current: TypeAlias = Callable[[str], ToolSpec | None]
"""Gives a tool as it is served now, by its wire name."""


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
    ) -> None:
        """Prepare.

        Args:
            server: The declaration of the server whose calls pass here.
            whole: What holds where it says nothing.
            approver: Asks a person, where approvers have no functions of their own; None where nobody is there.
            current: The tool as it is served when the answer comes; None where nobody knows.
            steers: Which exceptions of the approver are the host's control flow.
        """
        self._server = server
        self._whole = whole
        self._approver = approver
        self._current = current
        self._steers = steers
        self._finished = Finished()

    def asks(self, tool: str, approver: Approver) -> bool:
        """Whether there is a rule for a tool by which `approver` is asked."""
        approval = approval_for(tool, self._server, self._whole)
        return approval is not None and not approval.asked_by_name and self._approver == approver

    async def waits(self, call: Call) -> bool:
        """Tell whether a call waits for a yes."""
        approval = approval_for(call.ref.tool, self._server, self._whole)
        return approval is not None and await waits(approval.rule, call, self._server)

    async def __call__(self, call: Call, proceed: Handler, /) -> ToolResult:
        """Send the call once it may go.

        Raises:
            RejectedError: Somebody said no.
            NoApproverError: Nobody is there to ask.
            ApprovalExpiredError: The yes is for a call, a tool or a time that is not the one any more.
        """
        approval = approval_for(call.ref.tool, self._server, self._whole)
        if approval is None or not await waits(approval.rule, call, self._server):
            return await proceed(call)
        if self._approver is None and not approval.asked_by_name:
            raise NoApproverError(call.ref)
        asked = replace(call, arguments=copy.deepcopy(dict(call.arguments)))  # what is shown is what is sent
        request = ApprovalRequest(asked.spec, asked.arguments, asked.context, digest_of(asked), (), approval.required)
        key = (call.id, request.digest) if call.id is not None and (call.id.run or call.id.namespace) else None
        finished = self._finished.of(key)
        return await (finished or self._finished.run(key, self._decided(asked, request, approval, proceed)))

    async def _decided(self, asked: Call, request: ApprovalRequest, approval: Approval, proceed: Handler) -> ToolResult:
        """Ask, and let the call go where everything is still as it was shown."""
        since = await decisions_on(request, approval, self._approver, self._steers)
        if change := self._change(asked, request):
            raise ApprovalExpiredError(asked.ref, change)
        if time.monotonic() - since > approval.expires:
            raise ApprovalExpiredError(asked.ref, f"it did not go within {approval.expires:g} s of the first yes")
        return await proceed(asked)

    def _change(self, asked: Call, request: ApprovalRequest) -> str:
        """What is not as it was when the person was asked."""
        if digest_of(asked) != request.digest:
            return "its arguments were changed while a person was asked"
        now = asked.spec if self._current is None else self._current(asked.ref.tool)
        if now is None:
            return "its server does not serve it any more"
        if now.input_schema != asked.spec.input_schema:
            return "its definition was changed while a person was asked"
        return ""

    def __reduce__(self) -> tuple[Any, ...]:
        return Gate, (self._server, self._whole, self._approver, None, self._steers)  # elsewhere, nothing is listed
