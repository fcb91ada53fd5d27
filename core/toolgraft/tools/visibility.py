"""Which tools a run may use, by functions of its context: asked for each turn, and again at each call.

Nothing is remembered: what one run may see says nothing of another.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from inspect import isawaitable
from typing import Final

from toolgraft.calls import Call, Handler
from toolgraft.config import CallContext, Visible
from toolgraft.connection.events import Emit, Hidden, unheard
from toolgraft.errors import UnknownToolError
from toolgraft.result import ToolResult
from toolgraft.spec import ToolSpec
from toolgraft.tools.failures import steers_nothing

_log: Final = logging.getLogger("toolgraft")


@dataclass(frozen=True, slots=True)
class Visibility:
    """The rules of one server's tools, and the layer that refuses calls of those that a run may not use.

    Attributes:
        rules: A tool is visible where all of them say so.
        steers: Whether an exception is the host's control flow, which passes; any other hides the tool.
        tell: Told which tools are hidden.
    """

    rules: tuple[Visible, ...] = ()
    steers: Callable[[BaseException], bool] = steers_nothing
    tell: Emit = unheard

    async def shows(self, spec: ToolSpec, context: CallContext) -> bool:
        """Whether a run may use a tool."""
        shown = await self._shows(spec, context)
        if not shown:
            self.tell(Hidden(spec.ref.server, spec.ref.tool, context.id))
        return shown

    async def _shows(self, spec: ToolSpec, context: CallContext) -> bool:
        try:
            for rule in self.rules:
                said = rule(spec, context)
                if not (await said if isawaitable(said) else said):
                    return False
        except Exception as error:
            if self.steers(error):
                raise
            _log.exception("a `visible` function failed, and %s is hidden from the run", spec.ref)
            return False
        return True

    async def __call__(self, call: Call, proceed: Handler, /) -> ToolResult:
        """Let a call pass.

        Raises:
            UnknownToolError: The run may not use the tool.
        """
        if not await self.shows(call.spec, call.context):
            raise UnknownToolError(call.ref, "it is not there for this run (`visible` says so); it was not called")
        return await proceed(call)


SHOWS_ALL: Final = Visibility()
"""Of a server whose tools are all there for every run."""
