"""What a policy is, and how policies are run one after the other so that no tool is lost in silence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from toolgraft.errors import PluginError, ToolgraftError
from toolgraft.spec import Refusal, ToolSpec

Policy: TypeAlias = Callable[[Sequence[ToolSpec]], Sequence[ToolSpec | Refusal]]
"""Takes the tools of one server and returns those to serve, changed by `dataclasses.replace`, and a `Refusal` for
each that it leaves out. A tool that is simply missing from what it returns is refused in its name."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A list of tools after its policies.

    Attributes:
        served: The tools that are left, in order.
        refused: Those that are not, each with the reason of the policy that left it out.
    """

    served: tuple[ToolSpec, ...]
    refused: tuple[Refusal, ...] = ()


def judged(specs: Sequence[ToolSpec], policies: Sequence[Policy]) -> Judged:
    """Run policies over a list, each over what the one before it left.

    Raises:
        PluginError: A policy failed, or returned something else than what it was given.
        ConfigError: A policy names a tool that is not there.
    """
    served, refused = tuple(specs), list[Refusal]()
    for policy in policies:
        name = f"policy {name_of(policy)}"
        kept, left_out = _asked(policy, served, name)
        refused += left_out
        served = kept
    return Judged(served, tuple(refused))


def _asked(policy: Policy, given: Sequence[ToolSpec], name: str) -> tuple[tuple[ToolSpec, ...], tuple[Refusal, ...]]:
    try:
        return parted(policy(given), given, name)
    except ToolgraftError:
        raise
    except Exception as error:
        raise PluginError(f"{name} failed: {type(error).__name__}: {error}") from error


def parted(answer: object, given: Sequence[ToolSpec], name: str) -> tuple[tuple[ToolSpec, ...], tuple[Refusal, ...]]:
    """Check what a policy made of the specs it was given: each at most once, changed or refused, not made up.

    Args:
        answer: What it returned.
        given: What it was given.
        name: What it is called in the reason for tools that it dropped without one.

    Raises:
        TypeError: It is something else.
    """
    if not isinstance(answer, list | tuple):
        raise TypeError(f"a policy must return the list of tools and refusals, not {type(answer).__name__}")
    left = {spec.ref: None for spec in given}  # a dict, for its order
    served: list[ToolSpec] = []
    refused: list[Refusal] = []
    for each in cast("Sequence[object]", answer):
        if not isinstance(each, ToolSpec | Refusal):
            kind = type(each).__name__
            raise TypeError(f"a policy must return ToolSpecs and Refusals, and there is {kind} in its list")
        if each.ref not in left:
            raise TypeError(f"a policy returned '{each.ref}', which it was not given, or returned it twice")
        del left[each.ref]
        served.append(each) if isinstance(each, ToolSpec) else refused.append(each)
    refused += [Refusal(ref, "", f"{name} left it out", kind="rule") for ref in left]
    return tuple(served), tuple(refused)


def name_of(function: object) -> str:
    """What a function of the user's is called in messages."""
    return str(getattr(function, "__qualname__", None) or type(function).__name__)
