"""Results of 5 and 20 MB against the bare SDK client, as ratios in one run: `python -m benchmarks.results`.

Each contender runs in a process of its own and is asked in turn. Peak memory is that of the first large result after
connecting, above the level before it. Needs no peers' environments; for peers see `python -m benchmarks --only large`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

from benchmarks.memory import peak_kb, reset_peak

Call: TypeAlias = Callable[[str], Awaitable[object]]

SERVER: Final = Path(__file__).parent.parent / "tests" / "servers" / "every_result.py"
TOOLS: Final = {"text": "a short text", "image_5mb": "a picture of 5 MB", "text_20mb": "20 MB of text"}
ROUNDS: Final = 7


@asynccontextmanager
async def raw(url: str) -> AsyncGenerator[Call]:
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client
    from mcp.client.streamable_http import streamable_http_client

    command = StdioServerParameters(command=sys.executable, args=[str(SERVER), "stdio"])
    transport = streamable_http_client(url, max_sse_event_size=None) if url else stdio_client(command)
    async with Client(transport, read_timeout_seconds=60) as client:
        yield lambda tool: client.call_tool(tool, {})


def declared(url: str) -> Any:
    from toolgraft import Http, Limits, Stdio

    options: Any = {"name": "every", "limits": Limits(image_bytes=6_000_000), "only": list(TOOLS)}
    return Http(url, **options) if url else Stdio(sys.executable, str(SERVER), "stdio", **options)


@asynccontextmanager
async def core(url: str) -> AsyncGenerator[Call]:
    from toolgraft import connect

    async with connect(declared(url)) as toolbox:
        yield lambda tool: toolbox.call(tool, {})


@asynccontextmanager
async def langchain(url: str) -> AsyncGenerator[Call]:
    from toolgraft_langchain import graft

    async with graft(declared(url)) as tools:
        named = {tool.name: tool for tool in tools}
        asked: Any = {"type": "tool_call", "id": "1", "args": {}}
        yield lambda tool: named[tool].ainvoke({**asked, "name": tool})


@asynccontextmanager
async def agents(url: str) -> AsyncGenerator[Call]:
    from agents.tool_context import ToolContext
    from toolgraft_openai_agents import graft

    async with graft(declared(url)) as tools:
        named = {tool.name: tool for tool in tools}
        yield lambda tool: named[tool].on_invoke_tool(
            ToolContext(None, tool_name=tool, tool_call_id="1", tool_arguments="{}"), "{}"
        )


CONTENDERS: Final[dict[str, Any]] = {
    "mcp.Client": raw,
    "toolgraft": core,
    "toolgraft, LangChain": langchain,
    "toolgraft, OpenAI Agents": agents,
}


async def work(name: str, url: str) -> None:
    """Answer each tool's name on standard input by the time, the CPU and the peak of one call of it."""
    async with CONTENDERS[name](url) as call:
        await call("text")
        while tool := (await asyncio.to_thread(sys.stdin.readline)).strip():
            before = reset_peak()
            started, cpu = time.perf_counter(), time.process_time()
            await call(tool)
            figures = (time.perf_counter() - started, time.process_time() - cpu, (peak_kb() - before) / 1024)
            print(json.dumps(figures), flush=True)


def measure(url: str, rounds: int) -> None:
    """Measure all contenders on one transport, and print a table."""
    argv = [sys.executable, "-m", "benchmarks.results", "--url", url, "--work"]
    team = {name: _start([*argv, name]) for name in CONTENDERS}
    for tool, what in TOOLS.items():
        taken: dict[str, list[list[float]]] = {name: [] for name in team}
        for _ in range(rounds):
            for name, process in team.items():
                taken[name].append(_ask(process, tool))
        base = [statistics.median(each) for each in zip(*taken["mcp.Client"], strict=True)]
        print(f"\n{what}, {'HTTP' if url else 'stdio'}\n")
        print("| | time, ms | x | CPU, ms | x | peak of the first, MB |\n| --- | --- | --- | --- | --- | --- |")
        for name, figures in taken.items():
            wall, cpu = (statistics.median(each) for each in list(zip(*figures, strict=True))[:2])
            ratios = f"{wall * 1e3:.2f} | {wall / base[0]:.2f} | {cpu * 1e3:.2f} | {cpu / base[1]:.2f}"
            print(f"| {name} | {ratios} | {figures[0][2]:.1f} |")
    for process in team.values():
        process.communicate("")


def _start(argv: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _ask(process: subprocess.Popen[str], tool: str) -> list[float]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(tool + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.results", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--work", choices=CONTENDERS, help=argparse.SUPPRESS)
    parser.add_argument("--url", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        return asyncio.run(work(given.work, given.url))
    measure("", given.rounds)
    with subprocess.Popen([sys.executable, str(SERVER), "http"], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            measure(f"http://127.0.0.1:{int(server.stdout.readline())}/mcp", given.rounds)
        finally:
            server.kill()


if __name__ == "__main__":
    main()
