"""What may be sent twice: nothing, unless the user says so or trusts a server that does."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft import Hints, Safety, Stdio, ToolRef, ToolSpec
from toolgraft.errors import ConfigError
from toolgraft.policies import judged
from toolgraft.policies.safety import decide_safety

told = st.sampled_from([None, True, False])
hints = st.builds(Hints, read_only=told, destructive=told, idempotent=told, open_world=told)


def decided(hints: Hints, **server: Any) -> Safety:
    spec = ToolSpec(ToolRef("s", "pay"), "pay", "pay", "", {}, hints=hints)
    (found,) = judged([spec], [decide_safety(Stdio("true", name="s", **server))]).served
    return found.safety


@pytest.mark.faults("P2", "L9")
@given(hints=hints)
def test_no_claim_of_an_untrusted_server_makes_a_call_repeatable(hints: Hints) -> None:
    assert decided(hints) is Safety.SIDE_EFFECT


@pytest.mark.faults("P2")
@given(hints=hints)
def test_a_trusted_server_is_taken_at_its_word_and_silence_is_a_side_effect(hints: Hints) -> None:
    expected = Safety.SIDE_EFFECT
    if hints.idempotent:
        expected = Safety.IDEMPOTENT
    if hints.read_only:
        expected = Safety.READ_ONLY
    assert decided(hints, trust=True) is expected


@given(hints=hints)
def test_the_users_word_makes_a_call_repeatable_whatever_its_server_says(hints: Hints) -> None:
    assert decided(hints, repeatable=["p*"]).repeatable


@pytest.mark.faults("P2")
def test_what_is_not_told_is_filled_in_by_the_spec() -> None:
    silent = Hints().filled
    assert (silent.read_only, silent.destructive, silent.idempotent, silent.open_world) == (False, True, False, True)
    assert not Hints(read_only=True, destructive=True).filled.destructive


SILENT = Hints()


def spec_of(name: str, hints: Hints = SILENT, **server: Any) -> ToolSpec:
    spec = ToolSpec(ToolRef("s", name), name, name, "", {}, hints=hints)
    (found,) = judged([spec], [decide_safety(Stdio("true", name="s", **server))]).served
    return found


@pytest.mark.faults("P2")
@given(hints=hints, trust=st.booleans(), said=st.sampled_from(Safety), word=st.booleans())
def test_what_the_user_says_wins_over_every_hint_trusted_or_not(
    hints: Hints, trust: bool, said: Safety, word: bool
) -> None:
    found = spec_of("pay", hints, trust=trust, repeatable=["pay"], safety={"pay": said.value if word else said})
    assert found.safety is said
    assert found.safety_reason.by == "safety"


@pytest.mark.faults("P2")
@pytest.mark.parametrize("turned", [False, True])
def test_of_several_rules_the_one_that_tells_most_holds_in_any_order(turned: bool) -> None:
    rules = {"*": "read_only", "delete_*": "side_effect", "delete_draft": "idempotent"}
    said = dict(reversed(rules.items())) if turned else rules
    found = {name: spec_of(name, safety=said).safety.value for name in ("get", "delete_all", "delete_draft")}
    assert found == {"get": "read_only", "delete_all": "side_effect", "delete_draft": "idempotent"}


@pytest.mark.faults("P2")
def test_of_rules_that_tell_as_much_the_strictest_holds() -> None:
    for rules in ({"a*": "read_only", "*a": "side_effect"}, {"*a": "side_effect", "a*": "read_only"}):
        assert spec_of("aba", safety=rules).safety is Safety.SIDE_EFFECT


@pytest.mark.faults("P2")
@pytest.mark.parametrize(
    ("server", "hints", "by", "sentence"),
    [
        ({"safety": {"p*": "read_only"}}, Hints(), "safety", "`safety` says so of 'p*'"),
        ({"repeatable": ["pay"]}, Hints(), "repeatable", "`repeatable` names 'pay'"),
        ({"trust": True}, Hints(read_only=True), "trust", "its server is trusted and calls it read-only"),
        ({"trust": True}, Hints(idempotent=True), "trust", "its server is trusted and calls it idempotent"),
        ({}, Hints(read_only=True), "untrusted", "its server calls it read-only, but is not trusted"),
        ({}, Hints(), "default", "nobody says otherwise"),
        ({"trust": True}, Hints(destructive=False), "default", "nobody says otherwise"),
    ],
)
def test_what_was_decided_says_why(server: dict[str, Any], hints: Hints, by: str, sentence: str) -> None:
    reason = spec_of("pay", hints, **server).safety_reason
    assert (reason.by, reason.sentence, str(reason)) == (by, sentence, sentence)


@pytest.mark.faults("P2")
@given(hints=hints)
def test_an_untrusted_server_cannot_say_that_a_tool_is_not_destructive(hints: Hints) -> None:
    assert spec_of("pay", hints).destructive
    assert not spec_of("pay", hints, safety={"pay": "read_only"}).destructive


@pytest.mark.faults("P2")
@given(hints=hints)
def test_of_a_trusted_server_destructive_counts_only_where_it_is_not_read_only(hints: Hints) -> None:
    assert spec_of("pay", hints, trust=True).destructive is hints.filled.destructive


@pytest.mark.faults("P2")
@pytest.mark.parametrize("said", ["readonly", "READ_ONLY", True, None, 1])
def test_a_word_that_is_no_safety_is_refused_where_it_is_written(said: Any) -> None:
    with pytest.raises(ConfigError, match=r"safety\['pay'\] is one of 'read_only', 'idempotent', 'side_effect', not"):
        Stdio("true", safety={"pay": said})
