"""Policies of plugins and callers: what they leave out is told, what they make up is an error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from toolgraft import Refusal, ToolRef, ToolSpec
from toolgraft.errors import ConfigError, PluginError
from toolgraft.policies import judged

SPECS = [ToolSpec(ToolRef("s", name), name, name, "", {}) for name in ("read", "write", "drop")]


def silent(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
    return [spec for spec in specs if spec.name != "drop"]


def outspoken(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec | Refusal]:
    return [Refusal(spec.ref, "", "not today", kind="rule") if spec.name == "write" else spec for spec in specs]


def test_a_tool_that_a_policy_drops_is_refused_in_its_name() -> None:
    (refusal,) = judged(SPECS, [silent]).refused
    assert str(refusal) == "s.drop: policy silent left it out (at '/')"


def test_a_policy_may_refuse_with_a_reason_of_its_own() -> None:
    found = judged(SPECS, [outspoken, silent])
    assert [spec.name for spec in found.served] == ["read"]
    assert {each.ref.tool: each.reason for each in found.refused} == {
        "write": "not today",
        "drop": "policy silent left it out",
    }


def test_each_policy_sees_what_the_one_before_it_left() -> None:
    seen: list[str] = []

    def look(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        seen.extend(spec.title for spec in specs)
        return specs

    judged(SPECS, [silent, lambda specs: [replace(spec, title=spec.title.upper()) for spec in specs], look])
    assert seen == ["READ", "WRITE"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "must return the list of tools and refusals, not NoneType"),
        ([SPECS[0], SPECS[0]], "returned 's.read', which it was not given, or returned it twice"),
        ([Refusal(ToolRef("other", "a"), "", "no")], "returned 'other.a', which it was not given"),
        (["read"], "there is str in its list"),
    ],
)
def test_what_a_policy_makes_up_is_an_error(answer: Any, message: str) -> None:
    def odd(specs: Sequence[ToolSpec]) -> Any:
        return answer

    with pytest.raises(PluginError, match=message):
        judged(SPECS, [odd])


@pytest.mark.faults("T25")
def test_a_policy_that_raises_is_named_and_its_error_is_the_cause() -> None:
    def broken(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        raise KeyError("owner")

    with pytest.raises(PluginError, match=r"policy .*broken failed: KeyError: 'owner'") as caught:
        judged(SPECS, [broken])
    assert isinstance(caught.value.__cause__, KeyError)


def test_an_error_of_ours_passes_through_a_policy() -> None:
    def strict(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        raise ConfigError("there is no tool 'x'")

    with pytest.raises(ConfigError, match="there is no tool 'x'"):
        judged(SPECS, [strict])
