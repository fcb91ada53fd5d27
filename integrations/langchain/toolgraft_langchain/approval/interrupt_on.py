"""Asking by LangChain's `HumanInTheLoopMiddleware`, for applications whose people answer in its forms.

    agent = create_agent(
        model, tools, middleware=[HumanInTheLoopMiddleware(interrupt_on(tools))], checkpointer=saver
    )

Without the middleware a tool asks itself, by an interrupt of its own (see `interrupts`); with it, by the middleware.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from langchain_core.messages import ToolCall
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from toolgraft.config.approval import ApprovalRequest
from toolgraft.errors import ConfigError

from toolgraft_langchain.approval.reviews import request_of
from toolgraft_langchain.caller import Caller
from toolgraft_langchain.tools import MCPTool

if TYPE_CHECKING:
    from langchain.agents.middleware import InterruptOnConfig

AllowedDecision: TypeAlias = Literal["approve", "edit", "reject", "respond"]
"""What a person may answer. `respond` is an answer in the tool's place."""

_USUAL: Final[Sequence[AllowedDecision]] = ("approve", "edit", "reject")


def interrupt_on(
    tools: Sequence[BaseTool], *, allowed_decisions: Sequence[AllowedDecision] = _USUAL
) -> dict[str, bool | InterruptOnConfig]:
    """Make the mapping by which `HumanInTheLoopMiddleware` asks for a yes where `approve=` says so.

    It is for both of the middleware's modes, and may stand beside tools of your own:
    `{**interrupt_on(tools), "my_tool": True}`. The yes is for one call, with the arguments that the person saw or
    wrote, which are checked as any others. Whatever goes round the middleware is asked about by the tool itself: a tool
    that an edit names in another's place, a call that a later middleware changed, a tool whose definition has changed
    since, one that came to a live list later, a rule that has to wait for something.

    Args:
        tools: Those of the agent; a live list is followed. Of these, tools that no rule of `approve=` is about, that
            ask an `approver=` of yours, or more than one person, or persons by name, are not in the mapping.
        allowed_decisions: What a person may answer.

    Raises:
        ConfigError: There is no decision, or an unknown one, among `allowed_decisions`.
    """
    allowed = list(allowed_decisions) if not isinstance(allowed_decisions, str) else []
    if not allowed or not set(allowed) <= {"approve", "edit", "reject", "respond"}:
        said = "allowed_decisions is a list of 'approve', 'edit', 'reject' and 'respond'"
        raise ConfigError(f"{said}, not {allowed_decisions!r}")
    asked = [tool.name for tool in tools if isinstance(tool, MCPTool) and tool.reviews is not None]
    described, when = _Described(tools), _When(tools)
    return {name: {"allowed_decisions": [*allowed], "description": described, "when": when} for name in asked}


class _When:
    """Whether a call is asked about, as the rule says with its arguments."""

    def __init__(self, tools: Sequence[BaseTool]) -> None:
        self._tools = tools

    def __call__(self, request: Any) -> bool:
        call: ToolCall = request.tool_call
        tool = request.tool if isinstance(request.tool, MCPTool) else _named(self._tools, call["name"])
        if tool is None or tool.reviews is None:
            return False
        caller = Caller(cast("RunnableConfig", request.runtime.config), request.runtime, call["id"])
        asked = _asked(tool, call["args"], caller)
        if asked is not None:
            tool.bound.tell_asked(asked)
        return tool.reviews.asks(caller, tool.name, call["args"], asked.digest if asked is not None else None)


class _Described:
    """What a person is told of a call, beside its arguments."""

    def __init__(self, tools: Sequence[BaseTool]) -> None:
        self._tools = tools

    def __call__(self, tool_call: ToolCall, state: Any, runtime: Any) -> str:
        from langgraph.config import get_config

        tool = _named(self._tools, tool_call["name"])
        if tool is None or tool.reviews is None:
            return f"Calls {tool_call['name']}."
        spec = tool.bound.spec
        title = f" ({spec.title})" if spec.title else ""
        of = f"of the MCP server '{spec.ref.server}', {_TOLD[spec.safety.value]}"
        text = f"Calls the tool '{spec.ref.tool}'{title} {of}."
        return tool.reviews.described(Caller(get_config(), None, tool_call["id"]), text)


_TOLD: Final = {
    "read_only": "which only reads",
    "idempotent": "whose second call would change no more than the first",
    "side_effect": "which may change something with each call",
}


def _named(tools: Sequence[BaseTool], name: str) -> MCPTool | None:
    """The tool of a name that is served now."""
    return next((tool for tool in tools if isinstance(tool, MCPTool) and tool.name == name), None)


def _asked(tool: MCPTool, given: Mapping[str, Any], caller: Caller) -> ApprovalRequest | None:
    """What a person is asked; None too where the call itself says what is wrong, or has to ask by itself.

    The middleware's `when` cannot wait, so a rule that does is left to the tool.
    """
    coroutine = request_of(tool.bound, given, caller)
    try:
        coroutine.send(None)
    except StopIteration as done:
        return cast("ApprovalRequest | None", done.value)
    coroutine.close()
    return None
