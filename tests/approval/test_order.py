"""The order of a call, and what is told of it: one order, one callback, and no secret in what is told."""

from __future__ import annotations

import asyncio
import dataclasses
import importlib
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import toolgraft
from toolgraft import (
    Answered,
    Approved,
    Asked,
    Call,
    CallContext,
    Called,
    CallEvent,
    Event,
    Handler,
    Hidden,
    Listed,
    Refused,
    Rejected,
    Retried,
    ToolRenamed,
    ToolResult,
    ToolSpec,
    connect,
)
from toolgraft.config import CallId
from toolgraft.config.approval import ApprovalRequest, Decision
from toolgraft.errors import ArgumentsError, ToolgraftError

from tests.approval.test_gate import Files
from tests.toolbox.conftest import Scripted

pytestmark = pytest.mark.anyio


class Watched:
    """Everything that may be given to a graft, each of which notes that it was reached."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.visible_now = True

    def bound(self, context: CallContext) -> str:
        self.steps.append("decode")
        return "token"

    async def layer(self, call: Call, proceed: Handler) -> ToolResult:
        self.steps.append("middleware")
        return await proceed(call)

    def visible(self, spec: ToolSpec, context: CallContext) -> bool:
        self.steps.append("visibility")
        return self.visible_now

    async def rule(self, spec: ToolSpec, arguments: Mapping[str, Any], context: CallContext) -> bool:
        self.steps.append("rule")
        return True

    async def person(self, request: ApprovalRequest) -> Decision:
        self.steps.append("person")
        return Decision(request.arguments.get("path") != "no", "not that one")

    def told(self, event: Event) -> None:
        if isinstance(event, CallEvent):
            self.steps.append(type(event).__name__)

    def connected(self, files: Files) -> Any:
        server = files.declared(bind={"token": self.bound}, approve=self.rule)
        return connect(server, middleware=[self.layer], visible=self.visible, approver=self.person, on_event=self.told)


@pytest.mark.faults("P4")
async def test_a_call_goes_through_its_steps_in_one_order() -> None:
    files, watched = Files(), Watched()
    files.schema = {"type": "object", "properties": {"path": {"type": "string"}, "token": {"type": "string"}}}
    async with watched.connected(files) as toolbox:
        watched.steps.clear()
        await toolbox.call("delete", {"path": "a"})
        assert watched.steps == [
            "decode", "middleware", "visibility", "rule", "Asked", "person", "Approved", "Called", "Answered",
        ]  # fmt: skip
        watched.steps.clear()
        with pytest.raises(ToolgraftError, match="not that one"):
            await toolbox.call("delete", {"path": "no"})
        assert watched.steps == ["decode", "middleware", "visibility", "rule", "Asked", "person", "Rejected"]
        watched.steps.clear()
        with pytest.raises(ArgumentsError):  # the check stands between visibility and the person
            await toolbox.call("delete", {"path": 3})
        assert watched.steps == ["decode", "middleware", "visibility"]
        watched.steps.clear()
        watched.visible_now = False
        with pytest.raises(ToolgraftError, match="not there for this run"):
            await toolbox.call("delete", {"path": 3})
        assert watched.steps == ["decode", "middleware", "visibility", "Hidden"]
    assert files.ran == [("delete", {"path": "a", "token": "token"})]


async def test_a_limit_starts_after_the_person_and_its_events_stand_where_it_does() -> None:
    files, heard = Files(), list[Event]()

    async def thinks(request: ApprovalRequest) -> bool:
        await asyncio.wait([asyncio.ensure_future(asyncio.sleep(0.3))])
        return True

    server = files.declared(approve="always", timeout=0.25)
    async with connect(server, approver=thinks, on_event=heard.append) as toolbox:
        await toolbox.call("delete", {"path": "a"})
    names = [type(each).__name__ for each in heard if isinstance(each, CallEvent)]
    assert names == ["Asked", "Approved", "Called", "Answered"]


async def test_each_event_of_a_call_has_its_id_and_none_has_what_the_call_says() -> None:
    files, heard = Files(), list[Event]()
    secret = "s3cret-value"
    async with connect(files.declared(approve=["delete"]), approver=lambda _: True, on_event=heard.append) as toolbox:
        whose = CallId("call_1", "run")
        await toolbox.find("delete").call({"path": secret}, id=whose)
        await toolbox.find("read").call({"path": secret}, id=CallId("call_2", "run"))
    calls = [each for each in heard if isinstance(each, CallEvent)]
    assert [(type(each), each.id) for each in calls] == [
        *((kind, whose) for kind in (Asked, Approved, Called, Answered)),
        *((kind, CallId("call_2", "run")) for kind in (Called, Answered)),
    ]
    assert {(each.server, each.tool) for each in calls} == {("files", "delete"), ("files", "read")}
    assert secret not in repr([dataclasses.asdict(each) for each in heard])


async def test_what_was_decided_on_a_list_is_told_once(scripted: Callable[..., Scripted]) -> None:
    heard: list[Event] = []
    bad = {"name": "bad", "inputSchema": {"type": "object", "properties": 7}}
    server = scripted("s", "look.up", "drop", "other", bad)
    async with connect(server.declared(without=["drop"]), on_event=heard.append) as toolbox:
        first = [each for each in heard if not isinstance(each, CallEvent)]
        (listed,) = (each for each in first if isinstance(each, Listed))
        assert listed == Listed("s", ("look.up", "other"))
        refused = {each.refusal.ref.tool for each in first if isinstance(each, Refused)}
        assert refused == {"drop", "bad"}
        assert len([each for each in first if isinstance(each, Refused)]) == 2
        assert [each.renamed.name for each in first if isinstance(each, ToolRenamed)] == ["look_up"]
        heard.clear()
        await toolbox.refresh()
        assert heard == []
        server.says(["look.up", "drop", "new"])
        await toolbox.refresh()
        assert [each for each in heard if isinstance(each, Listed)] == [Listed("s", ("look.up", "new"))]


async def test_what_is_hidden_in_a_turn_is_told_without_a_call() -> None:
    heard: list[Event] = []
    async with connect(Files().declared(), visible=lambda spec, _: False, on_event=heard.append) as toolbox:
        assert not await toolbox.find("read").is_visible()
    assert [each for each in heard if isinstance(each, Hidden)] == [Hidden("files", "read", None)]


async def test_a_call_that_is_sent_again_is_told(scripted: Callable[..., Scripted]) -> None:
    heard: list[Event] = []
    server = scripted("s", "look")
    async with connect(server.declared(repeatable=["look"]), on_event=heard.append) as toolbox:
        await toolbox.call("look", {})
        server.says(["look"], exits=["tools/call"])
        with pytest.raises(ToolgraftError):
            await toolbox.find("look").call({}, id=CallId("c", "r"))
    again = [each for each in heard if isinstance(each, Retried)]
    assert [(each.tool, each.id, each.attempt) for each in again] == [
        ("look", CallId("c", "r"), 1),
        ("look", CallId("c", "r"), 2),
    ]
    assert all(each.reason for each in again)
    (*_, last) = (each for each in heard if isinstance(each, Answered))
    assert last.outcome.endswith("Error")


async def test_a_no_for_want_of_a_person_is_told_with_its_reason() -> None:
    heard: list[Event] = []
    async with connect(Files().declared(approve="always"), on_event=heard.append) as toolbox:
        with pytest.raises(ToolgraftError):
            await toolbox.call("delete", {"path": "a"})
    (rejected,) = (each for each in heard if isinstance(each, Rejected))
    assert "nobody is there to ask" in rejected.reason
    assert not any(isinstance(each, Asked | Called) for each in heard)


async def test_a_listener_that_raises_harms_nothing(caplog: pytest.LogCaptureFixture) -> None:
    files = Files()

    def raises(event: Event) -> None:
        raise LookupError("a listener's own mistake")

    async with connect(files.declared(approve="always"), approver=lambda _: True, on_event=raises) as toolbox:
        results = await asyncio.gather(*(toolbox.call("delete", {"path": each}) for each in "abc"))
        await toolbox.refresh()
    assert not any(result.is_error for result in results)
    assert len(files.ran) == 3
    assert "a listener of server 'files' raised" in caplog.text


async def test_events_come_in_the_home_loop_in_their_order_also_of_calls_from_other_threads() -> None:
    files, heard = Files(), list[tuple[str, object]]()
    home = asyncio.get_running_loop()

    def hear(event: Event) -> None:
        if isinstance(event, CallEvent):
            heard.append((type(event).__name__, asyncio.get_running_loop()))

    async with connect(files.declared(approve="always"), approver=lambda _: True, on_event=hear) as toolbox:
        delete = toolbox.find("delete")
        await asyncio.to_thread(lambda: asyncio.run(delete.answer({"path": "a"})))
        await asyncio.to_thread(lambda: delete.answer_sync({"path": "b"}))
    assert [name for name, _ in heard] == ["Asked", "Approved", "Called", "Answered"] * 2
    assert {loop for _, loop in heard} == {home}


@pytest.mark.parametrize("framework", ["toolgraft_langchain", "toolgraft_openai_agents"])
async def test_both_adapters_pass_the_listener_on(framework: str) -> None:
    pytest.importorskip(framework)
    heard: list[Event] = []
    graft: Any = importlib.import_module(framework).graft
    async with graft(Files().declared(), on_event=heard.append) as tools:
        await tools.toolbox.call("read", {"path": "a"})
    assert {Listed, Called, Answered} <= {type(each) for each in heard}


def test_every_kind_of_event_is_public_and_told_of() -> None:
    from tests.house.source import ROOT

    def kinds(of: type[Event]) -> set[type[Event]]:
        return {of, *(inner for each in of.__subclasses__() for inner in kinds(each))}

    readme = (ROOT / "README.md").read_text("utf-8")
    for name in {kind.__name__ for kind in kinds(Event)}:
        assert name in toolgraft.__all__
        assert issubclass(getattr(toolgraft, name), Event)
        assert f"`{name}`" in readme, name
