"""Turns of a real agent whose model is a script; each turn but a run's last calls `echo` once."""

from __future__ import annotations

import importlib
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.contenders.contract import Contender

RUNS = 3


async def turns(contender: Contender, count: int) -> dict[str, Any]:
    """Seconds a turn: the best of some runs, after one that does not count."""
    make = langchain_run if contender.framework == "langchain" else openai_run
    run = make(contender, count)
    await run()
    walls: list[float] = []
    cpus: list[float] = []
    for _ in range(RUNS):
        wall, cpu = time.perf_counter(), time.process_time()
        await run()
        walls.append((time.perf_counter() - wall) / count)
        cpus.append((time.process_time() - cpu) / count)
    return {"wall": min(walls), "cpu": min(cpus)}


def build(contender: Contender) -> dict[str, Any]:
    """Seconds that `create_agent` takes with the contender's tools."""
    create_agent: Any = importlib.import_module("langchain.agents").create_agent  # its types are partly unknown
    model, tools = langchain_model(2), list(contender.tools.values())
    create_agent(model, tools[:1])
    wall, cpu = time.perf_counter(), time.process_time()
    create_agent(model, tools)
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}


def langchain_run(contender: Contender, count: int) -> Callable[[], Awaitable[None]]:
    create_agent: Any = importlib.import_module("langchain.agents").create_agent
    agent: Any = create_agent(langchain_model(count), list(contender.tools.values()))

    async def run() -> None:
        state = await agent.ainvoke({"messages": [("user", "go")]}, {"recursion_limit": 4 * count})
        assert state["messages"][-1].content == "done", state["messages"][-1]

    return run


def langchain_model(count: int) -> Any:
    """A model that converts its tools at each call, as the real ones do."""
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, ToolCall
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langchain_core.utils.function_calling import convert_to_openai_tool

    class Script(BaseChatModel):
        said: int = 0

        @property
        def _llm_type(self) -> str:
            return "script"

        def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
            return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools])

        def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
            self.said += 1
            calls = [ToolCall(name="echo", args={"text": "hello"}, id=f"c{self.said}")] if self.said % count else []
            message = AIMessage("" if calls else "done", tool_calls=calls)
            return ChatResult(generations=[ChatGeneration(message=message)])

    return Script()


def openai_run(contender: Contender, count: int) -> Callable[[], Awaitable[None]]:
    from agents import Agent, RunConfig, Runner

    agent: Any = Agent(name="agent", model=openai_model(count), **contender.for_agent())

    async def run() -> None:
        result = await Runner.run(agent, "go", max_turns=count + 1, run_config=RunConfig(tracing_disabled=True))
        assert result.final_output == "done", result.final_output

    return run


def openai_model(count: int) -> Any:
    from agents import Model, ModelResponse, Usage
    from agents.testing import assistant_message, function_call

    class Script(Model):
        said = 0

        async def get_response(self, *given: Any, **named: Any) -> ModelResponse:
            self.said += 1
            call = function_call("echo", '{"text": "hello"}', call_id=f"c{self.said}")
            output = call if self.said % count else assistant_message("done")
            return ModelResponse(output=[output], usage=Usage(), response_id=None)

        def stream_response(self, *given: Any, **named: Any) -> Any:
            raise NotImplementedError

    return Script()
