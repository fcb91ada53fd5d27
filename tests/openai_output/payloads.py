"""What the Agents SDK itself would send, made without a network."""

from __future__ import annotations

import json
from typing import Any

from agents.items import ItemHelpers
from agents.models.chatcmpl_converter import Converter
from openai.types.responses import ResponseFunctionToolCall

CALL_ID = "call_1"


def call(call_id: str = CALL_ID) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(type="function_call", call_id=call_id, name="t", arguments="{}")


def responses(output: Any) -> Any:
    """The item of an OpenAI Responses request."""
    return json.loads(json.dumps(ItemHelpers.tool_call_output_item(call(), output)))


def chat_completions(items: list[Any]) -> list[Any]:
    """The messages of an OpenAI Chat Completions request."""
    return json.loads(json.dumps(Converter.items_to_messages(items)))
