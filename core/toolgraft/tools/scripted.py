"""A scripted run: one turn of a real framework in which a stand-in for the model makes the calls it is told to make.

An adapter brings it as `run_scripted` in its module `scripted`. `toolgraft demo` and the adapter contract use it; no
agent needs it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, TypeVar

Calls: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]
"""Public tool name and arguments of each call."""

Decide: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[bool]]
"""A person: is told a tool's public name and the arguments of a call, and says yes or no."""

T_contra = TypeVar("T_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Step:
    """One tool call of a scripted turn, as the framework carried it out.

    Attributes:
        tool: Public name of the tool.
        arguments: What the scripted model sent.
        text: All text that the model was given back, in order, joined by line breaks.
        images: Media type of each picture that the model was given, in order.
        is_error: Whether the framework told the model that the call failed.
        raw: The framework's own output object.
    """

    tool: str
    arguments: Mapping[str, Any]
    text: str
    images: tuple[str, ...] = ()
    is_error: bool = False
    raw: object = field(default=None, repr=False, compare=False)


class RunScripted(Protocol[T_contra]):
    """Runs one turn of the framework of tools `T`."""

    async def __call__(self, tools: Sequence[T_contra], calls: Calls, /) -> Sequence[Step]:
        """Have a scripted model make the calls at once, and give one step a call, in the order of `calls`.

        Args:
            tools: What the adapter's `to_tool` returned.
            calls: Public tool name and arguments of each call.
        """
        ...


class RunApproved(Protocol[T_contra]):
    """Runs one turn of the framework of tools `T` that pauses for a person's yes; `run_approved` beside `run_scripted`.

    Only an adapter whose framework can pause has it, see `toolgraft.tools.framework.Approving`.
    """

    async def __call__(self, tools: Sequence[T_contra], calls: Calls, decide: Decide, /) -> Sequence[Step]:
        """Have a scripted model make the calls, and go on with what `decide` says of each that is asked about.

        Args:
            tools: What the adapter's `to_tool` returned.
            calls: Public tool name and arguments of each call.
            decide: Asked as often as the framework asks.
        """
        ...
