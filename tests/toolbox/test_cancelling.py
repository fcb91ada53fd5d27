"""What a framework gives up is given up on the server too, and its session goes on."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any, cast

import pytest
import toolgraft_langchain
import toolgraft_openai_agents
from agents import Agent, RunConfig, Runner
from agents.testing import ScriptedModel, assistant_message, function_call
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.messages import AIMessage
from mcp.server.mcpserver import Context, MCPServer
from toolgraft import InProcess, Stdio, connect
from toolgraft.result import Text

from tests.servers import sdk
from tests.toolbox.conftest import until
from tests.toolbox.test_callers import Script

pytestmark = pytest.mark.anyio

SERVER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import anyio
from tests.servers.sdk import make
server = make()
@server.tool()
async def wait(begun: str, ended: str) -> str:
    Path(begun).write_text("")
    try:
        await anyio.sleep(60)
    finally:
        Path(ended).write_text("")
    return "waited"
server.run("stdio")
"""


def _server(era: Any) -> Stdio:
    root = Path(sdk.__file__).parent.parent.parent
    return Stdio(sys.executable, "-c", SERVER, str(root), name="sdk", era=era)


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
@pytest.mark.faults("TL4", "L11")
async def test_a_cancelled_langgraph_run_ends_the_handler_and_raises_nothing_else(era: Any, tmp_path: Path) -> None:
    begun, ended = str(tmp_path / "begun"), str(tmp_path / "ended")
    call: Any = {"id": "1", "name": "wait", "args": {"begun": begun, "ended": ended}, "type": "tool_call"}
    async with toolgraft_langchain.graft(_server(era)) as tools:
        agent = cast("Any", create_agent(Script(messages=iter([AIMessage("", tool_calls=[call])])), tools))
        run = asyncio.ensure_future(agent.ainvoke({"messages": [("user", "go")]}))
        await until(lambda: os.path.exists(begun))
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        await until(lambda: os.path.exists(ended))
        (said,) = (await tools.toolbox.call("echo", {"text": "still here"})).parts
        assert isinstance(said, Text)
        assert said.text == "still here"


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
@pytest.mark.faults("TL4", "L11")
async def test_a_time_out_of_the_agents_sdk_ends_the_handler_and_the_run_goes_on(era: Any, tmp_path: Path) -> None:
    begun, ended = str(tmp_path / "begun"), str(tmp_path / "ended")
    async with toolgraft_openai_agents.graft(_server(era)) as tools:
        next(tool for tool in tools if tool.name == "wait").timeout_seconds = 2.0
        turns = [
            [function_call("wait", json.dumps({"begun": begun, "ended": ended}), call_id="1")],
            [function_call("echo", '{"text": "still here"}', call_id="2")],
            [assistant_message("done")],
        ]
        agent = Agent(name="a", model=ScriptedModel(turns), tools=[*tools])
        run = await Runner.run(agent, "go", run_config=RunConfig(tracing_disabled=True))
        await until(lambda: os.path.exists(ended))
    told = [str(item.output) for item in run.new_items if item.type == "tool_call_output_item"]
    assert "timed out" in told[0]
    assert told[1] == "still here"


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_a_server_is_told_the_client_info_of_its_declaration(era: Any) -> None:
    server = MCPServer("asks")

    @server.tool()
    async def who(ctx: Context) -> str:  # type: ignore[type-arg]
        params = ctx.session.client_params
        return f"{params.client_info.name} {params.client_info.version}" if params and params.client_info else "nobody"

    async with connect(InProcess(server, era=era, client_info=("acme", "9.1"))) as toolbox:
        (said,) = (await toolbox.call("who", {})).parts
    assert isinstance(said, Text)
    assert said.text == "acme 9.1"
