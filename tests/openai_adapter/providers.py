"""Models of several providers as the Agents SDK reaches them, each following a script; and a server of tools."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import httpx2
from agents import FunctionTool, Model, ModelProvider, OpenAIChatCompletionsModel, OpenAIResponsesModel
from agents.testing import ScriptedModel, assistant_message, function_call
from openai import AsyncOpenAI
from toolgraft import Stdio

from tests.servers.every_result import PDF, PNG

TOOLS: list[dict[str, Any]] = [
    {
        "name": "find",
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "most": {"type": "integer", "enum": [1, 10, 100]},
                "within": {"type": "object", "properties": {"folder": {"type": "string"}}},
            },
            "required": ["query"],
        },
    },
    {
        "name": "tag",
        "inputSchema": {
            "type": "object",
            "properties": {"tags": {"type": "object", "additionalProperties": {"type": "string"}}},
            "required": ["tags"],
        },
    },
    {"name": "look", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "3d_view", "inputSchema": {"type": "object", "properties": {}}},
]

SEEN: dict[str, Any] = {
    "content": [
        {"type": "text", "text": "a view"},
        {"type": "image", "data": PNG, "mimeType": "image/png"},
        {"type": "resource", "resource": {"uri": "file:///a.pdf", "blob": PDF, "mimeType": "application/pdf"}},
    ]
}


def server(folder: Path) -> Stdio:
    """A server over stdio with tools that providers differ in; all but `look` echo their arguments."""
    file = folder / "script.json"
    file.write_text(json.dumps({"tools": TOOLS, "answers": {"look": SEEN}}))
    return Stdio(sys.executable, "-m", "tests.servers.scripted", str(file), name="scripted", timeout=30)


class ByResponses(ScriptedModel, OpenAIResponsesModel):  # pyright: ignore[reportIncompatibleMethodOverride]
    """One of OpenAI's."""

    def __init__(self, steps: Sequence[Any]) -> None:
        ScriptedModel.__init__(self, steps)
        OpenAIResponsesModel.__init__(self, "gpt-5", AsyncOpenAI(api_key="unused"))


def by_litellm(name: str, steps: Sequence[Any]) -> ScriptedModel:
    """One that is reached by LiteLLM, whose package need not be here."""
    kind = type("LitellmModel", (ScriptedModel,), {"__module__": "agents.extensions.models.litellm_model"})
    made: Any = kind(steps)
    made.model, made.base_url = name, None
    return cast("ScriptedModel", made)


def of(provider: str, *steps: Any) -> ScriptedModel:
    """A scripted model of a provider: `openai` by Responses, any other by LiteLLM."""
    return ByResponses(steps) if provider == "openai" else by_litellm(f"{provider}/a-model", steps)


def asks(name: str, arguments: str = "{}", call_id: str = "call_1") -> list[Any]:
    """A step in which a tool is called."""
    return [function_call(name, arguments, call_id=call_id)]


def says(text: str = "done") -> list[Any]:
    """A step in which the model ends."""
    return [assistant_message(text)]


class Provider(ModelProvider):
    """A provider of some models by their names."""

    def __init__(self, **models: Model) -> None:
        self.models = models
        self.closed = False

    def get_model(self, model_name: str | None) -> Model:
        return self.models[str(model_name)]

    async def aclose(self) -> None:
        self.closed = True


def shown(model: ScriptedModel, name: str, at: int = 0) -> FunctionTool | None:
    """A tool as a model was given it at a request."""
    tools = [each for each in model.calls[at].tools if isinstance(each, FunctionTool)]
    return next((each for each in tools if each.name == name), None)


def sent(model: ScriptedModel) -> str:
    """The input of a model's last request."""
    return json.dumps(model.calls[-1].input, ensure_ascii=False, default=str)


def client(base_url: str, requests: list[Any], *answers: Any) -> AsyncOpenAI:
    """A client whose requests go nowhere; each gets the next answer."""
    waiting = iter(answers)

    def answer(request: httpx2.Request) -> httpx2.Response:
        requests.append(json.loads(request.content))
        return httpx2.Response(200, json=next(waiting))

    http = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
    return AsyncOpenAI(api_key="unused", base_url=base_url, http_client=http)


def chat(base_url: str, name: str = "a-model") -> OpenAIChatCompletionsModel:
    """A model that is reached by Chat Completions at an address."""
    return OpenAIChatCompletionsModel(name, AsyncOpenAI(api_key="unused", base_url=base_url))


def completion(*, call: tuple[str, str] | None = None) -> dict[str, Any]:
    """An answer of Chat Completions: a call, or the end."""
    message: dict[str, Any] = {"role": "assistant", "content": None if call else "done"}
    if call:
        function = {"name": call[0], "arguments": call[1]}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if call else "stop"}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
