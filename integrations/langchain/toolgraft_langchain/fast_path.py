"""Calls that nobody listens to: the same context and outcome as LangChain's own run, without its bookkeeping.

LangChain starts, names and ends a run for each call, for the handlers that are to be told of it. Where it finds no
handler (no callbacks, no tracing, not verbose, not debugged), nothing of that can be observed from outside; what code
inside the call can see is its context, and that is the same here: a copy of the caller's, with LangChain's config
variable set to a child config of a run of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from langchain_core.callbacks import AsyncCallbackManager
from langchain_core.runnables.config import ensure_config, var_child_runnable_config
from langchain_core.utils.uuid import uuid7

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langchain_core.tools import BaseTool

T = TypeVar("T")


def quiet_config(tool: BaseTool, config: RunnableConfig | None) -> RunnableConfig | None:
    """Make the config that a call of `tool` runs under, or None when somebody listens to its run.

    Args:
        tool: Its own callbacks count as well; its own tags and metadata are not inherited.
        config: As given to `ainvoke`.
    """
    whole = ensure_config(config)
    callbacks = whole.get("callbacks")
    if isinstance(callbacks, list) and callbacks:
        return None
    manager = AsyncCallbackManager.configure(
        callbacks, tool.callbacks, tool.verbose, whole.get("tags"), None, whole.get("metadata"), None
    )
    if manager.handlers or manager.inheritable_handlers:
        return None
    # Nobody is told of the run that this call would be: what was configured for it becomes what its children inherit.
    manager.parent_run_id = whole.get("run_id") or uuid7()
    manager.tags, manager.metadata = [*manager.inheritable_tags], {**manager.inheritable_metadata}
    whole["callbacks"] = manager
    whole.pop("run_name", None)  # these two are the call's own, not its children's
    whole.pop("run_id", None)
    return whole


class Under(Generic[T]):
    """Awaits a coroutine under a config, in a copy of this context as a task would, but in this task."""

    __slots__ = ("_config", "_coroutine")

    def __init__(self, config: RunnableConfig, coroutine: Coroutine[Any, Any, T]) -> None:
        self._config = config
        self._coroutine = coroutine

    def __await__(self) -> Generator[Any, Any, T]:
        run, coroutine = copy_context().run, self._coroutine
        run(var_child_runnable_config.set, self._config)
        step: Callable[[], Any] = partial(coroutine.send, None)
        while True:
            try:
                awaited = run(step)
            except StopIteration as done:
                return cast(T, done.value)
            try:
                answer = yield awaited
            except GeneratorExit:
                run(coroutine.close)
                raise
            except BaseException as error:
                step = partial(coroutine.throw, error)
            else:
                step = partial(coroutine.send, answer)
