"""Public names: legal, one for one tool, the same whatever the order."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft import Stdio, ToolRef, ToolSpec
from toolgraft.policies.naming import named

LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def spec(server: str, tool: str) -> ToolSpec:
    return ToolSpec(ToolRef(server, tool), tool, tool, "", {"type": "object"})


def names(*refs: tuple[str, str], prefix: bool | str = False) -> dict[tuple[str, str], str]:
    servers = {server: Stdio("true", name=server, prefix=prefix) for server, _ in refs}
    return {(each.ref.server, each.ref.tool): each.name for each in named([spec(*ref) for ref in refs], servers)}


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


@given(refs=refs, prefix=st.sampled_from([False, True, "p"]), data=st.data())
def test_any_set_of_tools_gets_legal_distinct_names_in_any_order(
    refs: list[tuple[str, str]], prefix: bool | str, data: st.DataObject
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
