"""Prompts and resources as LangChain's messages, documents and blobs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, cast

import langchain.agents as framework
import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from toolgraft import InProcess, connect
from toolgraft.context.prompts import filled
from toolgraft.context.resources import contents
from toolgraft_langchain import graft, prompt_messages, resource_blobs, resource_documents

from tests.servers.offering import PDF, PNG, make

pytestmark = pytest.mark.anyio

create_agent = cast("Callable[..., Any]", framework.create_agent)  # pyright: ignore[reportUnknownMemberType]


def server(**options: Any) -> InProcess:
    return InProcess(make(), name="notes", **options)


async def test_a_prompt_is_messages_that_an_agent_takes() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage("Hello, Ada!")]))
    async with graft(server()) as tools:
        messages = prompt_messages(await tools.toolbox.prompt("notes", "hello", {"name": "Ada"}))
        end = await create_agent(model, tools).ainvoke({"messages": messages})
    assert [(message.type, message.content) for message in messages] == [("human", "Say hello to Ada.")]
    assert [message.content for message in end["messages"]] == ["Say hello to Ada.", "Hello, Ada!"]


async def test_what_an_assistants_message_shows_stands_in_the_users_next() -> None:
    async with connect(server()) as toolbox:
        messages = prompt_messages(await toolbox.prompt("notes", "shown"))
    picture = {"type": "image", "base64": PNG, "mime_type": "image/png"}
    moved = {"type": "text", "text": "[What follows belongs to the assistant's message before.]"}
    paper = {"type": "file", "base64": PDF, "mime_type": "application/pdf", "filename": "paper.pdf"}
    assert [(message.type, message.content) for message in messages] == [
        ("human", [picture]),
        ("ai", "I see a picture."),
        ("human", [moved, picture, paper]),
        ("human", [moved, picture]),
    ]


async def test_a_file_that_a_model_does_not_take_is_told() -> None:
    async with connect(server()) as toolbox:
        messages = prompt_messages(await toolbox.prompt("notes", "shown"), files=())
    assert PDF not in str(messages)
    assert "paper.pdf" in str(messages[2].content)


async def test_the_texts_of_a_resource_are_documents_and_all_of_it_is_blobs() -> None:
    async with connect(server()) as toolbox:
        read = await toolbox.resource("notes", "file:///both")
    (document,) = resource_documents(read)
    assert document.page_content == "# A"
    assert document.metadata == {
        "source": "file:///both/a.md",
        "uri": "file:///both/a.md",
        "mime_type": "text/markdown",
        "server": "notes",
    }
    blobs = resource_blobs(read)
    assert [(blob.mimetype, blob.source) for blob in blobs] == [
        ("text/markdown", "file:///both/a.md"),
        ("image/png", "file:///both/b.png"),
        ("application/pdf", "file:///both/c.pdf"),
    ]
    assert blobs[0].as_string() == "# A"
    assert blobs[1].as_bytes().startswith(b"\x89PNG")


async def test_a_text_without_a_type_is_plain_text() -> None:
    read = contents("s", "a:b", {"contents": [{"uri": "a:b", "text": "x"}]})
    assert [blob.mimetype for blob in resource_blobs(read)] == ["text/plain"]


async def test_links_of_a_prompt_are_told() -> None:
    link = {"type": "resource_link", "uri": "note://one", "name": "one"}
    (message,) = prompt_messages(
        filled("s", "p", {"messages": [{"role": "user", "content": link}]}, server().list_limits)
    )
    assert "note://one" in str(message.content)


async def test_an_agent_looks_for_resources_by_itself() -> None:
    call: Any = {"name": "read_resource", "args": {"uri": "note://one"}, "id": "1", "type": "tool_call"}

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            return self

    model = Model(messages=iter([AIMessage("", tool_calls=[call]), AIMessage("done")]))
    async with graft(dataclasses.replace(server(), resources=True)) as tools:
        end = await create_agent(model, tools).ainvoke({"messages": [HumanMessage("go")]})
        assert [tool.name for tool in tools] == ["list_resources", "read_resource"]
        listed = await tools[0].ainvoke({"search": "first"})
    assert listed.startswith('{"uri":"note://one"')
    assert end["messages"][2].content == "[note://one]\na note"
