"""Agents of several models with one list of tools, over a real server: what each is sent, what comes of calls."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from agents import (
    Agent,
    Model,
    ModelProvider,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    RunConfig,
    Runner,
    RunState,
    SQLiteSession,
    Tool,
    handoff,
)
from agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest
from agents.testing import ModelStep, ScriptedModel
from toolgraft import Stdio
from toolgraft.errors import ConfigError
from toolgraft_openai_agents import follow_model, graft

from tests.openai_adapter.providers import Provider, asks, chat, client, completion, of, says, sent, server, shown
from tests.servers.every_result import PDF, PNG

pytestmark = pytest.mark.anyio

UNTRACED = RunConfig(tracing_disabled=True)
PROVIDERS = ["openai", "anthropic", "gemini", "mistral", "groq", "cohere", "deepseek"]
PLAIN = '{"query": "x", "within": {"folder": "a"}}'
STRICT = '{"query": "x", "most": null, "within": {"folder": "a"}}'


@pytest.fixture
def declared(tmp_path: Path) -> Stdio:
    return server(tmp_path)


@pytest.fixture
async def tools(declared: Stdio) -> AsyncIterator[list[Tool]]:
    async with graft(declared) as grafted:
        yield grafted


def config(**models: Model) -> RunConfig:
    return RunConfig(model_provider=follow_model(Provider(**models)), tracing_disabled=True)


def outputs(run: Any) -> list[str]:
    return [str(item.output) for item in run.new_items if item.type == "tool_call_output_item"]


def echoed(run: Any) -> list[Any]:
    """The arguments that the server got."""
    return [json.loads(each)["arguments"] for each in outputs(run)]


def bringing(items: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Where pictures and files stand in what a model is sent, and as what."""
    found: list[tuple[str, str]] = []
    for item in items:
        place = "tool" if item.get("type") == "function_call_output" else str(item.get("role"))
        parts: Any = item.get("output") or item.get("content") or []
        found += [(place, each["type"]) for each in parts if PNG in json.dumps(each) or PDF in json.dumps(each)]
    return found


async def test_each_model_is_given_the_tools_in_its_own_form(tools: list[Tool]) -> None:
    given: dict[str, Any] = {}
    for name in PROVIDERS:
        model = of(name, says())
        await Runner.run(Agent(name="a", model="m", tools=tools), "go", run_config=config(m=model))
        tool = shown(model, "find")
        assert tool is not None
        given[name] = tool.params_json_schema, tool.strict_json_schema
    assert given["openai"][1]
    assert given["openai"][0]["required"] == ["query", "most", "within"]
    assert given["anthropic"] == given["mistral"] == given["groq"]
    assert given["anthropic"][0]["required"] == ["query"]
    assert "folder" in json.dumps(given["gemini"][0]["properties"]["within"])
    assert "properties" not in given["cohere"][0]["properties"]["within"]
    assert not any(strict for name, (_, strict) in given.items() if name != "openai")


@pytest.mark.parametrize("first", PROVIDERS)
@pytest.mark.parametrize("second", ["openai", "gemini"])
async def test_an_agent_hands_off_to_another_model_and_both_call_the_same_tools(
    tools: list[Tool], first: str, second: str
) -> None:
    one = of(first, asks("find", STRICT if first == "openai" else PLAIN), asks("transfer_to_b", call_id="call_2"))
    two = of(second, asks("find", STRICT if second == "openai" else PLAIN, call_id="call_3"), says())
    other = Agent(name="b", model="two", tools=tools)
    run = await Runner.run(
        Agent(name="a", model="one", tools=tools, handoffs=[handoff(other)]), "go", run_config=config(one=one, two=two)
    )
    assert run.final_output == "done"
    assert echoed(run) == [{"query": "x", "within": {"folder": "a"}}] * 2


async def test_a_session_goes_from_one_model_to_another_with_its_pictures(tools: list[Tool]) -> None:
    session = SQLiteSession("s")
    first, second, third = of("openai", asks("look"), says()), of("groq", says()), of("openai", says())
    models = config(first=first, second=second, third=third)
    for name in ("first", "second", "third"):
        await Runner.run(Agent(name="a", model=name, tools=tools), "go", run_config=models, session=session)
    assert bringing(json.loads(sent(second))) == [("user", "input_image")]
    assert "[file" in sent(second)
    assert PDF not in sent(second)
    assert bringing(json.loads(sent(third))) == [("tool", "input_image"), ("tool", "input_file")]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_picture_reaches_a_model_where_its_provider_reads_it_and_never_as_text(
    tools: list[Tool], provider: str
) -> None:
    model = of(provider, asks("look"), says())
    run = await Runner.run(Agent(name="a", model="m", tools=tools), "go", run_config=config(m=model))
    places = bringing(json.loads(sent(model)))
    user = [("user", "input_image")]
    expected: dict[str, list[tuple[str, str]]] = {
        "openai": [("tool", "input_image"), ("tool", "input_file")],
        "anthropic": [*user, ("user", "input_file")],
        "gemini": [*user, ("user", "input_file")],
        "mistral": user,
        "groq": user,
        "cohere": [],
        "deepseek": [],
    }
    assert places == expected[provider]
    whole: Any = next(item.custom_data for item in run.new_items if item.type == "tool_call_output_item")
    assert PNG in json.dumps(whole)
    told = [item.get("role") for item in json.loads(sent(model)) if item.get("type") != "function_call_output"]
    assert ("assistant" in told) is (provider == "mistral"), "an item of the user may not follow a tool's output there"


async def test_the_runs_history_and_the_tools_stay_as_they_are(tools: list[Tool]) -> None:
    before = [(tool.name, vars(tool).copy()) for tool in tools]
    model = of("gemini", asks("look"), says())
    run = await Runner.run(Agent(name="a", model="m", tools=tools), "go", run_config=config(m=model))
    assert json.dumps(run.to_input_list()).count("input_image") == 1
    assert [(tool.name, vars(tool)) for tool in tools] == before


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini"])
async def test_a_stream_is_followed_too(tools: list[Tool], provider: str) -> None:
    model = of(provider, asks("find", STRICT if provider == "openai" else PLAIN), says())
    run = Runner.run_streamed(Agent(name="a", model="m", tools=tools), "go", run_config=config(m=model))
    events = [event async for event in run.stream_events()]
    tool = shown(model, "find")
    assert events
    assert model.calls[0].streamed
    assert tool is not None
    assert tool.strict_json_schema is (provider == "openai")
    assert echoed(run) == [{"query": "x", "within": {"folder": "a"}}]


async def test_an_agent_as_a_tool_is_followed_too(tools: list[Tool]) -> None:
    inner, outer = of("gemini", asks("look"), says("seen")), of("openai", asks("ask_b", '{"input": "go"}'), says())
    reader = Agent(name="b", model="inner", tools=tools).as_tool("ask_b", "Ask.")
    await Runner.run(
        Agent(name="a", model="outer", tools=[reader, *tools]), "go", run_config=config(inner=inner, outer=outer)
    )
    tool = shown(inner, "find")
    assert tool is not None
    assert not tool.strict_json_schema
    assert '"role": "user", "content": [' in sent(inner)
    assert "seen" in sent(outer)


async def test_a_run_goes_on_with_another_model_in_another_process(tools: list[Tool]) -> None:
    for tool in tools:
        vars(tool)["needs_approval"] = True
    first, second = of("openai", asks("find", STRICT)), of("gemini", says())
    agent = Agent(name="a", model="m", tools=tools)
    stopped = await Runner.run(agent, "go", run_config=config(m=first))
    state = await RunState.from_json(agent, json.loads(json.dumps(stopped.to_state().to_json())))
    state.approve(state.get_interruptions()[0])
    run = await Runner.run(agent, state, run_config=config(m=second))
    assert echoed(run) == [{"query": "x", "within": {"folder": "a"}}]
    assert run.final_output == "done"


@pytest.mark.parametrize("made_for", ["openai", "gemini"])
async def test_a_fully_strict_tool_that_is_shown_plainly_understands_either_form(
    declared: Stdio, made_for: str
) -> None:
    """A call in one form is carried out by the tool in another, also after it was kept."""
    full = '{"tags": [{"key": "a", "value": "b"}]}'
    async with graft(declared, strict="full", model=made_for) as tools:
        one, two = of("openai", asks("tag", full), says()), of("mistral", says())
        models = config(one=one, two=two)
        run = await Runner.run(Agent(name="a", model="one", tools=tools), "go", run_config=models)
        await Runner.run(Agent(name="a", model="two", tools=tools), "go", run_config=models)
        assert echoed(run) == [{"tags": {"a": "b"}}]
        plain = shown(two, "tag")
        assert plain is not None
        assert plain.params_json_schema["properties"]["tags"]["type"] == "object"
        arguments = {"tags": {"a": "b"}}
        for name in set(plain.params_json_schema["required"]) - {"tags"}:
            arguments[name] = plain.params_json_schema["properties"][name]["enum"][0]
        three = of("mistral", asks("tag", json.dumps(arguments)), says())
        run = await Runner.run(Agent(name="a", model="three", tools=tools), "go", run_config=config(three=three))
        assert echoed(run) == [{"tags": {"a": "b"}}]


async def test_a_tool_whose_name_a_provider_refuses_is_left_out_and_that_is_said_once(
    tools: list[Tool], caplog: pytest.LogCaptureFixture
) -> None:
    gemini, openai = of("gemini", asks("look"), says()), of("openai", says())
    models = config(gemini=gemini, openai=openai)
    for name in ("gemini", "openai"):
        await Runner.run(Agent(name="a", model=name, tools=tools), "go", run_config=models)
    assert shown(gemini, "3d_view") is None
    assert shown(openai, "3d_view") is not None
    said = [record.getMessage() for record in caplog.records if "left out" in record.getMessage()]
    assert len(said) == 1
    assert "'3d_view'" in said[0]
    assert "graft(..., model='gemini')" in said[0]


async def test_what_was_set_on_a_tool_is_shown_to_every_model(tools: list[Tool]) -> None:
    for tool in tools:
        vars(tool)["description"] = "Mine."
    vars(tools[1])["params_json_schema"] = mine = {"type": "object", "properties": {"mine": {"type": "string"}}}
    model = of("gemini", says())
    await Runner.run(Agent(name="a", model="m", tools=tools), "go", run_config=config(m=model))
    find, tag = shown(model, "find"), shown(model, tools[1].name)
    assert find is not None
    assert tag is not None
    assert find.description == "Mine."
    assert tag.params_json_schema == mine


async def test_a_model_given_as_an_object_is_followed_alone(tools: list[Tool]) -> None:
    model = of("groq", asks("look"), says())
    await Runner.run(Agent(name="a", model=follow_model(model), tools=tools), "go", run_config=UNTRACED)
    assert '"role": "user", "content": [' in sent(model)


async def test_programs_are_for_responses_alone(declared: Stdio) -> None:
    async with graft(declared, programmatic=True) as tools:
        groq, openai = of("groq", says()), of("openai", says())
        models = config(groq=groq, openai=openai)
        for name in ("groq", "openai"):
            await Runner.run(Agent(name="a", model=name, tools=tools), "go", run_config=models)
        by_messages, by_responses = shown(groq, "find"), shown(openai, "find")
        assert by_messages is not None
        assert by_responses is not None
        assert by_messages.allowed_callers is None
        assert by_responses.allowed_callers == ["direct", "programmatic"]


async def test_what_the_sdk_itself_sends_by_chat_completions(tools: list[Tool]) -> None:
    requests: list[Any] = []
    address = "https://api.groq.com/openai/v1"
    sends = client(address, requests, completion(call=("look", "{}")), completion())
    model = follow_model(OpenAIChatCompletionsModel("llama", sends))
    run = await Runner.run(Agent(name="a", model=model, tools=tools), "go", run_config=UNTRACED)
    assert run.final_output == "done"
    find = next(each["function"] for each in requests[0]["tools"] if each["function"]["name"] == "find")
    assert find["strict"] is False
    assert find["parameters"]["required"] == ["query"]
    messages = requests[1]["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "user"]
    assert PNG not in json.dumps(messages[2])
    assert messages[3]["content"][1]["image_url"]["url"].endswith(PNG)


class Kept(ScriptedModel):
    """A model that says what it was asked for."""

    def __init__(self, *steps: Any) -> None:
        super().__init__(steps)
        self.asked: list[str] = []

    async def close(self) -> None:
        self.asked.append("close")

    async def _cleanup_on_run_end(self, owner: object) -> None:
        self.asked.append("cleanup")

    def get_retry_advice(self, request: ModelRetryAdviceRequest) -> ModelRetryAdvice | None:
        self.asked.append("advice")
        return super().get_retry_advice(request)

    @property
    def further(self) -> str:
        return "further"


async def test_in_all_else_it_is_the_model_and_the_provider_that_are_followed(tools: list[Tool]) -> None:
    model = Kept(ModelStep(error=RuntimeError("no luck")), says())
    provider = Provider(m=model)
    followed: Any = follow_model(provider)
    run_config = RunConfig(model_provider=followed, tracing_disabled=True)
    agent = Agent(name="a", model="m", tools=tools)
    with pytest.raises(RuntimeError, match="no luck"):
        await Runner.run(agent, "go", run_config=run_config)
    await Runner.run(agent, "go", run_config=run_config)
    assert model.asked == ["advice", "cleanup", "cleanup"]
    one: Any = followed.get_model("m")
    await one.close()
    await followed.aclose()
    assert model.asked[-1] == "close"
    assert provider.closed
    assert one is followed.get_model("m")
    assert one.further == "further"
    assert followed.models == {"m": model}
    assert follow_model(followed) is followed
    assert follow_model(one) is one
    with pytest.raises(AttributeError):
        _ = one.not_there


def test_it_is_of_the_kind_that_the_sdk_asks_for() -> None:
    """The SDK treats some kinds of models in their own ways."""
    followed = follow_model(chat("https://api.groq.com/openai/v1"))
    assert isinstance(followed, OpenAIChatCompletionsModel)
    assert not isinstance(followed, OpenAIResponsesModel)
    assert hasattr(Model, "_cleanup_on_run_end")


def test_it_follows_models_and_providers_alone() -> None:
    wrong: Any = "gpt-5"
    with pytest.raises(ConfigError, match="not a str"):
        follow_model(wrong)
    assert isinstance(follow_model(), ModelProvider)
