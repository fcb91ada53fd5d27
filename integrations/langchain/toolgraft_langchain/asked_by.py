"""Which model made a call, as its own message in the graph's state says.

A tool that was not told its model so keeps pictures out of messages where that model's provider would be sent their
base64 as text, or refuse them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from langchain_core.messages import AIMessage
from toolgraft.dialects import PORTABLE, Dialect, find_dialect

from toolgraft_langchain.caller import Caller

UNTOLD: Final = frozenset({PORTABLE, replace(PORTABLE, strict=False)})
"""The dialects of tools that nobody told a model."""

WHOLE: Final = replace(PORTABLE, name="any, put in its place at each model call")
"""The dialect of a tool whose results a middleware puts where the model of each call reads them."""

_MOST: Final = 200
"""Messages that are looked at, from the last."""

_EITHER: Final = frozenset({"openai"})
"""Providers of which a message does not say by which API it came."""


def dialect_for_result(dialect: Dialect, caller: Caller) -> Dialect:
    """Give what the result of a call is to be like: the tool's own dialect, or that of the model that made the call."""
    if dialect not in UNTOLD or caller.runtime is None or caller.tool_call_id is None:
        return dialect
    found = find_dialect(_provider(caller.state, caller.tool_call_id))
    return dialect if found is None or found.name in _EITHER else found


def _provider(state: Any, tool_call_id: str) -> str:
    for message in reversed(_messages(state)[-_MOST:]):
        if isinstance(message, AIMessage) and any(call["id"] == tool_call_id for call in message.tool_calls):
            return str(message.response_metadata.get("model_provider", ""))
    return ""


def _messages(state: object) -> Sequence[object]:
    """The messages of a state, which is a dict, a model, or the messages themselves."""
    is_mapping = isinstance(state, Mapping)
    held: object = (
        cast("Mapping[str, object]", state).get("messages") if is_mapping else getattr(state, "messages", state)
    )
    return cast("Sequence[object]", held) if isinstance(held, list | tuple) else ()
