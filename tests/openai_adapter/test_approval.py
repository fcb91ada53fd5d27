"""A person's yes by the Agents SDK's interruptions: held to the call and its tool, also over a saved run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import mcp_types as types
import pytest
from agents import Agent, RunConfig, Runner, RunState, ToolCallOutputItem
from agents.testing import ScriptedModel, assistant_message, function_call
from mcp.server.lowlevel import Server
from toolgraft import InProcess
from toolgraft_openai_agents import for_model, graft
from toolgraft_openai_agents.approvals import NOTED

pytestmark = pytest.mark.anyio

NUMBER = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
QUIET = RunConfig(tracing_disabled=True)


class Pay:
    """A server that notes what it is paid."""

    def __init__(self, schema: dict[str, Any] = NUMBER) -> None:
        self.paid: list[int] = []
        self.schema = schema
        self.mcp = Server("pay", on_list_tools=self._list, on_call_tool=self._call)

    def declared(self, name: str = "pay", **fields: Any) -> InProcess:
        return InProcess(self.mcp, name=name, **fields)

    async def _list(self, context: Any, params: Any) -> types.ListToolsResult:
        tools = [types.Tool(name=name, input_schema=self.schema) for name in ("pay", "look")]
        return types.ListToolsResult(tools=tools)

    async def _call(self, context: Any, params: Any) -> types.CallToolResult:
        if params.name == "pay":
            self.paid.append(params.arguments["a"])
        text = f"{params.name} {params.arguments['a']}"
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


def agent(tools: Any, *calls: tuple[str, int], name: str = "A", **more: Any) -> Agent[Any]:
    made = [function_call(tool, json.dumps({"a": a}), call_id=f"c{at}") for at, (tool, a) in enumerate(calls)]
    turns: list[Any] = [[*made]] if made else []
    model = ScriptedModel([*turns, *[[assistant_message("done")]] * 5])
    return Agent(name=name, model=model, tools=tools, **more)


def outputs(result: Any) -> list[str]:
    return [str(item.output) for item in result.new_items if isinstance(item, ToolCallOutputItem)]


async def run(one: Agent[Any], given: Any = "go", context: Any = None) -> Any:
    return await Runner.run(one, given, run_config=QUIET, context=context)


async def saved(result: Any, one: Agent[Any], approve: Sequence[str] = ()) -> Any:
    """The state of a paused run after it was written and read, with calls of these ids approved."""
    state = await RunState.from_json(one, json.loads(json.dumps(result.to_state().to_json())))
    for item in state.get_interruptions():
        if item.call_id in approve:
            state.approve(item)
    return state


@pytest.mark.faults("P4")
async def test_a_run_pauses_until_a_person_has_said_yes() -> None:
    pay = Pay()
    async with graft(pay.declared(approve=["pay"])) as tools:
        one = agent(tools, ("pay", 7), ("look", 1))
        paused = await run(one)
        assert [item.call_id for item in paused.interruptions] == ["c0"]
        assert pay.paid == []
        state = paused.to_state()
        state.approve(paused.interruptions[0])
        end = await run(one, state)
    assert pay.paid == [7]
    assert end.final_output == "done"
    assert sorted(outputs(end)) == ["look 1", "pay 7"]


@pytest.mark.faults("P3")
async def test_a_no_is_told_and_the_siblings_go_on() -> None:
    pay = Pay()
    async with graft(pay.declared(approve=["pay"])) as tools:
        one = agent(tools, ("pay", 1), ("look", 2), ("pay", 3))
        paused = await run(one)
        state = paused.to_state()
        for item in paused.interruptions:
            if item.call_id == "c0":
                state.reject(item, rejection_message="too much")
            else:
                state.approve(item)
        end = await run(one, state)
    assert pay.paid == [3]
    assert sorted(outputs(end)) == ["look 2", "pay 3", "too much"]


async def test_a_rule_is_asked_with_the_arguments_and_the_run() -> None:
    pay, seen = Pay(), list[Any]()

    def large(spec: Any, arguments: Any, context: Any) -> bool:
        seen.append((spec.ref.tool, dict(arguments), context.user.context))
        return arguments["a"] > 5

    async with graft(pay.declared(), approve=large) as tools:
        paused = await run(agent(tools, ("pay", 1), ("pay", 9)), context={"who": "ann"})
    assert [item.call_id for item in paused.interruptions] == ["c1"]
    assert pay.paid == [1]
    assert ("pay", {"a": 9}) in [(tool, arguments) for tool, arguments, _ in seen]
    assert all(context["who"] == "ann" for *_, context in seen)


async def test_a_rule_that_fails_has_a_person_asked() -> None:
    def broken(*_: Any) -> bool:
        raise LookupError

    pay = Pay()
    async with graft(pay.declared(), approve=broken) as tools:
        paused = await run(agent(tools, ("pay", 1)))
    assert len(paused.interruptions) == 1
    assert pay.paid == []


async def test_a_saved_run_goes_on_elsewhere() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        paused = await run(agent(tools, ("pay", 7)), context={})
    assert NOTED in paused.to_state().to_json()["context"]["context"]
    async with graft(pay.declared(approve="always")) as tools:
        one = agent(tools)
        end = await run(one, await saved(paused, one, ["c0"]))
    assert pay.paid == [7]
    assert end.final_output == "done"


@pytest.mark.faults("P5")
async def test_a_yes_does_not_hold_for_another_definition() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        paused = await run(agent(tools, ("pay", 7)), context={})
    pay.schema = {**NUMBER, "properties": {"a": {"type": "integer"}, "all": {"type": "boolean"}}}
    async with graft(pay.declared(approve="always")) as tools:
        one = agent(tools)
        end = await run(one, await saved(paused, one, ["c0"]))
    assert pay.paid == []
    assert "given for another definition of the tool" in outputs(end)[0]


async def test_a_yes_does_not_hold_for_the_tool_of_another_server() -> None:
    pay, thief = Pay(), Pay()
    async with graft(pay.declared(approve="always")) as tools:
        paused = await run(agent(tools, ("pay", 7)), context={})
    async with graft(thief.declared("thief", approve="always")) as tools:
        one = agent(tools)
        end = await run(one, await saved(paused, one, ["c0"]))
    assert thief.paid == []
    assert "or for another tool" in outputs(end)[0]


@pytest.mark.parametrize("approved", [True, False])
async def test_a_call_that_was_asked_about_needs_its_yes_also_when_the_rule_is_gone(approved: bool) -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        paused = await run(agent(tools, ("pay", 7)), context={})
    async with graft(pay.declared()) as tools:
        one = agent(tools)
        end = await run(one, await saved(paused, one, ["c0"] if approved else []))
    assert pay.paid == ([7] if approved else [])
    assert bool(end.interruptions) is not approved


async def test_a_snapshot_that_is_resumed_twice_pays_once() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        one = agent(tools, ("pay", 7))
        paused = await run(one, context={})
        await run(one, await saved(paused, one, ["c0"]))
        end = await run(one, await saved(paused, one, ["c0"]))
    assert pay.paid == [7]
    assert "it was used before" in outputs(end)[0]


async def test_a_saved_run_without_a_dict_as_context_says_what_to_give() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        paused = await run(agent(tools, ("pay", 7)))
    async with graft(pay.declared(approve="always")) as tools:
        one = agent(tools)
        end = await run(one, await saved(paused, one, ["c0"]))
    assert pay.paid == []
    assert "a dict as context=" in outputs(end)[0]


async def test_the_tools_for_another_model_pause_the_run_too() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        paused = await run(agent(for_model(tools, "anthropic"), ("pay", 7)))
        assert len(paused.interruptions) == 1
    assert pay.paid == []


async def test_a_streamed_run_pauses_as_well() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        one = agent(tools, ("pay", 7))
        streamed = Runner.run_streamed(one, "go", run_config=QUIET)
        async for _ in streamed.stream_events():
            pass
        state = streamed.to_state()
        state.approve(streamed.interruptions[0])
        again = Runner.run_streamed(one, state, run_config=QUIET)
        async for _ in again.stream_events():
            pass
    assert pay.paid == [7]


async def test_an_agent_that_is_a_tool_pauses_the_run_around_it() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        inner = agent(tools, ("pay", 7), name="Inner")
        asked = function_call("inner", json.dumps({"input": "pay"}), call_id="outer")
        model = ScriptedModel([[asked], [assistant_message("all done")]])
        outer = Agent(name="Outer", model=model, tools=[inner.as_tool("inner", "Pays.")])
        paused = await run(outer)
        assert pay.paid == []
        state = paused.to_state()
        state.approve(paused.interruptions[0])
        end = await run(outer, state)
    assert pay.paid == [7]
    assert end.final_output == "all done"


async def test_an_approver_of_ones_own_is_asked_in_place_of_an_interruption() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always"), approver=lambda request: request.arguments["a"] < 5) as tools:
        end = await run(agent(tools, ("pay", 1), ("pay", 9)))
    assert not end.interruptions
    assert pay.paid == [1]
    assert "a person said no" in outputs(end)[1]


async def test_what_nobody_was_asked_about_is_refused() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        tool: Any = tools[0]
        tool.needs_approval = False
        end = await run(agent([tool], ("pay", 7)))
    assert pay.paid == []
    assert "the Agents SDK did not ask for it" in outputs(end)[0]
