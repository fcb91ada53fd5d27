"""Where LangGraph and `HumanInTheLoopMiddleware` keep what a person was asked and has answered.

Some of it is private to them; a test names each place and fails when one moves, and what is not found is no yes.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

from toolgraft_langchain.caller import Caller

Key: TypeAlias = "tuple[str, str, str]"
"""Thread, checkpoint namespace of the graph, and the model's id of the call."""

SCRATCHPAD: Final = "__pregel_scratchpad"
"""Where LangGraph keeps the answers of a task's interrupts; outside a task of a graph there is none."""

CHECKPOINTER: Final = "__pregel_checkpointer"
"""Where a task finds what its graph is saved by."""

INTERRUPT: Final = "__interrupt__"
"""The channel of a checkpoint's writes that holds what was asked."""

EDITED: Final = "hitl_edited_tool_calls"
"""The channel in which the middleware keeps edited calls between its node and the tools'. No input sets it."""

ASKS: Final = "Call "
"""How the last line of a question's description begins, before the digest."""

_STEPS: Final = 16
"""Steps of a graph between a question and its tool that are looked at."""


def task_of(caller: Caller) -> str:
    """The checkpoint namespace of the task that a call is made in."""
    return caller.id.namespace if caller.id is not None else ""


def key_of(caller: Caller) -> Key:
    """Which call of which graph it is, in whichever of its tasks."""
    call = caller.id
    return ("", "", "") if call is None else (call.run, call.namespace.rpartition("|")[0], call.call)


def message_of(caller: Caller) -> str:
    """The id of the model's message that has the call."""
    messages = cast("Sequence[Any]", _mapping(caller.state).get("messages") or ())
    for message in reversed(messages):
        if any(call["id"] == caller.tool_call_id for call in getattr(message, "tool_calls", None) or ()):
            return str(message.id)
    return ""


def is_answered(caller: Caller) -> bool:
    """Whether the task has an answer to go on with."""
    pad: Any = _configurable(caller).get(SCRATCHPAD)
    return pad is not None and (bool(pad.resume) or pad.get_null_resume(False) is not None)


def written_in_task(caller: Caller, name: str) -> object:
    """The arguments that the person wrote who answered in this very task; None where they stay as they are."""
    pad: Any = _configurable(caller).get(SCRATCHPAD)
    for answer in reversed(cast("Sequence[object]", getattr(pad, "resume", None) or ())):
        decision = _mapping(answer)
        if decision.get("type") == "edit":
            return _arguments(decision.get("edited_action"), name)
        if "type" in decision:
            return None
    return None


def written_in_state(caller: Caller, name: str) -> object:
    """The same of the person who answered in the middleware's own node."""
    edited = _mapping(_mapping(caller.state).get(EDITED)).get(caller.tool_call_id)
    return None if edited is None else _arguments(edited, name)


async def was_asked(caller: Caller, digest: str) -> bool:
    """Whether the checkpoint says that a person was asked about a digest."""
    saver, search = _saver(caller), _search(caller, digest)
    try:
        place = next(search)
        while True:
            place = search.send(await saver.aget_tuple(place))
    except StopIteration as done:
        return bool(done.value)


def was_asked_sync(caller: Caller, digest: str) -> bool:
    """Do as `was_asked` does, from a thread that may wait."""
    saver, search = _saver(caller), _search(caller, digest)
    try:
        place = next(search)
        while True:
            place = search.send(saver.get_tuple(place))
    except StopIteration as done:
        return bool(done.value)


def _search(caller: Caller, digest: str) -> Generator[Any, Any, bool]:
    """Ask for one checkpoint after the other, from the task's own back, until one holds the question."""
    info = getattr(caller.runtime, "execution_info", None)
    if info is None or not info.checkpoint_id or not hasattr(_saver(caller), "aget_tuple"):
        return False
    thread, graph, _ = key_of(caller)
    place: Any = {"configurable": {"thread_id": thread, "checkpoint_ns": graph, "checkpoint_id": info.checkpoint_id}}
    for _ in range(_STEPS):
        held = yield place
        if held is not None and digest in set(_digests(held.pending_writes or ())):
            return True
        place = held.parent_config if held is not None else None
        if place is None:
            return False
    return False


def _digests(writes: Sequence[tuple[str, str, Any]]) -> Iterator[str]:
    """The digests that the questions among a checkpoint's writes end with."""
    for _, channel, value in writes:
        for interrupt in cast("Sequence[object]", value) if channel == INTERRUPT else ():
            asked = _mapping(getattr(interrupt, "value", None))
            for each in cast("Sequence[object]", asked.get("action_requests", [asked])):
                _, _, last = str(_mapping(each).get("description", "")).rpartition("\n")
                if last.startswith(ASKS):
                    yield last.removeprefix(ASKS)


def _arguments(action: object, name: str) -> object:
    """An edit's arguments; nothing that a call could have where it names another tool."""
    edited = _mapping(action)
    return edited.get("args") if edited.get("name") == name else ()


def _saver(caller: Caller) -> Any:
    """What the graph is saved by."""
    return _configurable(caller).get(CHECKPOINTER)


def _configurable(caller: Caller) -> Mapping[object, Any]:
    return _mapping(caller.get("configurable"))


def _mapping(given: object) -> Mapping[object, Any]:
    return cast("Mapping[object, Any]", given) if isinstance(given, Mapping) else {}
