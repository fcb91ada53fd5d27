"""A yes by `HumanInTheLoopMiddleware`: in both its modes for one call; whatever goes round it is asked about."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import anyio.lowlevel
import anyio.to_thread
import pytest
from langchain.agents.middleware import HumanInTheLoopMiddleware, ToolRetryMiddleware, wrap_tool_call
from langchain_core.messages import AIMessage
from langchain_core.tools import tool as langchain_tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from toolgraft import Approval, Approved, Asked, Event
from toolgraft.errors import ConfigError
from toolgraft_langchain import approve, graft, interrupt_on, reject

from tests.langchain_adapter.test_approval import GO, NUMBER, Pay, agent, asking, thread, told

pytestmark = pytest.mark.anyio

MODES: Any = ("batched", "per_call")
APPROVE: dict[str, Any] = {"type": "approve"}


def edit(name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "edit", "edited_action": {"name": name, "args": arguments}}


def no(reason: str) -> dict[str, Any]:
    return {"type": "reject", "message": reason}


def reviewed(tools: Any, asked: AIMessage, mode: Any, saver: Any = None, **options: Any) -> Any:
    """An agent with the middleware, and whatever else it is given."""
    more, inner = options.pop("mapping", {}), options.pop("inner", [])
    middleware = HumanInTheLoopMiddleware(interrupt_on={**interrupt_on(tools), **more}, interrupt_mode=mode)
    return agent(tools, asked, saver, middleware=[middleware, *inner], **options)


def questions(state: Any) -> list[dict[str, Any]]:
    """What the middleware asks, a call each, whichever its mode is."""
    values = [each.value for each in state.get("__interrupt__", ())]
    return [call for value in values for call in value.get("action_requests", [value])]


def answers(state: Any, decide: Callable[[dict[str, Any]], dict[str, Any]]) -> Command[Any]:
    given: dict[str, Any] = {}
    for each in state["__interrupt__"]:
        if "action_requests" in each.value:
            given[each.id] = {"decisions": [decide(call) for call in each.value["action_requests"]]}
        else:
            given[each.id] = decide(each.value)
    return Command(resume=given)


def kinds(state: Any) -> list[str]:
    """Who asks: the middleware, or a tool itself."""
    return [str(each.value.get("type", "batched")) for each in state.get("__interrupt__", ())]


@pytest.mark.faults("P4")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("sync", [False, True])
async def test_a_yes_to_the_middleware_is_the_tools_and_nobody_is_asked_twice(mode: str, sync: bool) -> None:
    pay = Pay()
    async with graft(pay.declared(approve=["pay"])) as tools:
        graph = reviewed(tools, asking(("pay", 7), ("look", 1), ("pay", 8)), mode)

        async def run(given: Any) -> Any:
            if sync:
                return await anyio.to_thread.run_sync(lambda: graph.invoke(given, thread()))
            return await graph.ainvoke(given, thread())

        paused = await run(GO)
        asked = sorted((each["name"], each["args"]["a"]) for each in questions(paused))
        assert asked == [("pay", 7), ("pay", 8)]
        assert "MCP server 'pay'" in questions(paused)[0]["description"]
        assert pay.paid == []
        end = await run(answers(paused, lambda _: APPROVE))
    assert not end.get("__interrupt__")
    assert sorted(pay.paid) == [7, 8]
    assert sorted(message.content for message in told(end)) == ["look 1", "pay 7", "pay 8"]


@pytest.mark.faults("P3")
@pytest.mark.parametrize("mode", MODES)
async def test_a_no_to_the_middleware_reaches_the_model_and_stops_no_other_call(mode: str) -> None:
    pay = Pay()
    async with graft(pay.declared(approve=["pay"])) as tools:
        graph = reviewed(tools, asking(("pay", 1), ("look", 2), ("pay", 3)), mode)
        paused = await graph.ainvoke(GO, thread())
        end = await graph.ainvoke(
            answers(paused, lambda call: no("too much") if call["args"] == {"a": 1} else APPROVE), thread()
        )
    assert pay.paid == [3]
    by_id = {message.tool_call_id: message for message in told(end)}
    assert by_id["c0"].status == "error"
    assert "too much" in by_id["c0"].content
    assert (by_id["c1"].content, by_id["c2"].content) == ("look 2", "pay 3")


@pytest.mark.faults("P5")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("sync", [False, True])
async def test_edited_arguments_go_as_the_person_wrote_them_and_nobody_is_asked_again(mode: str, sync: bool) -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        graph = reviewed(tools, asking(("pay", 700), ("pay", 2)), mode)
        paused = await graph.ainvoke(GO, thread())
        answer = answers(paused, lambda call: edit("pay", a=7) if call["args"] == {"a": 700} else APPROVE)
        if sync:
            end = await anyio.to_thread.run_sync(lambda: graph.invoke(answer, thread()))
        else:
            end = await graph.ainvoke(answer, thread())
    assert not end.get("__interrupt__")
    assert sorted(pay.paid) == [2, 7]


@pytest.mark.faults("P5")
@pytest.mark.parametrize("mode", MODES)
async def test_edited_arguments_are_checked_by_the_servers_schema(mode: str) -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        graph = reviewed(tools, asking(("pay", 700)), mode)
        paused = await graph.ainvoke(GO, thread())
        end = await graph.ainvoke(answers(paused, lambda _: edit("pay", a="seven")), thread())
    assert pay.paid == []
    assert not end.get("__interrupt__")
    assert "/a: " in told(end)[0].text


@pytest.mark.faults("P5")
@pytest.mark.parametrize("allowed", [False, True])
async def test_an_edit_to_another_tool_does_not_get_round_that_tools_gate(allowed: bool) -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        graph = reviewed(tools, asking(("look", 1)), "batched")
        paused = await graph.ainvoke(GO, thread())
        state = await graph.ainvoke(answers(paused, lambda _: edit("pay", a=1)), thread())
        assert pay.paid == []
        (asked,) = state["__interrupt__"]
        assert (asked.value["type"], asked.value["tool"]) == ("toolgraft_approval", "pay")
        decide = approve if allowed else reject
        await graph.ainvoke(Command(resume={asked.id: decide(asked.value)}), thread())
    assert pay.paid == ([1] if allowed else [])


async def test_neither_does_an_edit_of_a_tool_of_the_applications_own() -> None:
    @langchain_tool
    def harmless(a: int) -> str:
        """Does nothing."""
        return str(a)

    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        call: Any = {"id": "c0", "name": "harmless", "args": {"a": 1}, "type": "tool_call"}
        every: Any = [*tools, harmless]
        graph = reviewed(every, AIMessage("", tool_calls=[call]), "batched", mapping={"harmless": True})
        paused = await graph.ainvoke(GO, thread())
        state = await graph.ainvoke(answers(paused, lambda _: edit("pay", a=1)), thread())
    assert kinds(state) == ["toolgraft_approval"]
    assert pay.paid == []


@pytest.mark.faults("P5")
@pytest.mark.parametrize("mode", MODES)
async def test_what_a_later_middleware_makes_of_an_approved_call_is_asked_about_by_the_tool(mode: str) -> None:
    @wrap_tool_call
    async def more(request: Any, handler: Any) -> Any:
        return await handler(request.override(tool_call={**request.tool_call, "args": {"a": 99}}))

    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        graph = reviewed(tools, asking(("pay", 1)), mode, inner=[more])
        paused = await graph.ainvoke(GO, thread())
        state = await graph.ainvoke(answers(paused, lambda _: APPROVE), thread())
        assert pay.paid == []
        (asked,) = state["__interrupt__"]
        assert asked.value["arguments"] == {"a": 99}


@pytest.mark.faults("P1")
@pytest.mark.parametrize("mode", MODES)
async def test_the_middleware_asks_by_the_rules_own_view_of_the_arguments(mode: str) -> None:
    def large(spec: Any, arguments: Any, context: Any) -> bool:
        assert context.user["configurable"]["thread_id"] == "1"
        return arguments["a"] > 5

    pay = Pay()
    async with graft(pay.declared(approve={"pay": large})) as tools:
        assert sorted(interrupt_on(tools)) == ["pay"]
        graph = reviewed(tools, asking(("pay", 1), ("pay", 9), ("look", 9)), mode)
        paused = await graph.ainvoke(GO, thread())
        assert [each["args"] for each in questions(paused)] == [{"a": 9}]
        end = await graph.ainvoke(answers(paused, lambda _: APPROVE), thread())
    assert not end.get("__interrupt__")
    assert sorted(pay.paid) == [1, 9]


@pytest.mark.parametrize("mode", MODES)
async def test_a_rule_that_has_to_wait_is_asked_by_the_tool_itself_and_once(mode: str) -> None:
    async def slow(spec: Any, arguments: Any, context: Any) -> bool:
        await anyio.lowlevel.checkpoint()
        return bool(arguments["a"] > 5)

    pay = Pay()
    async with graft(pay.declared(approve=slow)) as tools:
        graph = reviewed(tools, asking(("pay", 1), ("pay", 9)), mode)
        paused = await graph.ainvoke(GO, thread())
        assert kinds(paused) == ["toolgraft_approval"]
        (asked,) = paused["__interrupt__"]
        end = await graph.ainvoke(Command(resume={asked.id: approve(asked.value)}), thread())
    assert not end.get("__interrupt__")
    assert sorted(pay.paid) == [1, 9]


@pytest.mark.parametrize("mode", MODES)
async def test_a_rule_that_changes_its_mind_lets_no_call_go_that_a_person_said_no_to(mode: str) -> None:
    said = [True]

    def changing(*_: object) -> bool:
        return said[0]

    pay = Pay()
    async with graft(pay.declared(approve=changing)) as tools:
        graph = reviewed(tools, asking(("pay", 1)), mode)
        paused = await graph.ainvoke(GO, thread())
        said[0] = False
        end = await graph.ainvoke(answers(paused, lambda _: no("never")), thread())
    assert pay.paid == []
    assert "never" in told(end)[0].text


@pytest.mark.faults("P5")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("sync", [False, True])
async def test_after_a_restart_a_yes_holds_and_nobody_is_asked_again(mode: str, sync: bool) -> None:
    pay, saver = Pay(), InMemorySaver()
    async with graft(pay.declared(approve="always")) as tools:
        paused = await reviewed(tools, asking(("pay", 7), ("pay", 8)), mode, saver).ainvoke(GO, thread())
    async with graft(pay.declared(approve="always")) as tools:
        graph = reviewed(tools, AIMessage("done"), mode, saver)
        answer = answers(paused, lambda call: edit("pay", a=9) if call["args"] == {"a": 8} else APPROVE)
        if sync:
            end = await anyio.to_thread.run_sync(lambda: graph.invoke(answer, thread()))
        else:
            end = await graph.ainvoke(answer, thread())
    assert not end.get("__interrupt__")
    assert sorted(pay.paid) == [7, 9]


@pytest.mark.faults("P5")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("restart", [False, True])
async def test_a_definition_that_has_changed_since_is_asked_about_anew(mode: str, restart: bool) -> None:
    pay, saver = Pay(), InMemorySaver()
    more = {**NUMBER, "properties": {"a": {"type": "integer"}, "all": {"type": "boolean"}}}
    async with graft(pay.declared(approve="always")) as tools:
        graph = reviewed(tools, asking(("pay", 7)), mode, saver)
        paused = await graph.ainvoke(GO, thread())
        pay.schema, state = more, paused
        if not restart:
            await tools.toolbox.refresh()
            tools[:] = [each.model_copy(update={"bound": tools.toolbox.find(each.name)}) for each in tools]
            graph = reviewed(tools, AIMessage("done"), mode, saver)
            state = await graph.ainvoke(answers(paused, lambda _: APPROVE), thread())
    if restart:
        async with graft(pay.declared(approve="always")) as tools:
            graph = reviewed(tools, AIMessage("done"), mode, saver)
            state = await graph.ainvoke(answers(paused, lambda _: APPROVE), thread())
    assert kinds(state) == ["toolgraft_approval"]
    assert pay.paid == []


@pytest.mark.faults("P5")
@pytest.mark.parametrize("mode", MODES)
async def test_a_yes_in_one_thread_is_none_in_another_and_a_later_turn_is_asked_about_anew(mode: str) -> None:
    pay, saver = Pay(), InMemorySaver()
    async with graft(pay.declared(approve="always")) as tools:
        asked = [asking(("pay", 7)), AIMessage("done"), asking(("pay", 7)), AIMessage("done"), asking(("pay", 7))]
        graph = reviewed(tools, asked[0], mode, saver)
        paused = await graph.ainvoke(GO, thread("1"))
        await graph.ainvoke(answers(paused, lambda _: APPROVE), thread("1"))
        assert pay.paid == [7]
        graph = reviewed(tools, asked[2], mode, saver)
        again = await graph.ainvoke(GO, thread("1"))
        graph = reviewed(tools, asked[4], mode, saver)
        other = await graph.ainvoke(GO, thread("2"))
    assert len(questions(again)) == len(questions(other)) == 1
    assert pay.paid == [7]


@pytest.mark.faults("P5")
@pytest.mark.parametrize("mode", MODES)
async def test_a_question_that_was_not_answered_is_no_yes_for_an_agent_without_the_middleware(mode: str) -> None:
    pay, saver = Pay(), InMemorySaver()
    async with graft(pay.declared(approve="always")) as tools:
        await reviewed(tools, asking(("pay", 7)), mode, saver).ainvoke(GO, thread())
        state = await agent(tools, asking(("pay", 7)), saver).ainvoke(GO, thread())
        assert kinds(state) == ["toolgraft_approval"]
    assert pay.paid == []


@pytest.mark.faults("P5")
@pytest.mark.parametrize("mode", MODES)
async def test_neither_is_the_answer_to_one_that_a_person_said_no_to(mode: str) -> None:
    pay, saver = Pay(), InMemorySaver()
    async with graft(pay.declared(approve="always")) as tools:
        graph = reviewed(tools, asking(("pay", 7)), mode, saver)
        paused = await graph.ainvoke(GO, thread())
        await graph.ainvoke(answers(paused, lambda _: no("never")), thread())
        state = await agent(tools, asking(("pay", 7)), saver).ainvoke(GO, thread())
        assert kinds(state) == ["toolgraft_approval"]
    assert pay.paid == []


@pytest.mark.parametrize("mode", MODES)
async def test_what_is_reached_into_in_langgraph_and_its_middleware_is_where_it_was(mode: str) -> None:
    from langgraph.config import get_config
    from toolgraft_langchain.approval.answers_in_graph import CHECKPOINTER, EDITED, INTERRUPT, SCRATCHPAD

    seen: dict[str, Any] = {}

    @wrap_tool_call
    async def look(request: Any, handler: Any) -> Any:
        held: Any = get_config().get("configurable", {})
        pad = held[SCRATCHPAD]
        seen.update(resume=pad.resume, null=pad.get_null_resume(False), saver=held[CHECKPOINTER])
        seen.update(edited=request.state.get(EDITED))
        return await handler(request)

    pay, saver = Pay(), InMemorySaver()
    async with graft(pay.declared(approve="always")) as tools:
        graph = reviewed(tools, asking(("pay", 7)), mode, saver, inner=[look])
        paused = await graph.ainvoke(GO, thread())
        await graph.ainvoke(answers(paused, lambda _: edit("pay", a=8)), thread())
    decision = edit("pay", a=8)
    assert (seen["saver"], seen["null"]) == (saver, None)
    assert seen["resume"] == ([decision] if mode == "per_call" else [])
    assert seen["edited"] == (None if mode == "per_call" else {"c0": decision["edited_action"]})
    config: Any = thread()
    held = [write async for each in saver.alist(config) for write in each.pending_writes or ()]
    assert any(channel == INTERRUPT for _, channel, _ in held)


@pytest.mark.faults("P5")
@pytest.mark.parametrize("mode", MODES)
async def test_a_replay_of_an_approved_step_is_asked_about_anew(mode: str) -> None:
    pay, saver = Pay(), InMemorySaver()
    async with graft(pay.declared(approve="always")) as tools:
        graph = reviewed(tools, asking(("pay", 7)), mode, saver)
        paused = await graph.ainvoke(GO, thread())
        await graph.ainvoke(answers(paused, lambda _: APPROVE), thread())
        assert pay.paid == [7]
        steps = [each async for each in graph.aget_state_history(thread()) if each.next == ("tools",)]
        state = await graph.ainvoke(None, steps[0].config)
    assert state.get("__interrupt__")
    assert pay.paid == [7]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(4))
async def test_in_any_order_each_call_is_asked_about_once_and_runs_by_its_own_yes(mode: str, seed: int) -> None:
    rng = random.Random(seed)
    pay, heard = Pay(), list[Event]()

    async def in_any_order(call: Any, proceed: Any) -> Any:
        for _ in range(rng.randrange(30)):
            await anyio.lowlevel.checkpoint()
        return await proceed(call)

    wanted = [("pay", a) for a in (1, 2, 2, 3, 4)]
    fate = {f"c{at}": rng.choice(["approve", "edit", "reject"]) for at in range(len(wanted))}
    async with graft(pay.declared(approve="always"), middleware=[in_any_order], on_event=heard.append) as tools:
        graph = reviewed(tools, asking(*wanted), mode)
        state = await graph.ainvoke(GO, thread())
        prompts = 0
        while state.get("__interrupt__"):
            given: dict[str, Any] = {}
            for each in state["__interrupt__"]:
                calls = each.value.get("action_requests")
                ids = [each.value["tool_call_id"]] if calls is None else list(fate)
                made = [
                    {"approve": APPROVE, "edit": edit("pay", a=100 + int(name[1:])), "reject": no("no")}[fate[name]]
                    for name in ids
                ]
                if calls is not None or rng.random() < 0.6 or not given:
                    given[each.id] = {"decisions": made} if calls is not None else made[0]
                    prompts += len(made)
            state = await graph.ainvoke(Command(resume=given), thread())
    assert prompts == len(wanted)
    paid = [
        a if fate[f"c{at}"] == "approve" else 100 + at for at, (_, a) in enumerate(wanted) if fate[f"c{at}"] != "reject"
    ]
    assert sorted(pay.paid) == sorted(paid)
    asked = [each.digest for each in heard if isinstance(each, Asked)]
    assert len(asked) == len(set(asked)) == len(wanted) + list(fate.values()).count("edit")
    assert {each.digest for each in heard if isinstance(each, Approved)} <= set(asked)


@pytest.mark.parametrize("mode", MODES)
async def test_a_host_that_repeats_a_call_does_not_pay_twice(mode: str) -> None:
    pay = Pay()
    retry = ToolRetryMiddleware(max_retries=2, initial_delay=0.0)
    async with graft(pay.declared(approve="always")) as tools:
        graph = reviewed(tools, asking(("pay", 7)), mode, inner=[retry])
        paused = await graph.ainvoke(GO, thread())
        end = await graph.ainvoke(answers(paused, lambda _: APPROVE), thread())
    assert not end.get("__interrupt__")
    assert pay.paid == [7]


async def test_only_tools_that_one_person_is_asked_about_by_the_graph_are_in_the_mapping() -> None:
    several = Approval("always", required=2, approvers=["ann", "bob"])
    rules: list[tuple[dict[str, Any], list[str]]] = [
        ({"approve": "always"}, ["look", "pay"]),
        ({"approve": ["pay"]}, ["pay"]),
        ({"approve": "never"}, []),
        ({"approve": several}, []),
        ({}, []),
        ({"approve": "side_effects", "safety": {"look": "read_only"}}, ["pay"]),
        ({"approve": "always", "permission": "allow"}, []),
    ]
    for fields, names in rules:
        async with graft(Pay().declared(**fields)) as tools:
            assert sorted(interrupt_on(tools)) == names
    async with graft(Pay().declared(approve="always"), approver=lambda _: True) as tools:
        assert interrupt_on(tools) == {}
        for wrong in ((), "approve", ["perhaps"]):
            with pytest.raises(ConfigError, match="allowed_decisions is a list"):
                interrupt_on(tools, allowed_decisions=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", MODES)
async def test_an_answer_in_the_tools_place_is_one_where_it_is_allowed(mode: Any) -> None:
    pay = Pay()
    async with graft(pay.declared(approve="always")) as tools:
        mapping = interrupt_on(tools, allowed_decisions=["respond", "reject"])
        graph = agent(tools, asking(("pay", 7)), middleware=[HumanInTheLoopMiddleware(mapping, interrupt_mode=mode)])
        paused = await graph.ainvoke(GO, thread())
        end = await graph.ainvoke(answers(paused, lambda _: {"type": "respond", "message": "paid by hand"}), thread())
    assert pay.paid == []
    assert told(end)[0].content == "paid by hand"


@pytest.mark.faults("P5")
@pytest.mark.parametrize("decision", [APPROVE, no("never"), edit("pay", a=7)])
async def test_an_answer_for_the_middleware_is_none_for_an_agent_that_has_it_no_more(decision: Any) -> None:
    pay, saver = Pay(), InMemorySaver()
    async with graft(pay.declared(approve="always")) as tools:
        paused = await reviewed(tools, asking(("pay", 7)), "per_call", saver).ainvoke(GO, thread())
        (asked,) = paused["__interrupt__"]
        state = await agent(tools, AIMessage("done"), saver).ainvoke(Command(resume={asked.id: decision}), thread())
        assert kinds(state) == ["toolgraft_approval"]
    assert pay.paid == []
