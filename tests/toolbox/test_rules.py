"""Rules that name tools: checked against what servers list, at the start, at a refresh, and as lists change."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from toolgraft import Http, Limits, Stdio, connect, read_only, tagged
from toolgraft.errors import ConfigError, DeadlineError

from tests.toolbox.conftest import Scripted, until

pytestmark = pytest.mark.anyio

RULES: dict[str, Any] = {
    "only": ["greet", "ad"],
    "without": tagged("billing") | "ad",
    "safety": {"ad": "side_effect"},
    "tool_timeouts": {"ad": 5},
    "tool_limits": {"ad": Limits()},
    "repeatable": ["ad"],
}


@pytest.mark.faults("D7")
@pytest.mark.parametrize("field", RULES)
@pytest.mark.parametrize("way", ["stdio", "http"])
async def test_a_rule_with_a_misspelt_name_starts_nothing(
    field: str, way: str, demo_http: Http, demo_stdio: Stdio
) -> None:
    server: Any = {"http": demo_http, "stdio": demo_stdio}[way]
    with pytest.raises(ConfigError, match=rf"lists no tool 'ad' named in {field}; it lists add"):
        async with connect(replace(server, **{field: RULES[field]})):
            pass


@pytest.mark.faults("D7")
@pytest.mark.parametrize("field", RULES)
async def test_it_is_on_the_toolbox_where_it_shall_be_a_warning(
    field: str, demo_http: Http, caplog: pytest.LogCaptureFixture
) -> None:
    async with connect(replace(demo_http, unknown_tools="warn", **{field: RULES[field]})) as toolbox:
        (told,) = toolbox.warnings["demo-http"]
        assert f"lists no tool 'ad' named in {field}" in told
        assert told in caplog.text


@pytest.mark.faults("D7")
async def test_a_server_that_comes_at_a_refresh_is_held_to_its_rules_too(scripted: Callable[..., Scripted]) -> None:
    late = scripted("late", "read", hang=["initialize"])
    async with connect(late.declared(only=["raed"], connect_timeout=1)) as toolbox:
        assert "late" in toolbox.failures
        late.says(["read"])
        with pytest.raises(ConfigError, match="lists no tool 'raed' named in only"):
            await toolbox.refresh()
        assert toolbox.tools == []


@pytest.mark.faults("D3", "D7")
@pytest.mark.parametrize("field", ["safety", "repeatable", "tool_timeouts"])
async def test_a_tool_that_goes_away_later_makes_no_rule_wrong_and_its_rule_holds_when_it_is_back(
    field: str, scripted: Callable[..., Scripted]
) -> None:
    rules: dict[str, Any] = {"safety": {"drop": "read_only"}, "repeatable": ["drop"]}
    server = scripted("s", "drop", "touch")
    async with connect(server.declared(**{field: rules.get(field, {"drop": 5})}), live=True) as toolbox:
        first = [(tool.name, tool.spec.safety) for tool in toolbox.tools]
        server.says(["touch", "new"])
        await toolbox.call("touch", {})
        await until(lambda: [tool.name for tool in toolbox.tools] == ["touch", "new"])
        assert toolbox.warnings == {}
        server.says(["drop", "touch"])
        await toolbox.refresh()
        assert [(tool.name, tool.spec.safety) for tool in toolbox.tools] == first


@pytest.mark.faults("D9", "P2")
async def test_filters_hold_for_tools_that_come_later(scripted: Callable[..., Scripted]) -> None:
    def tool(name: str, **more: Any) -> dict[str, Any]:
        return {"name": name, "inputSchema": {"type": "object"}, **more}

    looks = {"annotations": {"readOnlyHint": True}}
    server = scripted("s", tool("look", **looks), tool("pay", _meta={"fastmcp": {"tags": ["billing"]}}), tool("drop"))
    async with connect(server.declared(trust=True, only=read_only() | tagged("billing"))) as toolbox:
        assert [each.name for each in toolbox.tools] == ["look", "pay"]
        server.says([tool("look"), tool("see", **looks), tool("drop", _meta={"tags": ["billing"]})])
        await toolbox.refresh()
        assert [each.name for each in toolbox.tools] == ["see", "drop"]
        assert {each.ref.tool: each.kind for each in toolbox.refused} == {"look": "rule"}


@pytest.mark.faults("P2")
async def test_a_limit_of_time_may_be_given_by_a_pattern(scripted: Callable[..., Scripted]) -> None:
    server = scripted("s", "slow_one", hang=["tools/call"])
    async with connect(server.declared(tool_timeouts={"*": 60, "slow_*": 0.2})) as toolbox:
        with pytest.raises(DeadlineError, match=r"within 0\.2 s \(set by Stdio\(tool_timeouts=\{'slow_\*': \.\.\.\}\)"):
            await toolbox.call("slow_one", {})


@pytest.mark.faults("P2")
async def test_what_was_decided_can_be_read_off_the_tools_of_both_frameworks(scripted: Callable[..., Scripted]) -> None:
    import toolgraft_langchain
    import toolgraft_openai_agents

    hints = {"title": "Read it", "readOnlyHint": True, "destructiveHint": True}
    tool = {"name": "read", "inputSchema": {"type": "object"}, "annotations": hints}
    server = scripted("s", tool, "bare").declared(safety={"bare": "idempotent"})
    async with toolgraft_langchain.graft(server) as tools:
        read, bare = [dict(each.metadata or {})["mcp"] for each in tools]
        assert (read["safety"], read["destructive"]) == ("side_effect", True)
        sentence = "its server calls it read-only, but is not trusted"
        assert read["safety_reason"] == {"by": "untrusted", "sentence": sentence}
        assert (bare["safety"], bare["safety_reason"]["by"], bare["destructive"]) == ("idempotent", "safety", True)
        json.dumps([read, bare])
    async with toolgraft_openai_agents.graft(server) as functions:
        one, other = functions[0], functions[1]
        assert one.mcp is not None
        assert (one.mcp.safety.value, one.mcp.safety_reason.by, one.mcp.destructive) == (
            "side_effect",
            "untrusted",
            True,
        )
        claimed = one.mcp_annotations
        assert claimed is not None
        assert (claimed.read_only_hint, claimed.destructive_hint, claimed.idempotent_hint) == (True, True, None)
        assert claimed.title == "Read it"
        assert other.mcp_annotations is None


@pytest.mark.faults("D9")
@pytest.mark.parametrize("framework", ["toolgraft_langchain", "toolgraft_openai_agents"])
async def test_each_of_several_agents_is_given_its_own_choice_of_one_list(
    framework: str, scripted: Callable[..., Scripted]
) -> None:
    def tool(name: str, *tags: str) -> dict[str, Any]:
        return {"name": name, "inputSchema": {"type": "object"}, "_meta": {"fastmcp": {"tags": list(tags)}}}

    one, other = (
        scripted("a", tool("pay", "billing"), tool("look.up")),
        scripted("b", tool("pay"), tool("bill", "billing")),
    )
    async with pytest.importorskip(framework).graft(one.declared(), other.declared()) as tools:
        chosen = [[tool.name for tool in tools.only(each)] for each in (tagged("billing"), ["look.up", "b*"])]
        assert chosen == [["a_pay", "bill"], ["look_up", "bill"]]
        assert tools.only(~tagged("billing") & "pay") == [tools[2]]
        for wrong, message in ((["lookup"], "no server has a tool 'lookup'"), ("pay", "not a string")):
            with pytest.raises(ConfigError, match=message):
                tools.only(wrong)
