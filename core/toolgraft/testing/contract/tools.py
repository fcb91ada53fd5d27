"""The list of tools, and the life of a graft, in every framework."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, Literal

from toolgraft.calls import Call, Handler
from toolgraft.config import CallContext, Stdio
from toolgraft.errors import ClosedError, UnknownToolError
from toolgraft.result import ToolResult
from toolgraft.spec import ToolSpec
from toolgraft.testing.contract.turns import QUIET, Turns, run_in_a_loop
from toolgraft.testing.demo import demo_stdio
from toolgraft.testing.tools import DEMO_TOOLS
from toolgraft.toolbox.graft import Graft, Grafted
from toolgraft.tools.scripted import Step

LEGAL: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
FOR_THE_MODEL: Final = [tool["name"] for tool in DEMO_TOOLS if tool["name"] != "refresh_view"]
ERAS: Final[Sequence[Literal["legacy", "2026-07-28"]]] = ("legacy", "2026-07-28")


class ToolsContract(Turns):
    """Tools have legal names, keep apart, and say when they are closed."""

    def test_names_are_legal_everywhere_and_stay_the_servers_own_where_they_can(self) -> None:
        """A tool that is for the server's own app is not among them."""
        for server in self.both_ways():
            names = self.names(server)
            assert all(LEGAL.fullmatch(name) for name in names)
            assert len(names) == len(FOR_THE_MODEL)
            assert {name for name in FOR_THE_MODEL if LEGAL.fullmatch(name)} <= set(names)
            assert "refresh_view" not in names

    def test_tools_of_two_servers_keep_apart(self) -> None:
        """The same name on both is two names for the model."""

        async def greeted(tools: Grafted[Any]) -> Sequence[Step]:
            greeters = [tool.spec.name for tool in tools.toolbox.tools if tool.spec.ref.tool == "greet"]
            assert len(set(greeters)) == 2
            return await self.run_scripted(tools, [(name, {"name": "Ada"}) for name in greeters])

        steps = self.grafted(greeted, self.demo_http, demo_stdio())
        assert [step.text for step in steps] == ["Hello, Ada!", "Hello, Ada!"]

    def test_both_protocol_eras_give_the_same(self) -> None:
        """The `initialize` handshake, and the stateless revision."""
        for era in ERAS:
            calls = (("picture", {"color": "red"}), ("fail", {"reason": "no"}))
            steps = self.turn(*calls, server=replace(self.demo_http, era=era))
            assert [(step.images, step.is_error) for step in steps] == [(("image/png",), False), ((), True)]

    def test_a_tool_whose_name_had_to_change_is_called_by_its_own(self) -> None:
        """The server knows nothing of public names."""

        async def deleted(tools: Grafted[Any]) -> str:
            name = tools.toolbox.find("demo-http.notes.delete").spec.name
            assert name != "notes.delete"
            (step,) = await self.run_scripted(tools, [(name, {"id": 7})])
            return step.text

        assert self.grafted(deleted, self.demo_http) == "Note 7 is deleted."

    def test_a_tool_that_is_hidden_by_the_time_it_is_called_is_refused_to_the_model(self) -> None:
        """It was shown in the turn; the functions of `visible` are asked again at the call. The one beside it goes."""
        gone: set[str] = set()

        def still_there(spec: ToolSpec, _: CallContext) -> bool:
            return spec.ref.tool not in gone

        async def meanwhile(call: Call, proceed: Handler) -> ToolResult:
            gone.add("add")
            return await proceed(call)

        async def called() -> Sequence[Step]:
            options = replace(QUIET, visible=still_there, middleware=(meanwhile,))
            async with Graft(self.adapter, [self.demo_http], options) as tools:
                return await self.run_scripted(tools, [("add", {"a": 1, "b": 2}), ("greet", {"name": "Ada"})])

        hidden, fine = run_in_a_loop(called)
        assert hidden.is_error
        assert "not there for this run" in hidden.text
        assert fine.text == "Hello, Ada!"

    def test_an_unknown_tool_is_an_error_that_names_the_near_ones(self) -> None:
        """So that a slip is found at once."""

        async def slipped(tools: Grafted[Any]) -> str:
            try:
                await tools.toolbox.call("greets", {})
            except UnknownToolError as error:
                return str(error)
            return ""

        assert "greet" in self.grafted(slipped, self.demo_http)

    def test_a_tool_that_takes_too_long_is_told_to_the_model_with_the_limit(self) -> None:
        """And the one beside it goes on."""
        hasty = replace(self.demo_http, tool_timeouts={"slow": 0.3})
        slow, fine = self.turn(("slow", {"seconds": 50}), ("greet", {"name": "Ada"}), server=hasty)
        assert slow.is_error
        assert "0.3 s" in slow.text
        assert fine.text == "Hello, Ada!"

    def test_a_server_that_is_not_there_takes_no_other_with_it(self) -> None:
        """It is told of among the failures."""

        async def others(tools: Grafted[Any]) -> Sequence[Step]:
            assert len(tools) == len(FOR_THE_MODEL)
            assert list(tools.toolbox.failures) == ["absent"]
            return await self.run_scripted(tools, [("greet", {"name": "Ada"})])

        absent = Stdio("toolgraft-no-such-command", name="absent")
        (step,) = self.grafted(others, absent, self.demo_http)
        assert step.text == "Hello, Ada!"

    def test_a_tool_used_after_its_block_raises_what_says_that_it_is_closed(self) -> None:
        """It is a mistake of the program: no model can make anything of it. A framework may wrap the error."""

        async def kept(tools: Grafted[Any]) -> list[Any]:
            return list(tools)

        tools = self.grafted(kept, self.demo_http)
        raised: list[BaseException | None] = []
        try:
            run_in_a_loop(partial(self.run_scripted, tools, [("greet", {"name": "Ada"})]))
        except Exception as error:
            raised = [error, error.__cause__, error.__context__]
        assert any(isinstance(each, ClosedError) for each in raised)

    def test_a_graft_without_async_serves_a_loop_that_comes_later(self) -> None:
        """And another one after it."""
        calls = [("picture", {"color": "red"})]
        with Graft(self.adapter, [self.demo_http], QUIET) as tools:
            (step,) = run_in_a_loop(partial(self.run_scripted, tools, calls))
            (again,) = run_in_a_loop(partial(self.run_scripted, tools, calls))
        assert step.images == again.images == ("image/png",)
