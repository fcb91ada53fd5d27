"""Prompts and resources as input items of the Agents SDK."""

from __future__ import annotations

import dataclasses
from typing import Any, cast

import pytest
from agents import Agent, Runner
from agents.testing import ScriptedModel
from toolgraft import InProcess, connect
from toolgraft_openai_agents import graft, prompt_items, resource_items

from tests.openai_adapter.providers import asks, says
from tests.servers.offering import PDF, PNG, make

pytestmark = pytest.mark.anyio


def server(**options: Any) -> InProcess:
    return InProcess(make(), name="notes", **options)


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content[0] if isinstance(content[0], str) else list(content)}


PICTURE = {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "auto"}
PAPER = {
    "type": "input_file",
    "filename": "paper.pdf",
    "file_data": f"data:application/pdf;base64,{PDF}",
}
MOVED = {"type": "input_text", "text": "[What follows belongs to the assistant's message before.]"}


async def test_a_prompt_is_items_that_a_run_takes() -> None:
    model = ScriptedModel([says("Hello, Ada!")])
    async with graft(server()) as tools:
        items = prompt_items(await tools.toolbox.prompt("notes", "hello", {"name": "Ada"}))
        run = await Runner.run(Agent(name="a", model=model, tools=[*tools]), items)
    assert items == [user("Say hello to Ada.")]
    assert run.final_output == "Hello, Ada!"


async def test_what_an_assistants_message_shows_stands_in_the_users_next_item() -> None:
    async with connect(server()) as toolbox:
        prompt = await toolbox.prompt("notes", "shown")
    assert cast("Any", prompt_items(prompt)) == [
        user(PICTURE),
        {"role": "assistant", "content": "I see a picture."},
        user(MOVED, PICTURE, PAPER),
        user(MOVED, PICTURE),
    ]
    assert PDF not in str(prompt_items(prompt, files=()))


async def test_a_resource_is_an_item_that_names_it() -> None:
    async with connect(server()) as toolbox:
        (item,) = cast("Any", resource_items(await toolbox.resource("notes", "file:///both")))
    assert item["content"][0] == {"type": "input_text", "text": "[Resource file:///both of the MCP server notes]"}
    assert [part["type"] for part in item["content"][1:]] == ["input_text", "input_image", "input_file"]


async def test_an_agent_looks_for_resources_by_itself() -> None:
    model = ScriptedModel([asks("read_resource", '{"uri": "note://one"}'), says("done")])
    async with graft(dataclasses.replace(server(), resources=True)) as tools:
        run = await Runner.run(Agent(name="a", model=model, tools=[*tools]), "go")
    (output,) = [cast("Any", item).output for item in run.new_items if item.type == "tool_call_output_item"]
    assert output == "[note://one]\na note"
