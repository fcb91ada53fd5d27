"""One call on its way to a server, and the onion of middleware around it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

from toolgraft.config import CallContext
from toolgraft.errors import PluginError
from toolgraft.result import ToolResult
from toolgraft.spec import ToolSpec


@dataclass(frozen=True, slots=True)
class Call:
    """One call of one tool. Middleware changes it by `dataclasses.replace`.

    Attributes:
        spec: The tool.
        arguments: As the server takes them: decoded, checked, bound arguments added.
        context: Who is calling.
        timeout: Seconds that the whole call may take, or None for no limit.
        timeout_source: Where that limit was set; the error says so.
    """

    spec: ToolSpec
    arguments: Mapping[str, Any]
    context: CallContext
    timeout: float | None
    timeout_source: str


Handler: TypeAlias = Callable[[Call], Awaitable[ToolResult]]
"""The rest of the line: sends the call and gives its result."""


@runtime_checkable
class Middleware(Protocol):
    """One layer around calls: sees the call before, the result after, and may answer in its place.

    It runs in the caller's task and may raise; a layer must not call `proceed` twice for a tool with side effects.
    """

    async def __call__(self, call: Call, proceed: Handler, /) -> ToolResult:
        """Handle the call, as a rule by `await proceed(call)`."""
        ...


def onion(layers: Sequence[Middleware], core: Handler) -> Handler:
    """Wrap `core` in the layers, the first one outermost."""
    handler = core
    for layer in reversed(layers):
        handler = _wrapped(layer, handler)
    return handler


def _wrapped(layer: Middleware, inner: Handler) -> Handler:
    async def handle(call: Call) -> ToolResult:
        result = await layer(call, inner)
        if not isinstance(result, ToolResult):  # pyright: ignore[reportUnnecessaryIsInstance]
            name = getattr(layer, "__qualname__", type(layer).__name__)
            raise PluginError(f"middleware {name} answered with {type(result).__name__} instead of a ToolResult")
        return result

    return handle
