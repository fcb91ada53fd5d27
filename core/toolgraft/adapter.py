"""What a framework must bring so that MCP tools become its own tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from toolgraft.bound import BoundTool

T = TypeVar("T")


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


@runtime_checkable
class Adapter(Protocol[T]):
    """Turns bound tools into tools of one framework, `T`.

    An adapter is registered under the entry-point group `toolgraft.adapters` and is loaded by name only. The contract
    tests run over every one that is registered.
    """

    @property
    def name(self) -> str:
        """The entry point's name, e.g. `langchain`."""
        ...

    def to_tool(self, bound: BoundTool) -> T:
        """Return the framework's tool for `bound`. No connection is used before the tool is called."""
        ...

    async def rehearse(self, tools: Sequence[T], calls: Sequence[tuple[str, Mapping[str, Any]]]) -> Sequence[Step]:
        """Run one turn of the real framework, in which a scripted model makes the given calls at once.

        Args:
            tools: What `to_tool` returned.
            calls: Public tool name and arguments of each call.

        Returns:
            One step a call, in the order of `calls`.
        """
        ...


@runtime_checkable
class Steering(Protocol):
    """What an adapter has besides, whose framework steers runs by exceptions, e.g. by LangGraph's `interrupt()`.

    Such an exception is no failure of a call. Wherever it is raised, also in an `elicit` function, it passes as it is.
    """

    def steers(self, error: BaseException) -> bool:
        """Whether an exception is the framework's control flow."""
        ...
