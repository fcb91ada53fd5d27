"""One process of an Agents SDK run that pauses: `python -m tests.approval.paused_run ask|answer FOLDER`.

`ask` runs until a person is asked, writes the run's state, says so in a line, and waits to be killed. `answer` goes on
with a yes from what was written, twice, and prints what the model is told. Each run of the tool is a line in
FOLDER/ledger.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from agents import Agent, RunConfig, Runner, RunState, ToolCallOutputItem
from agents.testing import ScriptedModel, assistant_message, function_call
from toolgraft import Stdio
from toolgraft_openai_agents import graft

QUIET = RunConfig(tracing_disabled=True)


async def main(step: str, folder: Path) -> None:
    raw = ("-m", "tests.servers.raw", "stdio", "--ledger", str(folder / "ledger"))
    state_file = folder / "state.json"
    async with graft(Stdio(sys.executable, *raw, name="raw", only=["echo"], approve="always")) as tools:
        call = function_call("echo", json.dumps({"text": "on"}), call_id="c0")
        turns: list[Any] = [[call]] if step == "ask" else []
        agent = Agent[Any](name="A", model=ScriptedModel([*turns, *[[assistant_message("done")]] * 3]), tools=tools)
        if step == "ask":
            paused = await Runner.run(agent, "go", run_config=QUIET, context={})
            state_file.write_text(json.dumps(paused.to_state().to_json()))
            print(json.dumps([item.call_id for item in paused.interruptions]), flush=True)
            await asyncio.Event().wait()
        told: list[str] = []
        for _ in range(2):
            state: Any = await RunState.from_json(agent, json.loads(state_file.read_text()))
            for item in state.get_interruptions():
                state.approve(item)
            end = await Runner.run(agent, state, run_config=QUIET)
            told += [str(item.output) for item in end.new_items if isinstance(item, ToolCallOutputItem)]
        print(json.dumps({"told": told}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
