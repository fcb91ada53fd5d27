"""Calls that wait for a yes: nothing reaches the server before one for exactly this call."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Mapping
from typing import Any

import mcp_types as types
import pytest
from mcp.server.lowlevel import Server as McpServer
from toolgraft import InProcess, ToolSpec, connect
from toolgraft.config import CallContext
from toolgraft.config.approval import Approval, ApprovalRequest, Decision
from toolgraft.errors import (
    ApprovalError,
    ApprovalExpiredError,
    CallbackError,
    ConfigError,
    NoApproverError,
    RejectedError,
)

pytestmark = pytest.mark.anyio

TEXT: dict[str, Any] = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


class Files:
    """A server with a tool that reads, one that deletes, and one that says nothing of itself."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, Any]] = []
        self.schema = TEXT
        self.mcp = McpServer("files", on_list_tools=self._list, on_call_tool=self._call)

    def declared(self, **fields: Any) -> InProcess:
        return InProcess(self.mcp, name="files", **fields)

    async def _list(self, context: Any, params: Any) -> types.ListToolsResult:
        hints = {
            "read": types.ToolAnnotations(read_only_hint=True),
            "write": types.ToolAnnotations(destructive_hint=False),
            "delete": types.ToolAnnotations(destructive_hint=True),
            "other": None,
        }
        tools = [types.Tool(name=name, input_schema=self.schema, annotations=hint) for name, hint in hints.items()]
        return types.ListToolsResult(tools=tools)

    async def _call(self, context: Any, params: Any) -> types.CallToolResult:
        self.ran.append((params.name, params.arguments))
        return types.CallToolResult(content=[types.TextContent(type="text", text="done")])


class Person:
    """Answers as told, and remembers what was asked."""

    def __init__(self, *answers: Any) -> None:
        self.asked: list[ApprovalRequest] = []
        self._answers = list(answers)

    async def __call__(self, request: ApprovalRequest) -> Any:
        self.asked.append(request)
        return self._answers.pop(0) if self._answers else True


async def asked_about(approve: Any, *, server: Mapping[str, Any] | None = None) -> list[str]:
    """Which tools a person is asked about."""
    person = Person()
    async with connect(Files().declared(**(server or {})), approve=approve, approver=person) as toolbox:
        for name in ("read", "write", "delete", "other"):
            await toolbox.call(name, {"path": "a"})
    return [request.spec.ref.tool for request in person.asked]


def only_deletes(spec: ToolSpec, arguments: Mapping[str, Any], context: CallContext) -> bool:
    return spec.ref.tool == "delete" and arguments["path"] == "a" and context.server == "files"


def broken(*_: Any) -> bool:
    raise LookupError("no such rule")


@pytest.mark.faults("P1")
@pytest.mark.parametrize(
    ("approve", "asked"),
    [
        (None, []),
        ("never", []),
        ("always", ["read", "write", "delete", "other"]),
        ("side_effects", ["read", "write", "delete", "other"]),
        ("destructive", ["read", "write", "delete", "other"]),
        (["delete", "w*"], ["write", "delete"]),
        (only_deletes, ["delete"]),
        (broken, ["read", "write", "delete", "other"]),
        ({"delete": "always", "*": "never"}, ["delete"]),
    ],
)
async def test_a_rule_says_which_calls_wait(approve: Any, asked: list[str]) -> None:
    assert await asked_about(approve) == asked


@pytest.mark.faults("P2")
async def test_hints_of_a_trusted_server_relax_and_those_of_another_do_not() -> None:
    assert await asked_about("destructive", server={"trust": True}) == ["delete", "other"]
    assert await asked_about("side_effects", server={"trust": True}) == ["write", "delete", "other"]
    assert await asked_about("destructive", server={"trust": False}) == ["read", "write", "delete", "other"]


async def test_a_servers_own_rule_comes_before_that_of_the_graft_and_permission_before_both() -> None:
    assert await asked_about("always", server={"approve": ["delete"]}) == ["delete"]
    assert await asked_about("never", server={"approve": {"delete": "always"}}) == ["delete"]
    assert await asked_about("always", server={"approve": "always", "permission": "allow"}) == []


@pytest.mark.parametrize("approve", [["delet"], {"delet": "always"}, Approval(["delet"])])
async def test_a_rule_that_names_a_tool_that_is_not_there_is_an_error(approve: Any) -> None:
    with pytest.raises(ConfigError, match="lists no tool 'delet' named in approve"):
        async with connect(Files().declared(approve=approve), approver=Person()):
            pass


@pytest.mark.parametrize("approve", [["delet"], {"delet": "always"}])
async def test_so_is_a_rule_for_all_servers_that_names_a_tool_of_none(approve: Any) -> None:
    with pytest.raises(ConfigError, match="no server lists a tool 'delet' named in approve"):
        async with connect(Files().declared(), approve=approve, approver=Person()):
            pass
    async with connect(Files().declared(), approve=["delete", "gone_*"], approver=Person()) as toolbox:
        assert toolbox.tools


@pytest.mark.parametrize("approve", ["sometimes", 3, {"delete": "maybe"}, {3: "always"}, b"always", Approval])
async def test_a_rule_that_is_none_is_refused_where_it_is_written(approve: Any) -> None:
    if approve is Approval:
        with pytest.raises(ConfigError, match="wants to know who"):
            Approval(required=2)
        with pytest.raises(ConfigError, match="2 yes of 1 approvers"):
            Approval(required=2, approvers=["ann"])
        return
    with pytest.raises(ConfigError, match="approve"):
        Files().declared(approve=approve)


@pytest.mark.faults("P4")
async def test_nothing_reaches_the_server_before_a_yes() -> None:
    files = Files()

    async def look(request: ApprovalRequest) -> bool:
        assert files.ran == []
        assert (request.spec.ref.tool, request.arguments) == ("delete", {"path": "a"})
        return True

    async with connect(files.declared(approve="always"), approver=look) as toolbox:
        await toolbox.call("delete", {"path": "a"})
    assert files.ran == [("delete", {"path": "a"})]


@pytest.mark.faults("P3")
async def test_a_no_ends_the_call_and_no_other_and_its_reason_is_told() -> None:
    files = Files()

    def decide(request: ApprovalRequest) -> Decision:
        return Decision(request.arguments["path"] != "b", "not this one")

    async with connect(files.declared(approve="always"), approver=decide) as toolbox:
        delete = toolbox.find("delete")
        results = await asyncio.gather(*(delete.answer({"path": each}) for each in "abc"))
        with pytest.raises(RejectedError, match="'files': not called: a person said no: not this one"):
            await toolbox.call("delete", {"path": "b"})
    assert [result.is_error for result in results] == [False, True, False]
    assert sorted(arguments["path"] for _, arguments in files.ran) == ["a", "c"]


async def test_without_anybody_to_ask_a_call_is_refused_and_says_what_to_write() -> None:
    files = Files()
    async with connect(files.declared(approve=["delete"])) as toolbox:
        await toolbox.call("read", {"path": "a"})
        with pytest.raises(NoApproverError, match="nobody is there to ask: give approver="):
            await toolbox.call("delete", {"path": "a"})
    assert files.ran == [("read", {"path": "a"})]


@pytest.mark.parametrize("answer", [None, "yes", 1, {"approved": True}])
async def test_an_answer_that_is_none_is_no_yes(answer: Any) -> None:
    files = Files()
    async with connect(files.declared(approve="always"), approver=lambda _: answer) as toolbox:
        with pytest.raises(CallbackError, match="neither True, False nor a Decision"):
            await toolbox.call("delete", {"path": "a"})
    assert files.ran == []


async def test_an_approver_that_fails_is_no_yes_and_its_error_is_the_cause() -> None:
    files = Files()

    def fails(request: ApprovalRequest) -> bool:
        raise LookupError("secret detail")

    async with connect(files.declared(approve="always"), approver=fails) as toolbox:
        with pytest.raises(CallbackError, match="LookupError") as caught:
            await toolbox.call("delete", {"path": "a"})
    assert isinstance(caught.value.__cause__, LookupError)
    assert "secret detail" not in str(caught.value)
    assert files.ran == []


@pytest.mark.faults("P5")
async def test_what_was_shown_is_what_is_sent_whatever_is_changed_meanwhile() -> None:
    files = Files()
    mine: dict[str, Any] = {"path": "harmless"}

    def swap(request: ApprovalRequest) -> bool:
        mine["path"] = "/"
        return True

    def edit(request: ApprovalRequest) -> bool:
        dict.__setitem__(request.arguments, "path", "/")  # type: ignore[index] # pyright: ignore[reportArgumentType]
        return True

    async with connect(files.declared(approve="always"), approver=swap) as toolbox:
        await toolbox.call("delete", mine)
    assert files.ran == [("delete", {"path": "harmless"})]
    async with connect(files.declared(approve="always"), approver=edit) as toolbox:
        with pytest.raises(ApprovalExpiredError, match="arguments were changed"):
            await toolbox.call("delete", {"path": "harmless"})
    assert len(files.ran) == 1


@pytest.mark.faults("P5")
async def test_a_tool_that_changes_while_a_person_is_asked_is_not_called() -> None:
    files = Files()

    async def changes(request: ApprovalRequest) -> bool:
        files.schema = {**TEXT, "properties": {"path": {"type": "string"}, "force": {"type": "boolean"}}}
        await toolbox.refresh()
        return True

    async with connect(files.declared(approve="always"), approver=changes) as toolbox:
        with pytest.raises(ApprovalExpiredError, match="its definition was changed"):
            await toolbox.call("delete", {"path": "a"})
    assert files.ran == []


async def test_middleware_cannot_change_what_was_said_yes_to() -> None:
    files, person = Files(), Person()

    async def rewrites(call: Any, proceed: Any) -> Any:
        from dataclasses import replace

        return await proceed(replace(call, arguments={"path": "rewritten"}))

    options: Any = {"approver": person, "middleware": [rewrites]}
    async with connect(files.declared(approve="always"), **options) as toolbox:
        await toolbox.call("delete", {"path": "a"})
    assert person.asked[0].arguments == {"path": "rewritten"}
    assert files.ran == [("delete", {"path": "rewritten"})]


async def test_a_yes_is_used_once() -> None:
    files, person = Files(), Person(True, False)
    async with connect(files.declared(approve="always"), approver=person) as toolbox:
        await toolbox.call("delete", {"path": "a"})
        with pytest.raises(RejectedError):
            await toolbox.call("delete", {"path": "a"})
    assert len(person.asked) == 2
    assert len(files.ran) == 1


async def test_a_late_call_is_asked_about_anew() -> None:
    files = Files()

    async def slow(decision: Decision, request: ApprovalRequest) -> bool:
        return True

    async def second(request: ApprovalRequest) -> Decision:
        await first_said.wait()
        return Decision(True)

    async def first(request: ApprovalRequest) -> Decision:
        first_said.set()
        return Decision(True)

    first_said = asyncio.Event()
    approval = Approval("always", required=2, approvers={"a": first, "b": second}, verify=slow, expires=1e-9)
    async with connect(files.declared(approve=approval)) as toolbox:
        with pytest.raises(ApprovalExpiredError, match="of the first yes"):
            await toolbox.call("delete", {"path": "a"})
    assert files.ran == []


async def of(approval: Approval, *answers: Any) -> tuple[list[tuple[str, Any]], ApprovalError | None]:
    """What ran, and what stopped it, under an approval and the answers of one approver."""
    files = Files()
    async with connect(files.declared(approve=approval), approver=Person(*answers)) as toolbox:
        try:
            await toolbox.call("delete", {"path": "a"})
        except ApprovalError as error:
            return files.ran, error
    return files.ran, None


ANN, BOB, EVE = Decision(True, by="ann"), Decision(True, by="bob"), Decision(True, by="eve")


@pytest.mark.parametrize(
    ("answers", "runs"),
    [
        ((ANN, BOB), True),
        ((ANN, ANN, ANN), False),
        ((ANN, EVE, EVE), False),
        ((EVE, ANN, BOB), True),
        ((ANN, Decision(False, "no", "bob"), BOB), False),
        ((ANN, Decision(False, "no", "eve"), BOB), True),
        ((True, True, True), False),
    ],
)
async def test_as_many_different_approvers_have_to_say_yes_as_are_required(answers: Any, runs: bool) -> None:
    approval = Approval("always", required=2, approvers=["ann", "bob", "cal"])
    ran, error = await of(approval, *answers)
    assert bool(ran) is runs
    assert (error is None) is runs


async def test_a_decision_counts_only_when_the_verifier_says_that_it_is_of_whom_it_names() -> None:
    def signed(decision: Decision, request: ApprovalRequest) -> bool:
        if decision.by == "bob":
            raise ValueError("bad signature")
        return decision.reason == request.digest

    async def ann(request: ApprovalRequest) -> Decision:
        return Decision(True, request.digest)

    async def bob(request: ApprovalRequest) -> Decision:
        return Decision(True, request.digest)

    ran, error = await of(Approval("always", approvers={"ann": ann}, verify=signed))
    assert ran
    assert error is None
    ran, error = await of(Approval("always", required=2, approvers={"ann": ann, "bob": bob}, verify=signed))
    assert not ran
    assert "1 of the 2 approvers that it takes said yes" in str(error)


async def test_approvers_with_functions_are_asked_at_once_and_the_first_no_ends_the_others() -> None:
    never = asyncio.Event()
    ended: list[str] = []

    async def waits(request: ApprovalRequest) -> bool:
        try:
            await never.wait()
        finally:
            ended.append("waits")
        return True

    async def says_no(request: ApprovalRequest) -> Decision:
        return Decision(False, "too risky")

    ran, error = await of(Approval("always", required=2, approvers={"a": waits, "b": says_no}))
    assert not ran
    assert "b said no: too risky" in str(error)
    assert ended == ["waits"]


async def test_a_pickled_tool_keeps_its_gate() -> None:
    from toolgraft.testing import demo_stdio

    async with connect(demo_stdio(approve=["add"])) as toolbox:
        again = pickle.loads(pickle.dumps(toolbox.find("add")))
    with pytest.raises(NoApproverError):
        await again.call({"a": 1, "b": 2})


async def test_a_persons_time_does_not_count_against_the_limit_of_a_call() -> None:
    files = Files()

    async def thinks(request: ApprovalRequest) -> bool:
        await asyncio.to_thread(lambda: None)
        for _ in range(50):
            await asyncio.sleep(0)
        return True

    async with connect(files.declared(approve="always", timeout=5.0), approver=thinks) as toolbox:
        await toolbox.call("delete", {"path": "a"})
    assert files.ran
