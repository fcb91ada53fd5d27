"""Which tools are served."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest
from toolgraft import Filter, Hints, Limits, Refusal, Server, Stdio, ToolRef, ToolSpec, read_only, tagged, where
from toolgraft.errors import ConfigError
from toolgraft.policies import Judged, judged
from toolgraft.policies.filter import keep_chosen, unknown_tools
from toolgraft.policies.safety import decide_safety

SPECS = [ToolSpec(ToolRef("s", name), name, name, "", {}) for name in ("read", "read_all", "write")]


def filtered(specs: Sequence[ToolSpec], server: Server, refused: Sequence[Refusal] = ()) -> Judged:
    unknown_tools(server, specs, refused)
    return judged(specs, [keep_chosen(server)])


def served(only: Sequence[str] = (), without: Sequence[str] = ()) -> list[str]:
    return [spec.name for spec in filtered(SPECS, Stdio("true", name="s", only=only, without=without)).served]


RULES: dict[str, Callable[[str], Any]] = {
    "only": lambda name: [name],
    "without": lambda name: ["write", ~tagged("x") & name],
    "safety": lambda name: {name: "read_only"},
    "tool_timeouts": lambda name: {name: 5},
    "tool_limits": lambda name: {name: Limits()},
    "repeatable": lambda name: [name],
}
"""By field: a rule for a tool of that name."""


def test_without_rules_all_are_served() -> None:
    assert served() == ["read", "read_all", "write"]


def test_only_keeps_names_and_patterns_and_without_wins() -> None:
    assert served(only=["read*"]) == ["read", "read_all"]
    assert served(only=["read*"], without=["read_all"]) == ["read"]
    assert served(without=["*"]) == []


@pytest.mark.faults("D7")
@pytest.mark.parametrize("field", RULES)
def test_a_rule_for_a_tool_that_is_not_listed_is_an_error_that_says_what_is(field: str) -> None:
    server = Stdio("true", name="s", **{field: RULES[field]("wirte")})
    with pytest.raises(ConfigError, match=rf"server 's' lists no tool 'wirte' named in {field}; it lists read, read_a"):
        unknown_tools(server, SPECS, ())


@pytest.mark.faults("D7")
@pytest.mark.parametrize("field", RULES)
def test_such_a_rule_is_told_as_a_warning_where_that_is_asked_for(field: str) -> None:
    server = Stdio("true", name="s", unknown_tools="warn", **{field: RULES[field]("wirte")})
    (told,) = unknown_tools(server, SPECS, ())
    assert told == f"server 's' lists no tool 'wirte' named in {field}; it lists read, read_all, write"


@pytest.mark.faults("D7")
@pytest.mark.parametrize("field", RULES)
def test_a_pattern_that_stands_for_no_tool_is_told_as_a_warning(field: str) -> None:
    (told,) = unknown_tools(Stdio("true", name="s", **{field: RULES[field]("wirte*")}), SPECS, ())
    assert told.startswith(f"server 's' lists no tool that 'wirte*' in {field} stands for")


def test_every_field_that_names_tools_is_checked() -> None:
    fields = [each for each in Server.__dataclass_fields__ if each.startswith("tool_")]
    assert {*fields, "only", "without", "safety", "repeatable"} == set(RULES)


def test_a_tool_that_has_gone_since_makes_no_rule_wrong() -> None:
    server = Stdio("true", name="s", repeatable=["write"])
    assert unknown_tools(server, SPECS[:2], (), known={"write"}) == ()


@pytest.mark.parametrize("rule", [{"without": ["write"]}, {"approve": ["write"]}])
def test_no_server_frees_a_tool_of_a_rule_that_holds_it_back_by_renaming_it(rule: Any) -> None:
    server = Stdio("true", name="s", **rule)
    with pytest.raises(ConfigError, match="lists no tool 'write'"):
        unknown_tools(server, SPECS[:2], (), known={"write"})


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


TAGGED = ToolSpec(ToolRef("s", "pay"), "pay", "pay", "", {}, meta={"_fastmcp": {"tags": ["billing", "admin"]}})


def kept(*, trust: bool = False, **rules: Any) -> list[str]:
    specs = [*SPECS, TAGGED, ToolSpec(ToolRef("s", "look"), "look", "look", "", {}, hints=Hints(read_only=True))]
    server = Stdio("true", name="s", trust=trust, **rules)
    unknown_tools(server, specs, ())
    return [spec.name for spec in judged(specs, [decide_safety(server), keep_chosen(server)]).served]


@pytest.mark.faults("D9")
@pytest.mark.parametrize(
    ("only", "expected"),
    [
        (tagged("billing"), ["pay"]),
        (tagged("ops", "admin"), ["pay"]),
        (~tagged("billing") & "re*", ["read", "read_all"]),
        ("read" | tagged("billing"), ["read", "pay"]),
        ([tagged("billing"), "write"], ["write", "pay"]),
        (where(lambda spec: len(spec.name) == 5), ["write"]),
        (~(tagged("billing") | "re*" | "write"), ["look"]),
        ("w*" & where(lambda spec: True), ["write"]),
    ],
    ids=str,
)
def test_filters_are_put_together(only: Any, expected: list[str]) -> None:
    assert kept(only=only) == expected
    assert sorted(kept(without=only)) == sorted({"read", "read_all", "write", "pay", "look"} - set(expected))


@pytest.mark.faults("P2", "D9")
def test_read_only_believes_the_hints_of_a_trusted_server_and_your_word() -> None:
    assert kept(only=read_only()) == []
    assert kept(only=read_only(), trust=True) == ["look"]
    assert kept(only=read_only(), safety={"read*": "read_only"}) == ["read", "read_all"]
    assert kept(without=~read_only(), trust=True) == ["look"]


@pytest.mark.faults("P2")
def test_a_tool_that_claims_to_be_read_only_in_vain_says_what_would_help() -> None:
    claims = ToolSpec(ToolRef("s", "look"), "look", "look", "", {}, hints=Hints(read_only=True))
    server = Stdio("true", name="s", only=read_only())
    (left,) = judged([claims], [decide_safety(server), keep_chosen(server)]).refused
    assert left.reason == (
        "not among `only`: its server calls it read-only, but is not trusted; trust=True would, or safety={...}"
    )


@pytest.mark.faults("D9")
@pytest.mark.parametrize(
    "meta",
    [
        {"tags": ["billing"]},
        {"fastmcp": {"tags": ["billing"], "version": "1"}},
        {"_fastmcp": {"tags": ["x", "billing"]}},
    ],
    ids=str,
)
def test_tags_are_read_where_servers_put_them(meta: dict[str, Any]) -> None:
    assert tagged("billing").keeps(ToolSpec(ToolRef("s", "t"), "t", "t", "", {}, meta=meta))


@pytest.mark.parametrize(
    "meta", [{}, {"tags": "billing"}, {"fastmcp": ["billing"]}, {"fastmcp": {"tags": [1, None]}}], ids=str
)
def test_what_is_no_list_of_tags_has_none(meta: dict[str, Any]) -> None:
    assert not tagged("billing").keeps(ToolSpec(ToolRef("s", "t"), "t", "t", "", {}, meta=meta))


def raises(spec: ToolSpec) -> bool:
    raise ValueError("no")


class Later:
    async def __call__(self, spec: ToolSpec) -> bool:
        return True


@pytest.mark.faults("D7")
@pytest.mark.parametrize("rule", [where(raises), ~where(raises), "re*" & where(raises), where(Later())], ids=str)  # type: ignore[arg-type]
@pytest.mark.parametrize("field", ["only", "without"])
def test_a_tool_of_which_a_filter_cannot_say_is_left_out(
    field: str, rule: Filter, caplog: pytest.LogCaptureFixture
) -> None:
    given: Any = {field: rule}
    server = Stdio("true", name="s", **given)
    found = filtered(SPECS[:1], server)
    assert found.served == ()
    assert "left out: a filter raised" in found.refused[0].reason
    assert "a filter of server 's' failed" in caplog.text


def test_filters_are_not_put_together_by_words() -> None:
    with pytest.raises(TypeError, match=r"`&`, `\|` and `~`"):
        bool(read_only())


async def later(spec: ToolSpec) -> bool:
    return True


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: where(cast("Any", later)), "that is not async"),
        (lambda: where(cast("Any", "x")), "takes a function"),
        (lambda: tagged(), "takes the tags"),
        (lambda: tagged(cast("Any", ["a"])), "takes the tags"),
        (lambda: Stdio("x", only=cast("Any", [len])), r"write where\(function\)"),
        (lambda: Stdio("x", only="read"), r"only=\['read'\]"),
        (lambda: Stdio("x", unknown_tools=cast("Any", "ignore")), "unknown_tools is one of 'error', 'warn'"),
        (lambda: Stdio("x", tool_timeouts=cast("Any", {3: 5})), "mapping by name"),
    ],
)
def test_a_mistake_in_a_filter_is_told_where_it_is_made(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make()
