"""Public names: legal, one for one tool, the same whatever the order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft import Renamed, Stdio, ToolRef, ToolSpec, is_tool_name
from toolgraft.errors import ConfigError
from toolgraft.policies import judged
from toolgraft.policies.naming import named
from toolgraft.policies.prefix import name_by_prefix
from toolgraft.policies.renamed import renamed

LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def spec(server: str, tool: str) -> ToolSpec:
    return ToolSpec(ToolRef(server, tool), tool, tool, "", {"type": "object"})


Prefix = bool | str | Callable[[str, str], str]


def told(
    *refs: tuple[str, str], prefix: Prefix = False, taken: Sequence[str] = ()
) -> tuple[list[ToolSpec], list[Renamed]]:
    """The tools with their names, and what is told of those that have another one."""
    servers = {server: Stdio("true", name=server, prefix=prefix) for server, _ in refs}
    wished = [each for ref in refs for each in judged([spec(*ref)], [name_by_prefix(servers[ref[0]])]).served]
    found = named(wished, servers, taken)
    return found, list(renamed(wished, found, servers, taken))


def names(*refs: tuple[str, str], prefix: Prefix = False) -> dict[tuple[str, str], str]:
    return {(each.ref.server, each.ref.tool): each.name for each in told(*refs, prefix=prefix)[0]}


def test_a_legal_name_that_nobody_else_has_stays_as_it_is() -> None:
    assert names(("git", "git_log"), ("time", "get-time")) == {
        ("git", "git_log"): "git_log",
        ("time", "get-time"): "get-time",
    }


@pytest.mark.faults("N1")
def test_a_dotted_name_is_made_legal() -> None:
    assert names(("mail", "mail.draft.save")) == {("mail", "mail.draft.save"): "mail_draft_save"}


@pytest.mark.faults("N2")
def test_names_that_fold_together_stay_apart_and_the_legal_one_keeps_its_own() -> None:
    given_names = names(("s", "a.b"), ("s", "a_b"), ("s", "a/b"))
    assert given_names["s", "a_b"] == "a_b"
    assert len(set(given_names.values())) == 3


@pytest.mark.faults("N2")
def test_a_name_of_which_nothing_legal_is_left_gets_one() -> None:
    given_names = names(("s", "---"), ("s", "東京"), ("s", "!!"))
    assert given_names["s", "---"] == "---"
    assert all(LEGAL.fullmatch(name) for name in given_names.values())
    assert len(set(given_names.values())) == 3


@pytest.mark.faults("N6")
def test_the_same_tool_on_two_servers_is_qualified_on_both() -> None:
    assert names(("docs", "search"), ("wiki", "search")) == {
        ("docs", "search"): "docs_search",
        ("wiki", "search"): "wiki_search",
    }


@pytest.mark.faults("N3", "N7")
def test_a_prefix_is_legal_whatever_the_server_is_called() -> None:
    assert names(("North Desk", "find"), prefix=True) == {("North Desk", "find"): "mcp__North_Desk__find"}
    assert names(("x", "find"), prefix="nd") == {("x", "find"): "nd_find"}


@pytest.mark.faults("N8")
def test_a_tool_that_carries_the_servers_name_already_keeps_its_name() -> None:
    assert names(("wiki", "wiki-find")) == {("wiki", "wiki-find"): "wiki-find"}


@pytest.mark.faults("N4", "N5")
def test_long_names_that_differ_at_the_end_stay_apart() -> None:
    long = "x" * 79
    first, second = names(("s", long + "a"), ("s", long + "b")).values()
    assert first != second
    assert len(first) == len(second) == 64


def test_a_server_cannot_take_the_name_that_another_tool_would_be_given() -> None:
    hashed = names(("a", "x.y"), ("b", "x/y"))["a", "x.y"]
    given_names = names(("a", "x.y"), ("b", "x/y"), ("evil", hashed))
    assert len(set(given_names.values())) == 3


refs = st.lists(
    st.tuples(st.sampled_from(["a", "b c", "ä"]), st.text(st.characters(exclude_categories=[]), max_size=80)),
    unique=True,
    max_size=12,
)


def begun(server: str, tool: str) -> str:
    return f"{tool[:2]}."


@given(refs=refs, prefix=st.sampled_from([False, True, "p", begun]), data=st.data())
def test_any_set_of_tools_gets_legal_distinct_names_in_any_order(
    refs: list[tuple[str, str]], prefix: Prefix, data: st.DataObject
) -> None:
    given_names = names(*refs, prefix=prefix)
    assert all(LEGAL.fullmatch(name) for name in given_names.values())
    assert len(set(given_names.values())) == len(refs)
    assert names(*data.draw(st.permutations(refs)), prefix=prefix) == given_names


@pytest.mark.faults("T37")
def test_names_in_other_scripts_say_what_they_are_and_stay_apart() -> None:
    both = names(("日本", "検索"), ("日本", "検証"), prefix=True)
    assert all(re.fullmatch(r"mcp__server__tool_[0-9a-f]{8}", name) for name in both.values())
    assert len(set(both.values())) == 2
    assert re.fullmatch(r"_+v2_[0-9a-f]{8}", names(("s", "検索_v2"))["s", "検索_v2"])


@pytest.mark.faults("T37")
def test_an_accent_is_left_out_of_a_letter() -> None:
    assert names(("s", "café_ouvert")) == {("s", "café_ouvert"): "cafe_ouvert"}


@pytest.mark.faults("N1", "N6")
def test_illegal_names_on_two_servers_are_qualified_on_both() -> None:
    assert names(("docs", "notes.delete"), ("wiki", "notes.delete")) == {
        ("docs", "notes.delete"): "docs_notes_delete",
        ("wiki", "notes.delete"): "wiki_notes_delete",
    }


@pytest.mark.faults("T37")
def test_a_name_that_the_agent_has_already_is_left_to_it() -> None:
    servers = {"docs": Stdio("true", name="docs")}
    (found,) = named([spec("docs", "search")], servers, taken=["search"])
    assert found.name == "docs_search"
    (found,) = named([spec("docs", "search")], servers, taken=["search", "docs_search"])
    assert re.fullmatch(r"search_[0-9a-f]{8}", found.name)


@pytest.mark.faults("N1", "N6")
def test_illegal_names_on_two_servers_that_meet_on_one_too_still_tell_their_servers() -> None:
    given_names = names(("docs", "notes.delete"), ("docs", "notes/delete"), ("wiki", "notes.delete"))
    assert given_names["wiki", "notes.delete"] == "wiki_notes_delete"
    for tool in ("notes.delete", "notes/delete"):
        assert re.fullmatch(r"docs_notes_delete_[0-9a-f]{8}", given_names["docs", tool])


@pytest.mark.faults("N4", "N6")
def test_long_names_on_two_servers_tell_their_servers() -> None:
    found = names(("docs", "x" * 70), ("wiki", "x" * 70))
    assert found["docs", "x" * 70].startswith("docs_xxx")
    assert found["wiki", "x" * 70].startswith("wiki_xxx")


@pytest.mark.faults("N6", "N7")
def test_one_prefix_for_two_servers_with_the_same_tool_is_qualified_on_both() -> None:
    found = names(("docs", "find"), ("wiki", "find"), prefix="nd")
    assert found == {("docs", "find"): "docs_nd_find", ("wiki", "find"): "wiki_nd_find"}


@pytest.mark.faults("N5")
def test_a_long_server_name_is_cut_before_that_of_the_tool() -> None:
    server, tool = "7f2c9a54-61de-4b0e-9d8a-3c5e0f1b2a67", "list_all_open_incidents_of_team"
    found = names((server, tool), prefix=True)[server, tool]
    assert LEGAL.fullmatch(found)
    assert re.fullmatch(rf"mcp__7f2c9a54-[0-9a-f-]*__{tool}_[0-9a-f]{{8}}", found)
    assert is_tool_name(found)


@pytest.mark.faults("N7")
def test_a_function_names_tools_and_what_it_gives_is_made_legal_and_one_of_a_kind() -> None:
    found = names(("North Desk", "find.all"), ("wiki", "page"), prefix=lambda server, tool: f"{server[0]}:{tool}")
    assert found == {("North Desk", "find.all"): "N_find_all", ("wiki", "page"): "w_page"}
    same = names(("docs", "a"), ("docs", "b"), ("wiki", "a"), prefix=lambda server, tool: "one")
    assert len(set(same.values())) == 3
    assert same["wiki", "a"] == "wiki_one"


@pytest.mark.faults("N9")
def test_a_function_takes_underscores_off() -> None:
    assert names(("s", "__hint"), prefix=lambda _, tool: tool.lstrip("_")) == {("s", "__hint"): "hint"}


def short(server: str, tool: str) -> str:
    return tool[:2]


def fails(server: str, tool: str) -> str:
    raise LookupError(f"no name for {tool}")


async def later(server: str, tool: str) -> str:
    return tool


def gives_none(server: str, tool: str) -> None:
    """Gives no name."""


def gives_blank(server: str, tool: str) -> str:
    return " "


def takes_nothing() -> str:
    return "x"


@pytest.mark.faults("N7")
@pytest.mark.parametrize(
    ("prefix", "message"),
    [
        (fails, "server 's': the function fails in prefix= raised LookupError for the tool 'find': no name for find"),
        (gives_none, "gave NoneType for the tool 'find'; it gives the name, a string"),
        (gives_blank, "gave an empty name for the tool 'find'"),
        (later, "gave coroutine for the tool 'find'"),
        (takes_nothing, "raised TypeError for the tool 'find'"),
    ],
)
def test_what_goes_wrong_in_that_function_is_told_with_its_name(prefix: Any, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        names(("s", "find"), prefix=prefix)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("name", "has"),
    [
        ("mcp__docs__search", True),
        ("mcp__North_Desk__find-all_1", True),
        ("mcp__a__b__c", True),
        ("docs_search", False),
        ("mcp__docs", False),
        ("mcp____search", False),
        ("mcp__docs__", False),
        ("MCP__docs__search", False),
        ("mcp__docs__sea rch", False),
        ("mcp__docs__search\n", False),
        ("mcp__docs__" + "x" * 60, False),
    ],
)
@pytest.mark.faults("N8")
def test_a_name_is_recognised_by_its_form(name: str, has: bool) -> None:
    assert is_tool_name(name) is has


@given(ref=st.tuples(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80)))
def test_every_name_that_a_prefix_gives_is_recognised(ref: tuple[str, str]) -> None:
    server, tool = ref
    servers = {server: Stdio("true", name=server, prefix=True)}
    (found,) = named([spec(server, tool)], servers)
    assert is_tool_name(found.name), found.name


@pytest.mark.faults("N1", "N2", "N6", "N7")
@pytest.mark.parametrize(
    ("refs", "more", "reasons"),
    [
        ([("s", "find")], {}, {}),
        ([("s", "a.b")], {}, {"a_b": "models take names of letters, digits, `_` and `-`"}),
        ([("s", "find")], {"prefix": True}, {"mcp__s__find": "prefix=True"}),
        ([("s", "find")], {"prefix": "x"}, {"x_find": "prefix='x'"}),
        ([("s", "find")], {"prefix": short}, {"fi": "the function short in prefix= names it"}),
        ([("s", "find")], {"taken": ["find"]}, {"s_find": "the agent has a tool of that name"}),
        (
            [("a", "find"), ("b", "find")],
            {},
            {"a_find": "b.find would have that name too", "b_find": "a.find would have that name too"},
        ),
    ],
    ids=lambda each: getattr(each, "__name__", None) or re.sub(" at 0x[0-9a-f]+", "", str(each)),
)
def test_what_was_renamed_is_told_with_the_reason(
    refs: list[tuple[str, str]], more: dict[str, Any], reasons: dict[str, str]
) -> None:
    assert {each.name: each.reason for each in told(*refs, **more)[1]} == reasons


@given(refs=refs, prefix=st.sampled_from([False, True, "p", short]))
def test_whatever_has_another_name_is_told_with_a_reason(refs: list[tuple[str, str]], prefix: Prefix) -> None:
    try:
        found, changed = told(*refs, prefix=prefix)
    except ConfigError:  # a name of white space alone
        return
    assert {each.ref: each.name for each in changed} == {
        each.ref: each.name for each in found if each.name != each.ref.tool
    }
    assert all(each.reason for each in changed)
