"""Pictures for models that are reached by Chat Completions."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from toolgraft_langchain.chat_completions import pictures_as_user_messages, pictures_middleware

from tests.langchain_output.payloads import chat_completions
from tests.servers.every_result import PDF, PNG

pytestmark = pytest.mark.faults("R14")

PICTURE = {"type": "image", "base64": PNG, "mime_type": "image/png"}
FILE = {"type": "file", "base64": PDF, "mime_type": "application/pdf", "filename": "a.pdf"}
URL = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}


def asked(*ids: str) -> AIMessage:
    return AIMessage("", tool_calls=[{"id": one, "name": "t", "args": {}, "type": "tool_call"} for one in ids])


def told(call_id: str, *blocks: Any) -> ToolMessage:
    return ToolMessage(list(blocks), tool_call_id=call_id, artifact={"kept": True}, status="error")


def test_a_picture_follows_as_a_message_of_the_user() -> None:
    before = [HumanMessage("go"), asked("1"), told("1", {"type": "text", "text": "a"}, PICTURE)]
    tool_message, user_message = chat_completions(pictures_as_user_messages(before))
    assert tool_message == {
        "role": "tool",
        "tool_call_id": "1",
        "content": "a\n\n[picture: image/png, 70 bytes: see the user message that follows]",
    }
    assert user_message == {"role": "user", "content": [{"type": "text", "text": "From tool call 1:"}, URL]}


def test_answers_of_one_turn_stay_together_and_the_turn_before_keeps_its_own() -> None:
    before: list[BaseMessage] = [
        HumanMessage("go"),
        asked("1", "2"),
        told("1", PICTURE),
        told("2", FILE, PICTURE),
        asked("3"),
        told("3", PICTURE),
        HumanMessage("and now?"),
    ]
    after = pictures_as_user_messages(before)
    assert [message.type for message in after] == [
        "human",
        "ai",
        "tool",
        "tool",
        "human",
        "ai",
        "tool",
        "human",
        "human",
    ]
    assert [len(after[at].content) for at in (4, 7)] == [5, 2]


def test_the_given_messages_stay_as_they_are_and_the_rest_of_them_is_kept() -> None:
    before = [HumanMessage("go"), asked("1"), told("1", PICTURE)]
    after = pictures_as_user_messages(before)
    assert before[2].content == [PICTURE]
    assert isinstance(after[2], ToolMessage)
    assert (after[2].artifact, after[2].status, after[2].tool_call_id) == ({"kept": True}, "error", "1")


def test_messages_without_pictures_are_the_very_same() -> None:
    before: list[BaseMessage] = [HumanMessage([PICTURE]), asked("1"), ToolMessage("text", tool_call_id="1")]
    assert all(one is two for one, two in zip(before, pictures_as_user_messages(before), strict=True))


@tool
def look() -> list[dict[str, Any]]:
    """Look."""
    return [PICTURE]


class Script(GenericFakeChatModel):
    """Says what it is told to, and remembers what it was sent."""

    sent: list[list[BaseMessage]] = []  # noqa: RUF012

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Any:
        self.sent.append(messages)
        return super()._generate(messages, *args, **kwargs)

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self


@pytest.mark.anyio
@pytest.mark.parametrize("how", ["sync", "async"])
async def test_the_middleware_rewrites_what_the_model_is_sent_and_not_the_agents_messages(how: str) -> None:
    call = AIMessage("", tool_calls=[{"id": "1", "name": "look", "args": {}, "type": "tool_call"}])
    model = Script(messages=iter([call, AIMessage("seen")]), sent=[])
    agent: Any = create_agent(model, [look], middleware=[pictures_middleware()])
    state = {"messages": [HumanMessage("go")]}
    end = await agent.ainvoke(state) if how == "async" else agent.invoke(state)
    assert [message.type for message in model.sent[1]] == ["human", "ai", "tool", "human"]
    assert model.sent[1][3].content[1] == URL
    assert [message.type for message in end["messages"]] == ["human", "ai", "tool", "ai"]
    assert end["messages"][2].content == [PICTURE]
