"""What LangChain's own model classes would send, made without a network."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from langchain_anthropic import ChatAnthropic
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI

CALL_ID = "call_1"


def conversation(message: ToolMessage) -> list[BaseMessage]:
    asked = AIMessage("", tool_calls=[{"id": CALL_ID, "name": "t", "args": {}, "type": "tool_call"}])
    return [HumanMessage("go"), asked, message]


def chat_completions(messages: Sequence[BaseMessage]) -> list[Any]:
    """The messages of an OpenAI Chat Completions request, from the first answer of a tool on."""
    model: Any = ChatOpenAI(model="gpt-5", api_key="x", use_responses_api=False)  # pyright: ignore[reportArgumentType]
    payload = json.loads(json.dumps(model._get_request_payload(list(messages))))
    return payload["messages"][2:]


def responses(messages: Sequence[BaseMessage]) -> list[Any]:
    """The input of an OpenAI Responses request, from the first answer of a tool on."""
    model: Any = ChatOpenAI(model="gpt-5", api_key="x", use_responses_api=True)  # pyright: ignore[reportArgumentType]
    payload = json.loads(json.dumps(model._get_request_payload(list(messages))))
    return [item for item in payload["input"] if item.get("type") == "function_call_output"]


def anthropic(messages: Sequence[BaseMessage]) -> list[Any]:
    """The tool results of an Anthropic request."""
    model: Any = ChatAnthropic(model_name="claude-sonnet-5", api_key="x", timeout=None, stop=None)  # pyright: ignore[reportArgumentType]
    payload = json.loads(json.dumps(model._get_request_payload(list(messages))))
    return payload["messages"][2:]
