"""What providers' packages make of the tools of real servers, by whose conversion; side by side.

    scripts/providers
    python -m benchmarks.providers [folder of tool lists] [--every 10] [--package groq ...] [--contender NAME ...]

A server on stdio lists all tools; each contender lists and converts them in its own way, in its own environment. Then
each tool is bound with each provider's LangChain package, and sent to an endpoint on loopback. The columns, for each:

- raises: tools at which the package raises, so that nothing is sent, for any tool of the agent.
- loses: tools of which the name of an argument, or of a member of one, stands nowhere in the request; or did not arrive
  as a name though the package could have carried it.
- MB: of all tools in the requests.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any, Final

from benchmarks import environments
from tests.providers.argument_names import paths
from tests.providers.packages import PACKAGES

Node = dict[str, Any]

ENVIRONMENT: Final = Path(os.environ.get("TOOLGRAFT_PROVIDERS", environments.ROOT / ".cache" / "providers"))
SERVER: Final = environments.ROOT / "tests" / "servers" / "lists.py"
TOLD: Final = "toolgraft, model told"


@dataclass(frozen=True)
class Converter:
    """A contender.

    Attributes:
        environment: Where it is installed.
        forms: Lists and converts the tools of a command, to LangChain's words: name, description, schema.
    """

    environment: str
    forms: Callable[[Sequence[str]], Iterator[Node]]


def _listed(command: Sequence[str]) -> Any:
    """The server, all of whose tools stand on one page, which is more than is taken from any server by default."""
    from toolgraft import Limits, Stdio

    whole = Limits(wire_values=10_000_000, wire_bytes=1 << 30)
    return Stdio(command[0], *command[1:], name="lists", connect_timeout=120, required=True, limits=whole)


def _ours(command: Sequence[str]) -> Iterator[Node]:
    from toolgraft_langchain import graft

    with graft(_listed(command)) as tools:
        yield from ({"id": tool.bound.spec.ref.tool, **_form(tool)} for tool in tools)


def _ours_told(command: Sequence[str]) -> Iterator[Node]:
    from toolgraft_langchain import for_model, graft

    with graft(_listed(command)) as tools:
        for name, package in PACKAGES.items():
            for tool, drawn in zip(tools, for_model(tools, package.dialect), strict=True):
                yield {"id": tool.bound.spec.ref.tool, **_form(drawn), "packages": [name]}


def _adapters(command: Sequence[str]) -> Iterator[Node]:
    client = importlib.import_module("langchain_mcp_adapters.client")
    server = {"transport": "stdio", "command": command[0], "args": list(command[1:])}
    tools = asyncio.run(client.MultiServerMCPClient({"lists": server}).get_tools())
    yield from ({"id": tool.name, **_form(tool)} for tool in tools)


def _langchain(command: Sequence[str]) -> Iterator[Node]:
    async def listed() -> list[Any]:
        transports: Any = importlib.import_module("fastmcp.client.transports")
        langchain: Any = importlib.import_module("langchain.mcp")
        async with AsyncExitStack() as stack:
            transport = transports.StdioTransport(command[0], list(command[1:]), keep_alive=False)
            adapter = await stack.enter_async_context(langchain.MCPAdapter(transport))
            return list(await adapter.list_tools())

    yield from ({"id": tool.name, **_form(tool)} for tool in asyncio.run(listed()))


def _agents(command: Sequence[str]) -> Iterator[Node]:
    async def listed() -> list[Any]:
        from agents.mcp import MCPServerStdio, MCPUtil

        params: Any = {"command": command[0], "args": list(command[1:])}
        async with MCPServerStdio(params, client_session_timeout_seconds=120) as server:
            return [MCPUtil.to_function_tool(each, server, False, None) for each in await server.list_tools()]

    for tool in asyncio.run(listed()):
        words = {"name": tool.name, "description": tool.description, "schema": tool.params_json_schema}
        yield {"id": tool.name, **words}


CONVERTERS: Final = {
    "toolgraft": Converter("own", _ours),
    TOLD: Converter("own", _ours_told),
    "langchain-mcp-adapters": Converter("mcp-adapters", _adapters),
    "langchain.mcp": Converter("langchain-mcp", _langchain),
    "agents.mcp": Converter("own", _agents),
}


def _form(tool: Any) -> Node:
    given: Any = tool.args_schema
    schema: Any = given if isinstance(given, dict) else tool.get_input_jsonschema()  # pyright: ignore[reportUnknownVariableType]
    return {"name": tool.name, "description": tool.description, "schema": schema}


def convert(name: str, tools: Path, names: dict[str, list[str]]) -> list[Node]:
    """Have a contender list and convert the tools, in a process of its environment."""
    converter = CONVERTERS[name]
    said = _run(environments.python(converter.environment), "benchmarks.providers", "--convert", name, str(tools))
    return [{**form, "names": names[form["id"]]} for form in json.loads(said)]


def bind(forms: Path, package: str) -> dict[str, Node]:
    """Send each tool with a package."""
    python = ENVIRONMENT / "bin" / "python"
    return json.loads(_run(str(python), "tests.providers.binding", str(forms), "--package", package))[package]


def _run(python: str, module: str, *arguments: str) -> str:
    folders = [environments.ROOT / each for each in ("core", "integrations/langchain", "integrations/openai_agents")]
    done = subprocess.run(
        [python, "-W", "ignore", "-m", module, *arguments],
        cwd=environments.ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [*folders, environments.ROOT]))},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{module} {' '.join(arguments)}: {done.stderr[-2_000:]}")
    return done.stdout


def read(folder: Path, every: int) -> list[Node]:
    """Read the tool lists in a folder, with names of our own, since servers share some.

    Where a schema has no type, it is given one: else clients of the SDK refuse the whole list.
    """
    found: list[Node] = []
    for path in sorted(folder.glob("*.json")):
        found += json.loads(path.read_text("utf-8"))["tools"]
    return [
        {
            "name": f"tool_{index}",
            "description": (tool.get("description") or "x")[:1_000],
            "inputSchema": {"type": "object", **tool["inputSchema"]},
        }
        for index, tool in enumerate(found)
        if index % every == 0
    ]


def cell(sent: dict[str, Node], tools: int) -> str:
    """Put what a package sent into words."""
    raised = sum(each["raised"] is not None for each in sent.values()) + tools - len(sent)
    lost = sum(bool(each["lost"] or each["silent"]) for each in sent.values())
    return f"{raised:,} / {lost:,} / {sum(each['bytes'] for each in sent.values()) / 1e6:.1f}"


def table(folder: Path, every: int, packages: Sequence[str], contenders: Sequence[str]) -> None:
    """Print the table."""
    tools = read(folder, every)
    names = {tool["name"]: sorted({path[-1] for path in paths(tool["inputSchema"])}) for tool in tools}
    print(f"{len(tools):,} tools; each cell: raises / loses / MB\n")
    with tempfile.TemporaryDirectory() as kept, ThreadPoolExecutor(2) as pool:
        listed = Path(kept) / "tools.json"
        listed.write_text(json.dumps(tools), "utf-8")
        forms: dict[str, Path] = {}
        for index, name in enumerate(contenders):
            forms[name] = Path(kept) / f"{index}.json"
            forms[name].write_text(json.dumps(convert(name, listed, names)), "utf-8")
        print("| package |", " | ".join(contenders), "|")
        print("| --- |" + " --- |" * len(contenders), flush=True)
        for package in packages:
            sent = pool.map(bind, [forms[name] for name in contenders], repeat(package))
            print(f"| {package} |", " | ".join(cell(each, len(tools)) for each in sent), "|", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    beside = environments.ROOT.parent / "shared" / "corpus"
    parser.add_argument("folder", type=Path, nargs="?", default=os.environ.get("TOOLGRAFT_CORPUS", beside))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--package", action="append", choices=PACKAGES)
    parser.add_argument("--contender", action="append", choices=CONVERTERS)
    parser.add_argument("--convert", choices=CONVERTERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.convert:
        warnings.filterwarnings("ignore")
        logging.disable(logging.CRITICAL)
        command = [sys.executable, str(SERVER), str(options.folder)]
        json.dump(list(CONVERTERS[options.convert].forms(command)), sys.stdout)
        return
    environments.set_up()
    table(Path(options.folder), options.every, options.package or list(PACKAGES), options.contender or list(CONVERTERS))


if __name__ == "__main__":
    main()
