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
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, Final, cast
from uuid import uuid4

from agents import RunContextWrapper, Usage, get_current_trace
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
        number: Tells the question from every other: ids of calls come again, in other runs and those of others.
    """

    digest: str
    number: str


class Approvals:
    """What persons are asked about by the SDK, and whether a yes is for the call that comes."""

    def __init__(self) -> None:
        self._asked: OrderedDict[str, list[tuple[Question, weakref.ref[Usage]]]] = OrderedDict()
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
            self._note(context, call, Question(digest_of(bound.spec, given), uuid4().hex))
        return waits

    def was_asked(self, context: ToolContext[Any]) -> bool:
        """Whether a person was asked about a call, by a rule that may be gone since."""
        return self._noted(context, context.tool_call_id) is not None

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
        asked, now = self._noted(context, call), digest_of(spec, _object_of(context.tool_arguments))
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
        here = [each for each in self._asked.get(call, ()) if each[1]() is not context.usage]
        self._asked[call] = [*here[-_MOST_OF_ONE_ID:], (question, weakref.ref(context.usage))]
        self._asked.move_to_end(call)
        _bounded(self._asked)
        held: object = context.context
        if isinstance(held, MutableMapping):
            noted = cast("MutableMapping[str, Any]", held).setdefault(NOTED, {})
            noted[call] = f"{question.digest} {question.number}"

    def _noted(self, context: ToolContext[Any], call: str) -> Question | None:
        """The question about a call: of this very run, as the run's context has it, or the only one of such a call."""
        here = self._asked.get(call, [])
        own = [question for question, usage in here if usage() is context.usage]
        if own:
            return own[-1]
        held: object = context.context
        noted = cast("Mapping[str, Any]", held).get(NOTED) if isinstance(held, Mapping) else None
        found = cast("Mapping[str, Any]", noted).get(call) if isinstance(noted, Mapping) else None
        if isinstance(found, str):
            digest, _, number = found.partition(" ")
            return Question(digest, number)
        return here[0][0] if len(here) == 1 else None


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
