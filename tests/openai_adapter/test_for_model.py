"""Tools for one model: of a graft that was told it, or of a list for several."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any, cast

import pytest
from agents import Agent, FunctionTool, RunConfig, Runner, Tool, WebSearchTool
from toolgraft import Stdio
from toolgraft_openai_agents import MCPFunctionTool, chat_completions, for_model, graft

from tests.openai_adapter.providers import asks, of, says, sent, server
from tests.servers.every_result import PDF, PNG

pytestmark = pytest.mark.anyio

PROVIDERS = ["openai", "anthropic", "gemini", "bedrock", "mistral", "groq", "cohere", "deepseek", "any"]


@pytest.fixture
def declared(tmp_path: Path) -> Stdio:
    return server(tmp_path)


def named(tools: list[Tool], name: str) -> FunctionTool:
    return cast("FunctionTool", next(tool for tool in tools if tool.name == name))


async def ran(tools: list[Tool], *steps: Any, provider: str = "groq", **config: Any) -> tuple[Any, Any]:
    model = of(provider, *steps)
    run_config = RunConfig(tracing_disabled=True, **config)
    return await Runner.run(Agent(name="a", model=model, tools=tools), "go", run_config=run_config), model


def echoed(run: Any) -> list[Any]:
    return [json.loads(item.output)["arguments"] for item in run.new_items if item.type == "tool_call_output_item"]


async def test_a_tool_is_strict_exactly_where_its_provider_reads_that(declared: Stdio) -> None:
    for provider in PROVIDERS:
        async with graft(declared, model=provider) as tools:
            find = named(tools, "find")
            assert find.strict_json_schema is (provider in ("openai", "any"))
            assert isinstance(find, MCPFunctionTool)
            assert find.mcp is not None
            assert find.mcp.strict is find.strict_json_schema


async def test_a_list_for_one_more_model_is_as_if_it_had_been_told(declared: Stdio) -> None:
    async with graft(declared) as tools:
        for provider in PROVIDERS:
            async with graft(declared, model=provider) as told:
                drawn = for_model(tools, provider)
                expected = {tool.name: tool.params_json_schema for tool in told if tool.name in {t.name for t in drawn}}
                assert {tool.name: cast("FunctionTool", tool).params_json_schema for tool in drawn} == expected


async def test_a_name_is_one_that_the_provider_takes_or_is_left_out(
    declared: Stdio, caplog: pytest.LogCaptureFixture
) -> None:
    async with graft(declared, model="gemini") as tools:
        assert "_3d_view" in {tool.name for tool in tools}
    async with graft(declared) as tools:
        assert len(for_model(tools, "gemini")) == len(tools) - 1
        assert "graft(..., model='gemini')" in caplog.text


async def test_other_tools_and_the_list_itself_stay_as_they_are(declared: Stdio) -> None:
    async with graft(declared) as tools:
        mine = WebSearchTool()
        before = [vars(tool).copy() for tool in tools]
        assert for_model([mine, *tools], "gemini")[0] is mine
        assert for_model(tools, "any") == list(tools)
        assert [vars(tool) for tool in tools] == before


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_picture_stands_in_a_tools_output_only_where_the_model_reads_it_there(
    declared: Stdio, provider: str
) -> None:
    async with graft(declared, model=provider) as told, graft(declared) as plain:
        for tools in (told, for_model(plain, provider)):
            run, model = await ran(tools, asks("look"), says())
            reads = provider in ("openai", "any")
            assert (PNG in sent(model)) is (PDF in sent(model)) is reads
            assert ("[picture" in sent(model)) is not reads
            item = next(item for item in run.new_items if item.type == "tool_call_output_item")
            assert PNG in json.dumps(item.custom_data)


async def test_a_picture_is_kept_for_what_puts_it_where_the_model_reads_it(declared: Stdio) -> None:
    async with graft(declared, model="groq") as tools:
        _, model = await ran(
            tools, asks("look"), says(), call_model_input_filter=chat_completions.PicturesAsUserItems()
        )
        assert PNG in sent(model)
        assert '"role": "user", "content": [' in sent(model)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("arguments", ['{"query": "x"}', '{"query": "x", "most": null, "within": null}'])
async def test_a_call_of_either_form_is_understood(declared: Stdio, provider: str, arguments: str) -> None:
    async with graft(declared) as tools:
        run, _ = await ran(for_model(tools, provider), asks("find", arguments), says())
        assert echoed(run) == [{"query": "x"}]


async def test_a_fully_strict_tool_is_called_plainly_by_a_model_that_is_shown_it_so(declared: Stdio) -> None:
    async with graft(declared, strict="full", model="anthropic") as tools:
        schema = named(tools, "tag").params_json_schema
        arguments: dict[str, Any] = {"tags": {"a": "b"}}
        arguments |= {name: schema["properties"][name]["enum"][0] for name in {*schema["required"]} - {"tags"}}
        kept = [pickle.loads(pickle.dumps(named(tools, "tag"))), copy.deepcopy(named(tools, "tag"))]
        for tool in (named(tools, "tag"), *kept):
            run, _ = await ran([tool], asks("tag", json.dumps(arguments)), says())
            assert echoed(run) == [{"tags": {"a": "b"}}]
        run, _ = await ran(tools, asks("tag", '{"toolgraft_form'), says())
        assert "not JSON" in str(run.new_items[1].output)


async def test_what_was_set_on_a_tool_stays_on_its_copies(declared: Stdio) -> None:
    async with graft(declared) as tools:
        find = named(tools, "find")
        find.needs_approval, find.timeout_seconds = True, 7
        drawn = named(for_model(tools, "gemini"), "find")
        assert (drawn.needs_approval, drawn.timeout_seconds) == (True, 7)
