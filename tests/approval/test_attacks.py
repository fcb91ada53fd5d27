"""Ways round the gate, and ways to wear it out: none of them reaches the server, and none stops another call."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from toolgraft import Call, CallContext, Handler, InProcess, Safety, ToolResult, ToolSpec, connect
from toolgraft.config import CallId
from toolgraft.config.approval import Approval, ApprovalRequest, Decision
from toolgraft.errors import ApprovalError, ApprovalExpiredError, CallError, RejectedError, ToolgraftError

from tests.approval.test_gate import TEXT, Files, Person
from tests.toolbox.conftest import Scripted, until

pytestmark = [pytest.mark.anyio, pytest.mark.faults("P4", "P5")]

OPEN: dict[str, Any] = {"type": "object"}


async def test_middleware_cannot_make_a_tool_look_harmless() -> None:
    files, person = Files(), Person(False)

    async def belittle(call: Call, proceed: Handler) -> ToolResult:
        harmless = replace(call.spec, safety=Safety.READ_ONLY, input_schema=OPEN)
        return await proceed(replace(call, spec=harmless))

    async with connect(files.declared(approve="side_effects"), approver=person, middleware=[belittle]) as toolbox:
        with pytest.raises(RejectedError):
            await toolbox.call("delete", {"path": "a"})
    assert len(person.asked) == 1
    assert files.ran == []


async def test_an_approver_that_never_answers_holds_up_its_own_call_only_and_none_when_it_is_cancelled() -> None:
    files, asked = Files(), asyncio.Event()

    async def hangs(request: ApprovalRequest) -> bool:
        if request.arguments["path"] == "slow":
            asked.set()
            await asyncio.Event().wait()
        return True

    async with connect(files.declared(approve="always", timeout=5), approver=hangs) as toolbox:
        slow = asyncio.ensure_future(toolbox.call("delete", {"path": "slow"}))
        await asyncio.wait_for(asked.wait(), 30)
        await toolbox.call("delete", {"path": "b"})
        slow.cancel()
        await asyncio.wait([slow])
        assert slow.cancelled()
        await toolbox.call("delete", {"path": "c"})
    assert [arguments["path"] for _, arguments in files.ran] == ["b", "c"]


async def test_a_yes_that_comes_after_the_toolbox_is_closed_calls_nothing() -> None:
    files = Files()
    toolbox = connect(files.declared(approve="always"), approver=lambda request: closes(request))

    async def closes(request: ApprovalRequest) -> bool:
        await toolbox.close()
        return True

    async with toolbox:
        with pytest.raises(ToolgraftError):
            await toolbox.call("delete", {"path": "a"})
    assert files.ran == []


@pytest.mark.parametrize("size", [5_000_000, 50])
async def test_large_arguments_are_asked_about_whole(size: int) -> None:
    files, person = Files(), Person(True)
    async with connect(files.declared(approve="always"), approver=person) as toolbox:
        await toolbox.call("delete", {"path": "x" * size})
    assert len(person.asked[0].arguments["path"]) == size
    assert len(files.ran) == 1


async def test_arguments_without_bottom_are_refused_and_nobody_is_asked() -> None:
    files, person = Files(), Person(True)
    files.schema = OPEN
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    async with connect(files.declared(approve="always"), approver=person) as toolbox:
        with pytest.raises(CallError):
            await toolbox.call("delete", {"path": deep})
        await toolbox.call("delete", {"path": "a"})
    while deep:
        deep = deep.pop()
    assert files.ran == [("delete", {"path": "a"})]


@pytest.mark.parametrize("odd", [{1: "a", "b": 2}, {"a": {1, 2}}, {"a": float("nan")}, {"a": b"x"}, {"a": "\ud800"}])
async def test_arguments_that_are_no_json_are_refused_whatever_a_person_says(odd: Any) -> None:
    files = Files()
    files.schema = OPEN
    server = files.declared(approve="always")
    async with connect(server, approver=lambda _: True) as toolbox:
        with pytest.raises(CallError):
            await toolbox.call("delete", odd)
    assert files.ran == []


async def test_what_is_bound_is_neither_shown_nor_part_of_what_is_said_yes_to() -> None:
    files, person, tokens = Files(), Person(True, True), iter(["t0k3n-1", "t0k3n-2"])
    files.schema = {**TEXT, "properties": {"path": {"type": "string"}, "token": {"type": "string"}}}

    def token(context: CallContext) -> str:
        return next(tokens)

    server = files.declared(approve="always", bind={"token": token})
    async with connect(server, approver=person) as toolbox:
        await toolbox.call("delete", {"path": "a"})
        await toolbox.call("delete", {"path": "a"})
    first, second = person.asked
    assert first.arguments == second.arguments == {"path": "a"}
    assert first.digest == second.digest
    assert [arguments["token"] for _, arguments in files.ran] == ["t0k3n-1", "t0k3n-2"]


async def test_two_servers_with_a_tool_of_one_name_have_each_their_own_gate() -> None:
    one, other, person = Files(), Files(), Person(False)
    strict = InProcess(one.mcp, name="one", approve=["delete"])
    async with connect(strict, InProcess(other.mcp, name="other"), approver=person) as toolbox:
        with pytest.raises(RejectedError):
            await toolbox.call("one_delete", {"path": "a"})
        await toolbox.call("other_delete", {"path": "a"})
    assert (one.ran, len(other.ran)) == ([], 1)
    assert [request.spec.ref.server for request in person.asked] == ["one"]


async def test_a_rule_goes_by_the_servers_own_name_whatever_the_model_calls_it(
    scripted: Callable[..., Scripted],
) -> None:
    person = Person(False, False)
    server = scripted("s", "drop.all", "look")
    for prefix in (False, True):
        async with connect(server.declared(approve=["drop.all"], prefix=prefix), approver=person) as toolbox:
            name = next(tool.name for tool in toolbox.tools if tool.spec.ref.tool == "drop.all")
            with pytest.raises(RejectedError):
                await toolbox.call(name, {})
    assert len(person.asked) == 2


async def test_on_a_live_list_a_tool_that_comes_back_is_gated_and_one_that_changes_is_asked_about_as_it_is(
    scripted: Callable[..., Scripted],
) -> None:
    person = Person(True, False, False)
    server = scripted("s", "drop", "touch")
    async with connect(server.declared(approve=["drop*"]), approver=person, live=True) as toolbox:
        await toolbox.call("drop", {})
        server.says(["touch"])
        await toolbox.call("touch", {})
        await until(lambda: [tool.name for tool in toolbox.tools] == ["touch"])
        changed = {"name": "drop", "inputSchema": {"type": "object", "properties": {"all": {"type": "boolean"}}}}
        server.says([changed, "drop_more", "touch"])
        await toolbox.refresh()
        for name in ("drop", "drop_more"):
            with pytest.raises(RejectedError):
                await toolbox.call(name, {})
    first, again, new = person.asked
    assert first.digest != again.digest
    assert new.spec.ref.tool == "drop_more"


async def test_a_tool_that_goes_away_while_a_person_thinks_is_not_called(scripted: Callable[..., Scripted]) -> None:
    server = scripted("s", "drop", "touch")

    async def thinks(request: ApprovalRequest) -> bool:
        server.says(["touch"])
        await toolbox.refresh()
        return True

    async with connect(server.declared(approve={"*": "always"}), approver=thinks) as toolbox:
        with pytest.raises(ApprovalExpiredError, match="does not serve it any more"):
            await toolbox.call("drop", {})


async def test_calls_at_one_time_get_each_their_own_answer_in_any_order() -> None:
    files, rng = Files(), random.Random(7)

    async def decides(request: ApprovalRequest) -> Decision:
        for _ in range(rng.randrange(40)):
            await asyncio.sleep(0)
        return Decision(int(request.arguments["path"]) % 2 == 0, request.arguments["path"])

    async with connect(files.declared(approve="always"), approver=decides) as toolbox:
        delete = toolbox.find("delete")
        # One model, one id for all of them, as weak models do.
        results = await asyncio.gather(
            *(delete.call({"path": str(at)}, id=CallId("call_1", "run")) for at in range(40)), return_exceptions=True
        )
    assert sorted(int(arguments["path"]) for _, arguments in files.ran) == list(range(0, 40, 2))
    for at, result in enumerate(results):
        if at % 2:
            assert isinstance(result, RejectedError)
            assert str(result).endswith(f"said no: {at}")


@pytest.mark.parametrize("by", ["ann", " ann", "ANN", "", "bob\x00"])
async def test_nobody_is_a_second_approver_by_a_name_that_is_nearly_one(by: str) -> None:
    files = Files()
    approval = Approval("always", required=2, approvers=["ann", "bob"])
    answers = iter([Decision(True, by="ann"), *[Decision(True, by=by)] * 10])
    async with connect(files.declared(approve=approval), approver=lambda _: next(answers)) as toolbox:
        with pytest.raises(ApprovalError, match="1 of the 2"):
            await toolbox.call("delete", {"path": "a"})
    assert files.ran == []


async def test_a_function_of_an_approver_cannot_say_that_it_is_another() -> None:
    files = Files()

    async def ann(request: ApprovalRequest) -> Decision:
        return Decision(True, by="bob")

    async def bob(request: ApprovalRequest) -> Decision:
        return Decision(False, "no", by="ann")

    approval = Approval("always", required=2, approvers={"ann": ann, "bob": bob})
    async with connect(files.declared(approve=approval)) as toolbox:
        with pytest.raises(RejectedError, match="bob said no"):
            await toolbox.call("delete", {"path": "a"})
    assert files.ran == []


class Twice:
    """One step of a host, run again while a person thinks about its first run."""

    def __init__(self) -> None:
        self.files = Files()
        self.times: list[str] = []
        self._asked, self._go = asyncio.Event(), asyncio.Event()

    async def _thinks(self, request: ApprovalRequest) -> bool:
        self.times.append(request.digest)
        self._asked.set()
        await self._go.wait()
        return True

    @asynccontextmanager
    async def begun(self) -> AsyncGenerator[tuple[asyncio.Future[ToolResult], asyncio.Future[ToolResult]]]:
        """Both runs; the person's yes comes at the end."""
        step = CallId("call_1", "thread", "tools:1")
        async with connect(self.files.declared(approve="always"), approver=self._thinks) as toolbox:
            delete = toolbox.find("delete")
            first = asyncio.ensure_future(delete.call({"path": "a"}, id=step))
            await asyncio.wait_for(self._asked.wait(), 30)
            again = asyncio.ensure_future(delete.call({"path": "a"}, id=step))
            await asyncio.sleep(0)
            yield first, again
            self._go.set()
            await asyncio.wait([first, again], timeout=30)


async def test_a_host_that_runs_a_step_again_beside_itself_asks_once_and_calls_once() -> None:
    twice = Twice()
    async with twice.begun() as (first, again):
        pass
    assert (await first) == (await again)
    assert len(twice.times) == len(twice.files.ran) == 1


async def test_where_the_first_of_two_is_cancelled_the_second_takes_its_place() -> None:
    twice = Twice()
    async with twice.begun() as (first, again):
        first.cancel()
    assert first.cancelled()
    assert not (await again).is_error
    assert len(twice.files.ran) == 1


async def test_the_same_id_in_a_later_run_of_one_trace_is_another_call() -> None:
    files, person = Files(), Person(True, True)
    async with connect(files.declared(approve="always"), approver=person) as toolbox:
        for _ in range(2):
            await toolbox.find("delete").call({"path": "a"}, id=CallId("call_1", "trace_of_many_runs"))
    assert len(person.asked) == len(files.ran) == 2


async def test_a_hidden_tool_is_not_asked_about() -> None:
    files, person = Files(), Person()

    def visible(spec: ToolSpec, context: CallContext) -> bool:
        return spec.ref.tool != "delete"

    server = files.declared(approve="always", visible=visible)
    async with connect(server, approver=person) as toolbox:
        with pytest.raises(ToolgraftError, match="not there for this run"):
            await toolbox.call("delete", {"path": "a"})
        assert await toolbox.find("delete").would_ask({"path": "a"}) is None
    assert person.asked == []


@pytest.mark.parametrize("answer", [Decision(True, by="eve"), Decision(False, by="ann")])
async def test_a_verifier_that_is_deceived_by_nobody_counts_neither_a_strangers_yes_nor_a_forged_no(
    answer: Decision,
) -> None:
    files = Files()
    answers = iter([answer, Decision(True, "signed", by="ann"), *[answer] * 5])
    approval = Approval("always", approvers=["ann", "bob"], verify=lambda decision, _: decision.reason == "signed")
    async with connect(files.declared(approve=approval), approver=lambda _: next(answers)) as toolbox:
        await toolbox.call("delete", {"path": "a"})
    assert len(files.ran) == 1
