"""What may be sent twice: nothing, unless the user says so or trusts a server that does."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft import Hints, Safety, Stdio, ToolRef, ToolSpec
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
