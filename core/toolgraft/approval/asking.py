"""Asking: one person, or as many as have to say yes. One no ends it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import isawaitable
from typing import TypeAlias, cast

from toolgraft.config.approval import Approval, ApprovalRequest, Approver, Decision, Verify
from toolgraft.errors import CallbackError, RejectedError, ToolgraftError

Steers: TypeAlias = Callable[[BaseException], bool]
"""Whether an exception is how the host steers its run, e.g. LangGraph's interrupt, which passes as it is."""


def steers_nothing(error: BaseException) -> bool:
    """For a host without control flow by exceptions."""
    return False


async def decisions_on(
    request: ApprovalRequest, approval: Approval, approver: Approver | None, steers: Steers
) -> float:
    """Wait until as many have said yes as have to.

    Args:
        request: What is asked.
        approval: How many, and who.
        approver: Asks whoever is there, where approvers have no functions of their own.
        steers: Which exceptions of what asks pass as they are.

    Returns:
        When the first yes came, by the monotonic clock.

    Raises:
        RejectedError: One of them said no, or too few are left who could say yes.
        CallbackError: What asks failed.
    """
    asked_by_name = approval.asked_by_name
    if asked_by_name:
        return await _all_at_once(request, approval, asked_by_name, steers)
    first = 0.0
    for _ in range(max(len(approval.approvers), 1)):
        decision = await _asked(cast("Approver", approver), request, steers)
        if await _counts(decision, request, approval):
            first = first or time.monotonic()
            request = replace(request, decided=(*request.decided, decision))
        if len(request.decided) >= approval.required:
            return first
    raise _too_few(request, approval, len(request.decided))


async def _all_at_once(
    request: ApprovalRequest, approval: Approval, approvers: Mapping[str, Approver], steers: Steers
) -> float:
    """Ask everybody; the first no, or as many yes as have to be, ends the asking of the others."""

    async def ask(name: str, approver: Approver) -> Decision:
        return replace(await _asked(approver, request, steers), by=name)

    tasks = [asyncio.ensure_future(ask(name, approver)) for name, approver in approvers.items()]
    yes, first = 0, 0.0
    try:
        for done in asyncio.as_completed(tasks):
            if await _counts(await done, request, approval):
                yes, first = yes + 1, first or time.monotonic()
            if yes >= approval.required:
                return first
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    raise _too_few(request, approval, yes)


def _too_few(request: ApprovalRequest, approval: Approval, yes: int) -> RejectedError:
    if approval.required == 1:
        return RejectedError(request.spec.ref, "nobody who may decide said yes")
    return RejectedError(request.spec.ref, f"{yes} of the {approval.required} approvers that it takes said yes")


async def _asked(approver: Approver, request: ApprovalRequest, steers: Steers) -> Decision:
    try:
        answer = approver(request)
        answer = await answer if isawaitable(answer) else answer
    except Exception as error:
        if isinstance(error, ToolgraftError) or steers(error):
            raise
        raise CallbackError(request.spec.ref, "approver", f"raised {type(error).__name__}") from error
    return _read(answer, request)


def _read(answer: object, request: ApprovalRequest) -> Decision:
    if isinstance(answer, bool):
        return Decision(answer)
    if isinstance(answer, Decision):
        return answer
    kind = type(answer).__name__
    raise CallbackError(request.spec.ref, "approver", f"answered with {kind}, neither True, False nor a Decision")


async def _counts(decision: Decision, request: ApprovalRequest, approval: Approval) -> bool:
    """Whether a decision is one more yes.

    Raises:
        RejectedError: It is the no of somebody who may decide.
    """
    if approval.approvers and decision.by not in approval.approvers:
        return False
    if not await _is_genuine(approval.verify, decision, request):
        return False
    if not decision.approved:
        raise RejectedError(request.spec.ref, decision.reason, by=decision.by)
    return all(each.by != decision.by for each in request.decided)


async def _is_genuine(verify: Verify | None, decision: Decision, request: ApprovalRequest) -> bool:
    if verify is None:
        return True
    try:
        answer = verify(decision, request)
        return bool(await answer if isawaitable(answer) else answer)
    except Exception:
        return False
