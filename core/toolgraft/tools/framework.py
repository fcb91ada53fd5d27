"""The seam to a framework: what turns bound tools into its own. Authors find it in `toolgraft.adapter`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from toolgraft.config.approval import ApprovalRequest, Decision
    from toolgraft.tools.bound import BoundTool

T_co = TypeVar("T_co", covariant=True)


@runtime_checkable
class Adapter(Protocol[T_co]):
    """Turns bound tools into tools of one framework, `T_co`.

    An adapter is registered under the entry-point group `toolgraft.adapters` and is loaded by name only. Beside it, in
    the same package, stands a function `graft`, and in its module `scripted` the function `run_scripted` (see
    `toolgraft.tools.scripted`). `toolgraft.testing.AdapterContract` says what else it has to keep.
    """

    @property
    def name(self) -> str:
        """The entry point's name, e.g. `langchain`."""
        ...

    def to_tool(self, bound: BoundTool) -> T_co:
        """Return the framework's tool for `bound`. No connection is used before the tool is called."""
        ...


@runtime_checkable
class Approving(Protocol):
    """What an adapter has besides, whose framework can pause a run until a person has said yes."""

    def approver(self, request: ApprovalRequest) -> bool | Decision | Awaitable[bool | Decision]:
        """Ask for a call, see `toolgraft.config.approval.Approver`."""
        ...


@runtime_checkable
class Steering(Protocol):
    """What an adapter has besides, whose framework steers runs by exceptions, e.g. by LangGraph's `interrupt()`.

    Such an exception is no failure of a call. Wherever it is raised, also in an `elicit` function, it passes as it is.
    """

    def steers(self, error: BaseException) -> bool:
        """Whether an exception is the framework's control flow."""
        ...
