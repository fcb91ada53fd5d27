"""Ways round the Agents SDK's interruptions: other users, the same ids, a yes for always, handoffs, replays, copies."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any

import pytest
from agents import Agent, ModelBehaviorError, Runner, RunState, trace
from agents.testing import ScriptedModel, assistant_message, function_call
from toolgraft_openai_agents import graft

from tests.openai_adapter.test_approval import QUIET, Pay, agent, outputs, run, saved

pytestmark = [pytest.mark.anyio, pytest.mark.faults("P4", "P5")]


def approved(result: Any) -> Any:
    state = result.to_state()
    for item in result.interruptions:
        state.approve(item)
    return state


class User:
    """A context of the application's own."""


@pytest.mark.parametrize("context", [dict, User])
async def test_two_users_whose_models_choose_the_same_ids_do_not_spoil_each_others_yes(context: Any) -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        users = [agent(tools, ("pay", a), name=f"A{at}") for at, a in enumerate((7, 7, 9))]
        paused = [await run(one, context=context()) for one in users]
        for one, result in zip(users, paused, strict=True):
            end = await run(one, approved(result))
            assert outputs(end)[-1].startswith("pay ")
    assert sorted(pay.paid) == [7, 7, 9]


async def test_without_a_context_runs_with_the_same_ids_are_told_apart_by_what_they_ask() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        users = [agent(tools, ("pay", a), name=f"A{at}") for at, a in enumerate((7, 8, 9))]
        paused = [await run(one) for one in users]
        for one, result in zip(users, paused, strict=True):
            await run(one, approved(result))
        again = agent(tools, ("pay", 7), name="Again")
        await run(again, approved(await run(again)))
    assert sorted(pay.paid) == [7, 7, 8, 9]


async def test_a_question_of_one_user_stops_no_call_of_another_that_needs_no_yes() -> None:
    pay = Pay()
    async with graft(pay.declared(approve=["pay"])) as tools:
        await run(agent(tools, ("pay", 7), name="A"))
        end = await run(agent(tools, ("look", 1), name="B"))
    assert outputs(end) == ["look 1"]


async def test_the_yes_of_one_user_is_none_for_another() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        ann, bob = agent(tools, ("pay", 7), name="A"), agent(tools, ("pay", 7), name="B")
        for_ann, for_bob = await run(ann, context={}), await run(bob, context={})
        await run(ann, approved(for_ann))
        end = await run(bob, for_bob.to_state())
    assert len(end.interruptions) == 1
    assert pay.paid == [7]


async def test_a_replay_by_one_user_does_not_spend_the_yes_of_another() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        ann, bob = agent(tools, ("pay", 7), name="A"), agent(tools, ("pay", 7), name="B")
        for_ann, for_bob = await run(ann, context={}), await run(bob, context={})
        await run(ann, await saved(for_ann, ann, ["c0"]))
        again = await run(ann, await saved(for_ann, ann, ["c0"]))
        assert pay.paid == [7]
        assert "it was used before" in outputs(again)[0]
        await run(bob, await saved(for_bob, bob, ["c0"]))
    assert pay.paid == [7, 7]


async def test_saved_runs_that_nothing_tells_apart_are_refused_and_say_what_to_give() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        ann, bob = agent(tools, ("pay", 7), name="A"), agent(tools, ("pay", 7), name="B")
        for_ann = await run(ann)
        await run(bob)
        end = await run(ann, await saved(for_ann, ann, ["c0"]))
    assert pay.paid == []
    assert "a dict as context=" in outputs(end)[0]


async def test_runs_under_one_trace_are_told_apart() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        with trace("many runs", disabled=False):
            for _ in range(2):
                one = agent(tools, ("pay", 7))
                await Runner.run(one, approved(await Runner.run(one, "go", context={})))
    assert pay.paid == [7, 7]


@pytest.mark.parametrize("context", [dict, lambda: None])
async def test_a_yes_for_always_holds_for_calls_of_that_tool_in_that_run_only(context: Any) -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        calls = [
            [function_call(name, json.dumps({"a": a}), call_id=f"c{a}")]
            for name, a in (("pay", 1), ("pay", 2), ("look", 3))
        ]
        model = ScriptedModel([*calls, [assistant_message("done")]])
        one = Agent[Any](name="A", model=model, tools=tools)
        paused = await run(one, context=context())
        state = paused.to_state()
        state.approve(paused.interruptions[0], always_approve=True)
        end = await run(one, state)
        assert pay.paid == [1, 2]
        assert [item.tool_name for item in end.interruptions] == ["look"]
        other = await run(agent(tools, ("pay", 4), name="B"), context={})
    assert len(other.interruptions) == 1
    assert pay.paid == [1, 2]


async def test_an_agent_that_is_handed_over_to_pauses_as_well() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        payer = agent(tools, ("pay", 7), name="Payer")
        hand = function_call("transfer_to_payer", "{}", call_id="h0")
        first = Agent[Any](name="First", model=ScriptedModel([[hand]]), handoffs=[payer])
        paused = await run(first, context={})
        assert pay.paid == []
        state: Any = await RunState.from_json(first, json.loads(json.dumps(paused.to_state().to_json())))
        for item in state.get_interruptions():
            state.approve(item)
        end = await run(first, state)
    assert pay.paid == [7]
    assert end.final_output == "done"


async def test_an_agent_as_a_tool_goes_on_from_a_saved_run_and_pays_once() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        inner = agent(tools, ("pay", 7), name="Inner")
        call = function_call("inner", json.dumps({"input": "pay"}), call_id="outer")
        outer = Agent[Any](
            name="Outer",
            model=ScriptedModel([[call], *[[assistant_message("all")]] * 2]),
            tools=[inner.as_tool("inner", "Pays.")],
        )
        paused = await run(outer, context={})
        for _ in range(2):
            state: Any = await RunState.from_json(outer, json.loads(json.dumps(paused.to_state().to_json())))
            for item in state.get_interruptions():
                state.approve(item)
            await run(outer, state)
    assert pay.paid == [7]


async def test_a_copy_of_a_tool_without_its_gate_calls_nothing() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        for made in (copy.copy(tools[0]), copy.deepcopy(tools[0])):
            stripped: Any = made
            stripped.needs_approval = False
            end = await run(agent([stripped], ("pay", 7)))
            assert "did not ask for it" in outputs(end)[0]

        async def always(*_: Any) -> bool:
            return False

        stripped = copy.copy(tools[0])
        stripped.needs_approval = always
        await run(agent([stripped], ("pay", 7)))
    assert pay.paid == []


async def test_arguments_edited_in_the_saved_run_are_refused() -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        one = agent(tools, ("pay", 7))
        paused = await run(one, context={})
        text = json.dumps(paused.to_state().to_json()).replace('{\\"a\\": 7}', '{\\"a\\": 700}')
        assert "700" in text

        async def go_on() -> None:
            state: Any = await RunState.from_json(one, json.loads(text))
            for item in state.get_interruptions():
                state.approve(item)
            await run(one, state)

        with pytest.raises(ModelBehaviorError, match="Model reused a tool call ID"):  # the SDK's own
            await go_on()
    assert pay.paid == []


async def test_a_run_that_is_cancelled_while_a_call_is_asked_about_by_an_approver_calls_nothing() -> None:
    pay, asked = Pay(), asyncio.Event()

    async def hangs(request: Any) -> bool:
        asked.set()
        await asyncio.Event().wait()
        return True

    async with graft(pay.declared(approve="always"), approver=hangs) as tools:
        going = asyncio.ensure_future(Runner.run(agent(tools, ("pay", 7)), "go", run_config=QUIET))
        await asyncio.wait_for(asked.wait(), 30)
        going.cancel()
        await asyncio.wait([going])
    assert pay.paid == []
