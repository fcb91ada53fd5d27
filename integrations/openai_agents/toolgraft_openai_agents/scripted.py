"""One turn of a real agent whose model is a script: what the model would be given back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from agents import Agent, RunConfig, Runner, RunResult, Tool, ToolCallOutputItem
from agents.testing import ScriptedModel, assistant_message, function_call
from toolgraft.tools.scripted import Decide, Step

QUIET: Final = RunConfig(tracing_disabled=True)


async def run_scripted(tools: Sequence[Tool], calls: Sequence[tuple[str, Mapping[str, Any]]]) -> Sequence[Step]:
    """Have a scripted model make the calls at once, in a real `Runner.run`."""
    asked = [
        function_call(name, json.dumps(arguments, ensure_ascii=False), call_id=f"call_{index}")
        for index, (name, arguments) in enumerate(calls)
    ]
    model = ScriptedModel([asked, [assistant_message("done")]])
    agent = Agent(name="scripted run", model=model, tools=list(tools))
    run = await Runner.run(agent, "Use the tools.", run_config=QUIET)
    return _steps(calls, run)


async def run_approved(
    tools: Sequence[Tool], calls: Sequence[tuple[str, Mapping[str, Any]]], decide: Decide
) -> Sequence[Step]:
    """Do as `run_scripted` does, in a run that pauses, and resume it with what `decide` says."""
    asked = [
        function_call(name, json.dumps(arguments, ensure_ascii=False), call_id=f"call_{index}")
        for index, (name, arguments) in enumerate(calls)
    ]
    agent = Agent(name="scripted run", model=ScriptedModel([asked, [assistant_message("done")]]), tools=list(tools))
    run = await Runner.run(agent, "Use the tools.", run_config=QUIET)
    while run.interruptions:
        state = run.to_state()
        for item in run.interruptions:
            if await decide(item.tool_name or "", json.loads(item.arguments or "{}")):
                state.approve(item)
            else:
                state.reject(item, rejection_message="Error: not called: a person said no")
        run = await Runner.run(agent, state, run_config=QUIET)
    return _steps(calls, run)


def _steps(calls: Sequence[tuple[str, Mapping[str, Any]]], run: RunResult) -> Sequence[Step]:
    given = {
        cast("Mapping[str, Any]", item.raw_item)["call_id"]: item
        for item in run.new_items
        if isinstance(item, ToolCallOutputItem)
    }
    return [_step(name, arguments, given[f"call_{index}"]) for index, (name, arguments) in enumerate(calls)]


def _step(name: str, arguments: Mapping[str, Any], item: ToolCallOutputItem) -> Step:
    output = cast("str | list[Mapping[str, Any]]", cast("Mapping[str, Any]", item.raw_item)["output"])
    blocks = [{"text": output}] if isinstance(output, str) else output
    custom: Mapping[str, Any] = item.custom_data or {}
    return Step(
        tool=name,
        arguments=arguments,
        text="\n".join(block["text"] for block in blocks if "text" in block),
        images=tuple(_media_type(block["image_url"]) for block in blocks if "image_url" in block),
        is_error=bool(custom.get("mcp", {}).get("is_error")),
        raw=output,
    )


def _media_type(url: str) -> str:
    return url.removeprefix("data:").partition(";")[0]
