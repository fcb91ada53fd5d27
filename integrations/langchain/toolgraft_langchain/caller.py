"""Who calls, as LangChain and LangGraph tell: config, runtime, and which call it is."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

from langchain_core.runnables import RunnableConfig, ensure_config
from pydantic import BaseModel, InstanceOf, create_model
from toolgraft.calls import CallOptions
from toolgraft.config import CallContext, CallId

if TYPE_CHECKING:
    from langchain.agents.middleware import ModelRequest
    from langchain.tools import ToolRuntime

_RUNTIME: Final = "toolgraft_runtime"
"""The argument in which LangGraph's tool node hands over its runtime; it is not the server's and is taken out."""


class Caller(dict[str, Any]):
    """What `CallContext.user` is in LangChain: the `RunnableConfig` of the call, and beside it the runtime.

    As a dict it is the config, `caller["configurable"]["thread_id"]`.

    Attributes:
        runtime: LangGraph's `ToolRuntime` (state, context, store, stream writer) where a graph makes the call, else
            None.
        tool_call_id: The model's id of the call, or None where the tool was invoked by hand, or where it is asked which
            tools are `visible` in a turn.
        agreed: The digest of the call that a person has said yes to by LangChain's middleware; empty as a rule.
    """

    def __init__(self, config: RunnableConfig, runtime: ToolRuntime[Any, Any] | None, tool_call_id: str | None) -> None:
        super().__init__(config)
        self.runtime = runtime
        self.tool_call_id = tool_call_id
        self.agreed = ""

    @property
    def context(self) -> Any:
        """What the application gave as `context=`; None outside a graph."""
        return self.runtime.context if self.runtime is not None else None

    @property
    def store(self) -> Any:
        """The graph's `BaseStore`, or None."""
        return self.runtime.store if self.runtime is not None else None

    @property
    def state(self) -> Any:
        """The graph's state, or None."""
        return self.runtime.state if self.runtime is not None else None

    @property
    def id(self) -> CallId | None:
        """Which call it is; the same one over an interrupt and its resume."""
        if self.tool_call_id is None:
            return None
        place = cast("Mapping[str, object]", self.get("configurable") or {})
        return CallId(self.tool_call_id, str(place.get("thread_id") or ""), str(place.get("checkpoint_ns") or ""))

    @property
    def options(self) -> CallOptions:
        """The same, for the call."""
        return {"user": self, "id": self.id}


def caller_of_turn(request: ModelRequest[Any]) -> Caller:
    """Give who a model call is made for, as a call in that turn would tell it, but for the call's id."""
    from langchain.tools import ToolRuntime

    config, runtime = ensure_config(), cast("Any", request.runtime)
    told: Any = ToolRuntime(
        state=request.state,
        context=getattr(runtime, "context", None),
        config=config,
        stream_writer=getattr(runtime, "stream_writer", lambda _: None),
        tool_call_id=None,
        store=getattr(runtime, "store", None),
        tools=[],
        execution_info=getattr(runtime, "execution_info", None),
        server_info=getattr(runtime, "server_info", None),
    )
    return Caller(config, told, None)


def caller_of(context: CallContext) -> Caller:
    """Give the caller of a call, typed, for headers functions, bound arguments and middleware.

        def headers(context: CallContext) -> dict[str, str]:
            return {"X-Tenant": caller_of(context).context.tenant}

    Raises:
        TypeError: The call was not made by LangChain.
    """
    if not isinstance(context.user, Caller):
        raise TypeError(f"the caller is not LangChain's, but {type(context.user).__name__}")
    return context.user


class Arguments(BaseModel):
    """Stands for the input model of every tool: arguments are described by JSON Schema and checked against that.

    LangChain asks each tool for such a model and would build one a tool (0.4 ms each).
    """


def input_model() -> type[BaseModel]:
    """The input model of every tool; where LangGraph runs, with an argument for its runtime."""
    node = sys.modules.get("langgraph.prebuilt.tool_node")
    return Arguments if node is None else _with_runtime(node.ToolRuntime)


@lru_cache(maxsize=1)
def _with_runtime(kind: type[Any]) -> type[BaseModel]:
    annotated: Any = Annotated
    unchecked: Any = InstanceOf  # pydantic cannot make a schema of a runtime
    fields: Any = {_RUNTIME: (annotated[kind, unchecked()], None)}
    return cast("type[BaseModel]", create_model("Arguments", __base__=Arguments, **fields))


def parted(
    arguments: Mapping[str, Any], config: RunnableConfig, tool_call_id: str | None
) -> tuple[dict[str, Any], Caller]:
    """Part a call's arguments into the server's own and the caller."""
    given = dict(arguments)
    runtime = None
    node = sys.modules.get("langgraph.prebuilt.tool_node")
    if node is not None and isinstance(given.get(_RUNTIME), node.ToolRuntime):
        runtime = given.pop(_RUNTIME)
    return given, Caller(config, runtime, tool_call_id)


def without_runtime(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The server's own arguments, for those who watch calls."""
    return parted(arguments, {}, None)[0]
