"""What a person said to `HumanInTheLoopMiddleware`, brought to the gate of the tool, see `interrupt_on`.

The middleware hands a call on when it was approved or edited, and tells the tool neither. What the tool goes by is
nothing that a model or a server could write:

- The middleware looks at each call by a function of ours before it asks. That notes the digest of what is asked about.
- What was answered stands with the task that asked (`per_call`), and what was edited in a channel of the graph's state
  that no input sets (`batched`).
- After a restart, what was asked about is read from the checkpoint, whose interrupt ends with the digest.

A yes is for one call with these arguments, or those that the person wrote in their place, of the definition that it was
asked about, and is used by one task. Where any of that is missing, the tool asks itself.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Final

from toolgraft.config.approval import ApprovalRequest
from toolgraft.errors import CallError
from toolgraft.schema import parse
from toolgraft.tools.bound import BoundTool

from toolgraft_langchain.approval.answers_in_graph import (
    ASKS,
    Key,
    is_answered,
    key_of,
    message_of,
    task_of,
    was_asked,
    was_asked_sync,
    written_in_state,
    written_in_task,
)
from toolgraft_langchain.caller import Caller
from toolgraft_langchain.forms import meant

_MOST: Final = 10_000
"""Questions that are remembered."""


@dataclass(frozen=True, slots=True)
class Question:
    """A call that the middleware asks about.

    Attributes:
        digest: Stands for the call, see `ApprovalRequest.digest`.
        name: The tool's name.
        arguments: As the model wrote them.
        task: Checkpoint namespace of the task that asks.
        message: The id of the model's message that has the call; ids of calls may come again in later ones.
        answered: There is an answer.
        known: Whether the person saw this digest; None where another process asked.
        used: Checkpoint namespace of the one task that may use the answer; empty before.
    """

    digest: str
    name: str
    arguments: Mapping[str, Any] = field(repr=False)
    task: str
    message: str
    answered: bool = False
    known: bool | None = True
    used: str = ""

    def is_again(self, other: Question) -> bool:
        """Whether the same task looks at the same call once more, as it does when the run goes on."""
        return (self.task, self.message, self.name, self.arguments) == (
            other.task,
            other.message,
            other.name,
            other.arguments,
        )


_LOOKED_AT: Final[ContextVar[tuple[Key, str] | None]] = ContextVar("toolgraft_reviewed", default=None)
"""The call and the digest that the middleware around this tool has looked at, in this very execution."""


class Reviews:
    """The questions of the middleware about the tools of one graft."""

    def __init__(self) -> None:
        self._questions: OrderedDict[Key, Question] = OrderedDict()

    def asks(self, caller: Caller, name: str, arguments: Mapping[str, Any], digest: str | None) -> bool:
        """Note what the middleware is to ask about, and tell whether it is to ask.

        Args:
            caller: Who makes the call, as the middleware tells.
            name: The tool's name.
            arguments: As the model wrote them.
            digest: What a person is asked about; None where the call needs no yes.
        """
        key, task = key_of(caller), task_of(caller)
        before = self._questions.get(key)
        now = Question(digest or "", name, arguments, task, message_of(caller), is_answered(caller))
        again = before is not None and before.is_again(now)
        if digest is None:  # a rule that changes its mind must not let a call go by that a person said no to
            return again
        if now.answered:
            known = None if before is None or not again else before.known and before.digest == digest
            now = replace(now, known=known)
        self._questions[key] = now
        self._questions.move_to_end(key)
        while len(self._questions) > _MOST:
            self._questions.popitem(last=False)
        _LOOKED_AT.set((key, digest))
        return True

    def described(self, caller: Caller, text: str) -> str:
        """A question's text, with the digest that it is about as its last line."""
        question = self._questions.get(key_of(caller))
        return text if question is None else f"{text}\n\n{ASKS}{question.digest}"

    def answered(self, caller: Caller, name: str, arguments: Mapping[str, Any]) -> Question | None:
        """The question whose answer lets a call with these arguments go, where there is one."""
        question = self._questions.get(key_of(caller)) if self._questions and caller.id is not None else None
        if question is None or question.name != name or question.known is False:
            return None
        if question.message != message_of(caller):
            return None
        task = task_of(caller)
        if question.used not in ("", task):
            return None
        in_call = question.task == task
        if not (_LOOKED_AT.get() == (key_of(caller), question.digest) if in_call else question.answered):
            return None
        written = written_in_task(caller, name) if in_call else written_in_state(caller, name)
        return question if arguments == (question.arguments if written is None else written) else None

    async def agreed(self, bound: BoundTool, caller: Caller, given: Mapping[str, Any]) -> str:
        """Give the digest of the call that a person has said yes to; empty where there is no yes for this one."""
        question = self.answered(caller, bound.name, given)
        if question is None or not (question.known or await was_asked(caller, question.digest)):
            return ""
        self.use(caller)
        return question.digest if given == question.arguments else _digest(await request_of(bound, given, caller))

    def agreed_sync(self, bound: BoundTool, caller: Caller, given: Mapping[str, Any]) -> str:
        """Do as `agreed` does, from a thread that may wait."""
        question = self.answered(caller, bound.name, given)
        if question is None or not (question.known or was_asked_sync(caller, question.digest)):
            return ""
        self.use(caller)
        if given == question.arguments:
            return question.digest
        return _digest(bound.connection.wait(lambda: request_of(bound, given, caller)))

    def use(self, caller: Caller) -> None:
        """Note that the answer to the question about a call is used, and by which task."""
        key = key_of(caller)
        if (question := self._questions.get(key)) is not None:
            self._questions[key] = replace(question, used=task_of(caller), known=True)

    def __reduce__(self) -> tuple[type[Reviews], tuple[()]]:
        return Reviews, ()


async def request_of(bound: BoundTool, given: Mapping[str, Any], caller: Caller) -> ApprovalRequest | None:
    """Give what a person is asked about a call, however it is written; None where the call itself says the rest."""
    try:
        tool, arguments = meant(bound, given)
        return await tool.would_ask(parse(arguments) if isinstance(arguments, str) else arguments, **caller.options)
    except CallError:
        return None


def _digest(request: ApprovalRequest | None) -> str:
    return "" if request is None else request.digest
