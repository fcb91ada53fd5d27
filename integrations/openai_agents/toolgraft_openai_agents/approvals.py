"""A person's yes by the Agents SDK's interruptions: the run pauses, and goes on with what was decided.

    result = await Runner.run(agent, "...", context={})
    state = result.to_state()
    for item in result.interruptions:
        state.approve(item)                       # or state.reject(item, rejection_message="too much")
    result = await Runner.run(agent, state)

The SDK holds a yes to a call's arguments, but not to its tool: after a restart, the tool of that name may be another.
So what was asked about is noted as a digest, here and, where the run's context is a dict, in that, which goes with a
saved `RunState`. A call whose yes is for something else, or was used before, is refused; the model may call it anew.
"""

from __future__ import annotations

import hashlib
import json
import logging
import weakref
from collections import OrderedDict
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, Final, cast
from uuid import uuid4

from agents import RunContextWrapper, get_current_trace
from agents.tool_context import ToolContext
from toolgraft.config import CallId
from toolgraft.config.approval import Decision
from toolgraft.errors import ApprovalExpiredError, NoApproverError, ToolgraftError
from toolgraft.schema import parse
from toolgraft.spec import ToolSpec
from toolgraft.tools.bound import BoundTool

from toolgraft_openai_agents.forms import meant

_log: Final = logging.getLogger("toolgraft.openai_agents")

NOTED: Final = "toolgraft_approvals"
"""Where a run's context, if it is a dict, holds what its persons were asked about: a question by the call's id."""

_MOST: Final = 10_000
"""Calls that are remembered."""

_MOST_OF_ONE_ID: Final = 1_000
"""Questions about calls of one id, of different runs, that are remembered."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked about.

    Attributes:
        digest: Of the call.
        definition: Of its tool alone, for a yes that the SDK is told to hold for all calls of a tool.
        number: Tells the question from every other: ids of calls come again, in other runs and those of others.
    """

    digest: str
    definition: str
    number: str

    @classmethod
    def of(cls, text: object) -> Question | None:
        """Read what `str` has written."""
        parts = text.split(" ") if isinstance(text, str) else []
        return cls(*parts) if len(parts) == 3 else None

    def __str__(self) -> str:
        return f"{self.digest} {self.definition} {self.number}"


class Approvals:
    """What persons are asked about by the SDK, and whether a yes is for the call that comes."""

    def __init__(self) -> None:
        self._asked: OrderedDict[str, list[tuple[Question, Callable[[], object]]]] = OrderedDict()
        self._used: OrderedDict[str, None] = OrderedDict()

    async def needed(self, bound: BoundTool, context: RunContextWrapper[Any], given: dict[str, Any], call: str) -> bool:
        """Tell the SDK whether a call waits for a yes, and note what is asked about. What is not clear waits."""
        try:
            tool, arguments = meant(bound, json.dumps(given))
            own = parse(arguments) if isinstance(arguments, str) else arguments
            asked = await tool.would_ask(own, user=context, id=call_id(call))
            waits = asked is not None
            if asked is not None:
                tool.tell_asked(asked)
        except ToolgraftError:
            return False  # these arguments go nowhere: the call itself says why
        except Exception:
            _log.exception("whether a call of %s waits for a yes could not be told, so that it does", bound.spec.ref)
            waits = True
        if waits:
            self._note(context, call, Question(digest_of(bound.spec, given), digest_of(bound.spec, None), uuid4().hex))
        return waits

    def was_asked(self, context: ToolContext[Any]) -> bool:
        """Whether a person was asked about a call, by a rule that may be gone since."""
        decided = context.is_tool_approved(context.tool_name, context.tool_call_id)
        return decided is not None and self._noted(context, context.tool_call_id) is not None

    def decision(self, context: ToolContext[Any], spec: ToolSpec) -> Decision:
        """Give what was decided on a call.

        Raises:
            ApprovalExpiredError: The yes is for another tool or definition, for nothing known, or was used before.
            NoApproverError: Nobody was asked.
        """
        call, ref = context.tool_call_id, spec.ref
        approved = context.is_tool_approved(context.tool_name, call)
        if approved is None:
            raise NoApproverError(ref, "the Agents SDK did not ask for it")
        if not approved:
            return Decision(False)
        now = digest_of(spec, _object_of(context.tool_arguments))
        asked = self._noted(context, call, now)
        if asked is None and self._is_always(context, digest_of(spec, None)):
            return Decision(True)
        if asked is None:
            why = "what it was given for is not known here; with a dict as context= of the run it is saved with the run"
            raise ApprovalExpiredError(ref, why)
        if asked.digest != now:
            raise ApprovalExpiredError(ref, "it was given for another definition of the tool, or for another tool")
        if asked.number in self._used:
            raise ApprovalExpiredError(ref, "it was used before")
        self._used[asked.number] = None
        _bounded(self._used)
        return Decision(True)

    def _note(self, context: RunContextWrapper[Any], call: str, question: Question) -> None:
        held: object = context.context
        self._asked[call] = [*self._asked.get(call, ())[-_MOST_OF_ONE_ID:], (question, _reference(held))]
        self._asked.move_to_end(call)
        _bounded(self._asked)
        if isinstance(held, MutableMapping):
            noted = cast("MutableMapping[str, Any]", held).setdefault(NOTED, {})
            noted[call] = str(question)

    def _noted(self, context: ToolContext[Any], call: str, digest: str | None = None) -> Question | None:
        """The question about a call, as the run's context has it or is known by; else the only one that it can be."""
        if call in (saved := self._saved(context)):
            return saved[call]
        here = self._asked.get(call, [])
        if context.context is not None:
            for question, held in reversed(here):
                if held() is context.context:
                    return question
        alike = [question for question, _ in here if digest in (None, question.digest)]
        left = [question for question in alike if question.number not in self._used]
        if len(left) > 1 and digest is not None:
            return None  # of several runs, any of which it might be
        found = left or alike or [question for question, _ in here]
        return found[-1] if found else None

    def _saved(self, context: ToolContext[Any]) -> Mapping[str, Question]:
        """What a run's context has, if it is a dict."""
        held: object = context.context
        noted = cast("Mapping[str, Any]", held).get(NOTED) if isinstance(held, Mapping) else None
        texts: Mapping[str, Any] = cast("Mapping[str, Any]", noted) if isinstance(noted, Mapping) else {}
        return {call: question for call, text in texts.items() if (question := Question.of(text)) is not None}

    def _is_always(self, context: ToolContext[Any], definition: str) -> bool:
        """Whether a person has said yes to all calls of a tool in this run, having been asked about this definition."""
        if not context.is_tool_approved(context.tool_name, f"no call, {uuid4().hex}"):
            return False
        questions = self._saved(context).values() or [
            question for asked in self._asked.values() for question, held in asked if held() is context.context
        ]
        return any(question.definition == definition for question in questions)


def _reference(held: object) -> Callable[[], object]:
    """What gives an object as long as it is there; None of what cannot be told from its like."""
    try:
        return weakref.ref(held)
    except TypeError:
        return _nothing


def _nothing() -> None:
    """The context of runs that have none of their own."""


_UNTRACED: Final = "no-op"
"""The id of every trace where tracing is off."""


def call_id(call: str) -> CallId:
    """Give which call it is, by the model's id of it and the trace of its run."""
    trace = get_current_trace()
    run = trace.trace_id if trace is not None else _UNTRACED
    return CallId(call, "" if run == _UNTRACED else run)


def digest_of(spec: ToolSpec, given: object) -> str:
    """Give the digest of a call as the model made it: of its tool's identity and input schema, and the arguments."""
    meaning = [spec.ref.server, spec.ref.tool, spec.input_schema, given]
    text = json.dumps(meaning, sort_keys=True, ensure_ascii=False, default=repr)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _object_of(arguments: str) -> object:
    try:
        return json.loads(arguments or "{}")
    except ValueError:
        return arguments


def _bounded(held: OrderedDict[Any, Any]) -> None:
    while len(held) > _MOST:
        held.popitem(last=False)
