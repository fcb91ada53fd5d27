"""Pictures for models that are reached by Chat Completions."""

from __future__ import annotations

from typing import Any

import pytest
from agents import Agent, FunctionTool, RunConfig, Runner, ToolOutputImage
from agents.run_config import CallModelData, ModelInputData
from agents.testing import ScriptedModel, assistant_message, function_call
from toolgraft_openai_agents.chat_completions import PicturesAsUserItems, pictures_as_user_items

from tests.openai_output.payloads import call, chat_completions
from tests.servers.every_result import PDF, PNG

pytestmark = pytest.mark.faults("R14")

URL = f"data:image/png;base64,{PNG}"
TEXT = {"type": "input_text", "text": "a"}
PICTURE = {"type": "input_image", "image_url": URL}
FILE = {"type": "input_file", "file_data": f"data:application/pdf;base64,{PDF}", "filename": "a.pdf"}
USER = {"role": "user", "content": "go"}


def asked(call_id: str) -> dict[str, Any]:
    return call(call_id).model_dump(exclude_none=True)


def told(call_id: str, *parts: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": list(parts)}


def test_a_picture_follows_as_an_item_of_the_user() -> None:
    messages = chat_completions(pictures_as_user_items([USER, asked("1"), told("1", TEXT, PICTURE)]))
    assert messages[2:] == [
        {
            "role": "tool",
            "tool_call_id": "1",
            "content": [
                {"type": "text", "text": "a"},
                {"type": "text", "text": "[1 attached (picture): see the user message that follows]"},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "From tool call 1:"},
                {"type": "image_url", "image_url": {"url": URL, "detail": "auto"}},
            ],
        },
    ]


def test_answers_of_one_turn_stay_together() -> None:
    items = [USER, asked("1"), asked("2"), told("1", PICTURE), told("2", FILE, PICTURE), asked("3"), told("3", TEXT)]
    after = pictures_as_user_items(items)
    roles = " ".join(message["role"] for message in chat_completions(after))
    assert roles == "user assistant tool tool user assistant tool"
    assert len(after[5]["content"]) == 5


def test_the_given_items_stay_as_they_are_and_those_without_pictures_are_the_very_same() -> None:
    items = [{"role": "user", "content": [PICTURE]}, asked("1"), told("1", TEXT), asked("2"), told("2", PICTURE)]
    after = pictures_as_user_items(items)
    assert items[4] == told("2", PICTURE)
    assert all(one is two for one, two in zip(items[:4], after, strict=False))


async def look(*_: Any) -> Any:
    return [ToolOutputImage(image_url=URL)]


@pytest.mark.anyio
async def test_the_filter_rewrites_what_the_model_is_sent_and_not_the_runs_history() -> None:
    model = ScriptedModel([[function_call("look", "{}", call_id="1")], [assistant_message("seen")]])
    tool = FunctionTool("look", "Look.", {"type": "object", "properties": {}}, look, strict_json_schema=False)
    run = RunConfig(call_model_input_filter=PicturesAsUserItems(), tracing_disabled=True)
    end = await Runner.run(Agent(name="a", model=model, tools=[tool]), "go", run_config=run)
    sent: Any = model.calls[-1].input
    assert sent[-1] == {"role": "user", "content": [{"type": "input_text", "text": "From tool call 1:"}, PICTURE]}
    history: list[Any] = end.to_input_list()
    assert [item["output"] for item in history if item.get("type") == "function_call_output"] == [[PICTURE]]


@pytest.mark.anyio
@pytest.mark.parametrize("how", ["sync", "async"])
async def test_another_filter_may_run_first(how: str) -> None:
    def sync(data: CallModelData[Any]) -> ModelInputData:
        return ModelInputData(input=[*data.model_data.input, told("1", PICTURE)], instructions="i")  # type: ignore[list-item]

    async def other(data: CallModelData[Any]) -> ModelInputData:
        return sync(data)

    before = sync if how == "sync" else other
    data = CallModelData(ModelInputData(input=[], instructions=None), Agent(name="a"), None)
    made = await PicturesAsUserItems(before)(data)
    assert made.instructions == "i"
    assert len(made.input) == 2
