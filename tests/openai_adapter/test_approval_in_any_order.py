"""Many calls that wait for their yes, in any order and over saves: each is asked about once, by itself."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from toolgraft import Approved, Asked, Called, CallEvent, Event
from toolgraft_openai_agents import graft

from tests.openai_adapter.test_approval import Pay, agent, outputs, run, saved

pytestmark = pytest.mark.anyio


def in_any_order(rng: random.Random) -> Any:
    async def layer(call: Any, proceed: Any) -> Any:
        for _ in range(rng.randrange(30)):
            await asyncio.sleep(0)
        return await proceed(call)

    return layer


@pytest.mark.faults("P4", "P5")
@pytest.mark.parametrize("over", ["one process", "saves", "restarts"])
@pytest.mark.parametrize("seed", range(8))
async def test_each_call_is_asked_about_once_and_runs_once_by_its_own_yes(seed: int, over: str) -> None:
    rng = random.Random(seed)
    pay, heard = Pay(), list[Event]()
    wanted = [("pay", a) for a in (1, 2, 2, 3, 4)]
    fate = {f"c{at}": rng.random() < 0.6 for at in range(len(wanted))}
    prompts: list[str] = []
    options: Any = {"middleware": [in_any_order(rng)], "on_event": heard.append}

    def decide(state: Any, items: Any) -> None:
        """Answer some of what is asked: at least one, in any order."""
        chosen = rng.sample(items, rng.randrange(1, len(items) + 1))
        for item in chosen:
            prompts.append(item.call_id)
            if fate[item.call_id]:
                state.approve(item)
            else:
                state.reject(item, rejection_message="no")

    async with graft(pay.declared(approve="always"), **options) as tools:
        one = agent(tools, *wanted)
        result = await run(one, context={})
        while result.interruptions and over != "restarts":
            state = await saved(result, one) if over == "saves" else result.to_state()
            decide(state, state.get_interruptions())
            result = await run(one, state)
    while result.interruptions:
        async with graft(pay.declared(approve="always"), **options) as tools:
            one = agent(tools)
            state = await saved(result, one)
            decide(state, state.get_interruptions())
            result = await run(one, state)
    assert sorted(prompts) == sorted(fate), "each call is asked about once"
    assert sorted(pay.paid) == sorted(a for at, (_, a) in enumerate(wanted) if fate[f"c{at}"])
    approved = [each for each in heard if isinstance(each, Approved)]
    assert sorted(each.id.call for each in approved if each.id) == sorted(name for name, yes in fate.items() if yes)
    order = [type(each) for each in heard if isinstance(each, CallEvent) and each.id and each.id.call == "c0"]
    assert order[0] is Asked
    assert (Called in order) is fate["c0"]
    if over != "restarts":
        assert len(outputs(result)) == len(wanted)
        asked = [each.id.call for each in heard if isinstance(each, Asked) and each.id]
        assert sorted(asked) == sorted(fate)
