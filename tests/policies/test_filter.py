"""Which tools are served."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from toolgraft import Refusal, Server, Stdio, ToolRef, ToolSpec
from toolgraft.errors import ConfigError
from toolgraft.policies import Judged, judged
from toolgraft.policies.filter import keep_chosen, require_rules

SPECS = [ToolSpec(ToolRef("s", name), name, name, "", {}) for name in ("read", "read_all", "write")]


def filtered(specs: Sequence[ToolSpec], server: Server, refused: Sequence[Refusal] = ()) -> Judged:
    require_rules(server, specs, refused)
    return judged(specs, [keep_chosen(server)])


def served(only: Sequence[str] = (), without: Sequence[str] = ()) -> list[str]:
    return [spec.name for spec in filtered(SPECS, Stdio("true", name="s", only=only, without=without)).served]


def test_without_rules_all_are_served() -> None:
    assert served() == ["read", "read_all", "write"]


def test_only_keeps_names_and_patterns_and_without_wins() -> None:
    assert served(only=["read*"]) == ["read", "read_all"]
    assert served(only=["read*"], without=["read_all"]) == ["read"]
    assert served(without=["*"]) == []


@pytest.mark.faults("D7")
@pytest.mark.parametrize("field", ["only", "without"])
def test_a_rule_for_a_tool_that_is_not_listed_is_an_error_that_says_what_is(field: str) -> None:
    with pytest.raises(ConfigError, match=r"server 's' lists no tool 'wirte' named in .*; it lists read, read_all"):
        served(**{field: ["wirte"]})


def test_a_rule_may_name_a_tool_that_is_listed_and_refused() -> None:
    server = Stdio("x", name="s", without=["bad"], tool_timeouts={"bad": 5})
    refused = Refusal(ToolRef("s", "bad"), "/inputSchema", "it is no schema")
    good = ToolSpec(ToolRef("s", "good"), "good", "", "", {"type": "object"})
    assert filtered([good], server, [refused]).served == (good,)


def test_a_name_with_brackets_names_that_tool() -> None:
    spec = ToolSpec(ToolRef("s", "drop[all]"), "drop_all_", "", "", {"type": "object"})
    assert filtered([spec], Stdio("x", name="s", without=["drop[all]"])).served == ()


@pytest.mark.faults("D7")
def test_what_a_rule_leaves_out_is_told_with_the_rule() -> None:
    left = filtered(SPECS, Stdio("true", name="s", only=["read*"], without=["read_all"])).refused
    assert {each.ref.tool: each.reason for each in left} == {
        "read_all": "left out by `without`",
        "write": "not among `only`",
    }
    assert {each.kind for each in left} == {"rule"}
