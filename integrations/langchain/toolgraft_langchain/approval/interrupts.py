"""A person's yes by LangGraph's `interrupt()`: the run pauses, and goes on with the answer that names its call.

    paused = await agent.ainvoke({"messages": [...]}, config)
    answers = {each.id: approve(each.value) for each in paused["__interrupt__"]}     # or reject(each.value, "too much")
    await agent.ainvoke(Command(resume=answers), config)

Several calls may wait at once, and a graph may hand an answer to another call than it was given for. So an answer names
the digest of the call that it is for, and each call waits for its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextvars import copy_context
from typing import Any, Final, Literal, TypeAlias, TypedDict, TypeVar, cast

from langchain_core.runnables.config import var_child_runnable_config
from toolgraft.config.approval import ApprovalRequest, Decision
from toolgraft.content.plain_json import plain_json
from toolgraft.errors import NoApproverError

from toolgraft_langchain.approval.answers_in_graph import SCRATCHPAD
from toolgraft_langchain.approval.reviews import Reviews
from toolgraft_langchain.caller import Caller

T = TypeVar("T")


class AskedFor(TypedDict):
    """The value of an interrupt that asks for a yes.

    Attributes:
        type: `"toolgraft_approval"`.
        digest: Names the call; the answer is a dict of it and a decision.
        server: Name of the server in your declaration.
        tool: The tool's name on the wire.
        name: What the model calls it by.
        title: For people.
        arguments: As the server will get them, where every serializer takes them.
        safety: What a second call would do.
        tool_call_id: The model's id of the call.
        required: How many have to say yes.
        approved_by: Who has said yes already.
        note: What was wrong with the last answer; empty as a rule.
    """

    type: Literal["toolgraft_approval"]
    digest: str
    server: str
    tool: str
    name: str
    title: str
    arguments: Any
    safety: str
    tool_call_id: str | None
    required: int
    approved_by: list[str]
    note: str


Answers: TypeAlias = "dict[str, dict[str, Any]]"
"""What a run is resumed with: a decision by the digest of the call that it is for."""


def approve(asked: Mapping[str, Any], *, by: str = "") -> Answers:
    """Say yes to what an interrupt asks for.

    Args:
        asked: The interrupt's value.
        by: Who says so, where more than one has to.
    """
    return {str(asked["digest"]): {"approved": True, "by": by}}


def reject(asked: Mapping[str, Any], reason: str = "", *, by: str = "") -> Answers:
    """Say no to what an interrupt asks for; the model is told the reason."""
    return {str(asked["digest"]): {"approved": False, "reason": reason, "by": by}}


_MOST: Final = 10_000
"""Answers that wait for their calls."""

_UNNAMED: Final = (
    "the last answer named no call: resume with {digest: {'approved': True}}, see toolgraft_langchain.approve"
)


class Interrupts:
    """Asks by interrupting the run, and keeps answers until their calls come for them.

    Attributes:
        reviews: What was said to LangChain's middleware, which asks in the tool's place.
    """

    def __init__(self) -> None:
        self._answers: OrderedDict[tuple[str, str, str], list[Decision]] = OrderedDict()
        self.reviews = Reviews()

    def ask(self, request: ApprovalRequest) -> Decision:
        """Give the next decision on a call, as soon as there is one.

        Raises:
            GraphInterrupt: There is none yet; the run pauses.
            NoApproverError: The call is not made by a graph that can pause.
        """
        caller = _caller_of(request)
        if caller.agreed == request.digest:
            return Decision(True)
        place = _place(request)
        note = ""
        while not self._answers.get((*place, request.digest)):
            note = "" if self._take_in(place, _interrupt(caller, _asked_for(request, note))) else _UNNAMED
        decisions = self._answers[(*place, request.digest)]
        decision = decisions.pop(0)
        if not decisions:
            del self._answers[(*place, request.digest)]
        return decision

    def _take_in(self, place: tuple[str, str], answer: object) -> bool:
        """Keep what an answer says of the calls that it names; whether it names any."""
        named: Mapping[object, object] = cast("Mapping[object, object]", answer) if isinstance(answer, Mapping) else {}
        found = [(str(digest), decision) for digest, given in named.items() for decision in _decisions(given)]
        for digest, decision in found:
            held = self._answers.setdefault((*place, digest), [])
            if decision not in held:  # a resumed run takes the answers of before in again
                held.append(decision)
        while len(self._answers) > _MOST:
            self._answers.popitem(last=False)
        return bool(found)

    def __reduce__(self) -> tuple[type[Interrupts], tuple[()]]:
        return Interrupts, ()


def _decisions(given: object) -> list[Decision]:
    listed = cast("list[object]", given) if isinstance(given, list) else [given]
    return [decision for each in listed if (decision := _decision(each)) is not None]


def _decision(given: object) -> Decision | None:
    if isinstance(given, bool):
        return Decision(given)
    if isinstance(given, Decision):
        return given
    held: Mapping[str, object] = cast("Mapping[str, object]", given) if isinstance(given, Mapping) else {}
    if not isinstance(held.get("approved"), bool):
        return None
    return Decision(held["approved"] is True, str(held.get("reason") or ""), str(held.get("by") or ""))


def _asked_for(request: ApprovalRequest, note: str) -> AskedFor:
    spec, call = request.spec, request.context.id
    return {
        "type": "toolgraft_approval",
        "digest": request.digest,
        "server": spec.ref.server,
        "tool": spec.ref.tool,
        "name": spec.name,
        "title": spec.title,
        "arguments": plain_json(dict(request.arguments)).value,
        "safety": spec.safety.value,
        "tool_call_id": call.call if call is not None else None,
        "required": request.required,
        "approved_by": [each.by for each in request.decided],
        "note": note,
    }


def _caller_of(request: ApprovalRequest) -> Caller:
    caller = request.context.user
    place: Mapping[str, object] = caller.get("configurable") or {} if isinstance(caller, Caller) else {}
    if not isinstance(caller, Caller) or SCRATCHPAD not in place:
        why = "it is not called by a LangGraph graph, which could pause: give approver=, a function that asks"
        raise NoApproverError(request.spec.ref, why)
    if _in_scope_of(caller, _thread_id) is None:
        why = "the graph has no checkpointer to pause with: compile it with one (create_agent(..., checkpointer=...))"
        raise NoApproverError(request.spec.ref, why)
    return caller


def _thread_id() -> str | None:
    from langgraph.runtime import get_runtime

    info = get_runtime().execution_info
    return None if info is None else info.thread_id  # none without a checkpointer


def _place(request: ApprovalRequest) -> tuple[str, str]:
    call = request.context.id
    return (call.run, call.namespace) if call is not None else ("", "")


def _interrupt(caller: Caller, value: AskedFor) -> object:
    """Interrupt the caller's run."""
    from langgraph.types import interrupt

    return _in_scope_of(caller, lambda: cast("object", interrupt(value)))


def _in_scope_of(caller: Caller, work: Callable[[], T]) -> T:
    """Do something as in the caller's task, also from another thread than the caller's."""
    scope = copy_context()
    scope.run(var_child_runnable_config.set, cast("Any", dict(caller)))
    return scope.run(work)
