"""What a changed list, a raising listener or a failing policy of one server does to the others: nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from toolgraft import Options, Toolbox
from toolgraft.connection import Event, ListChanged
from toolgraft.hookspecs import hookimpl
from toolgraft.spec import ToolSpec

from tests.toolbox.conftest import Scripted, until

pytestmark = pytest.mark.anyio

Make = Callable[..., Scripted]


def names(toolbox: Toolbox) -> list[str]:
    return [tool.spec.name for tool in toolbox.tools]


@pytest.mark.faults("D3")
async def test_a_list_that_no_longer_suits_a_filter_stays_and_those_of_others_change(
    scripted: Make, caplog: pytest.LogCaptureFixture
) -> None:
    fussy, other = scripted("fussy", "kept", "touch"), scripted("other", "grow", "touch")
    toolbox = Toolbox([fussy.declared(without=["touch"]), other.declared()])
    async with toolbox:
        fussy.says(["kept", "renamed_touch"])
        other.says(["grow", "grown", "touch"])
        await toolbox.refresh()
        assert names(toolbox) == ["kept", "grow", "grown", "touch"]
    assert "'fussy' stays as it was: server 'fussy' lists no tool 'touch' named in without" in caplog.text


@pytest.mark.faults("D3")
async def test_a_policy_that_fails_on_one_servers_new_list_leaves_the_others_fresh(scripted: Make) -> None:
    class Picky:
        @hookimpl
        def toolgraft_policies(self, server: Any) -> list[Any]:
            return [self.checked]

        def checked(self, specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
            if any(spec.name == "evil" for spec in specs):
                raise ValueError("evil")
            return specs

    one, two = scripted("one", "a"), scripted("two", "b")
    async with Toolbox([one.declared(), two.declared()], Options(plugins=[Picky()])) as toolbox:
        one.says(["a", "evil"])
        two.says(["b", "c"])
        await toolbox.refresh()
        assert names(toolbox) == ["a", "b", "c"]


@pytest.mark.faults("D3")
async def test_a_listener_that_raises_keeps_no_new_tool_away(scripted: Make, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[Event] = []

    def listener(event: Event) -> None:
        heard.append(event)
        raise ValueError("a fault of the listener")

    server = scripted("server", "touch")
    with caplog.at_level(logging.CRITICAL):
        async with Toolbox([server.declared()], Options(on_event=listener)) as toolbox:
            server.says(["touch", "grown"])
            await toolbox.call("touch", {})
            await until(lambda: any(isinstance(event, ListChanged) for event in heard))
            await until(lambda: names(toolbox) == ["touch", "grown"])


async def test_a_watcher_that_raises_is_logged_and_the_new_tools_are_served(
    scripted: Make, caplog: pytest.LogCaptureFixture
) -> None:
    def watcher() -> None:
        raise ValueError("a fault of the watcher")

    server = scripted("server", "touch")
    async with Toolbox([server.declared()]) as toolbox:
        toolbox.watch(watcher)
        server.says(["touch", "grown"])
        await toolbox.call("touch", {})
        await until(lambda: "a fault of the watcher" in caplog.text)
        assert names(toolbox) == ["touch", "grown"]
