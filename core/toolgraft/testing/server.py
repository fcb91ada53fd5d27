"""The demo server on the SDK: stdio, or Streamable HTTP on loopback."""

from __future__ import annotations

import json
import socket
import sys
import threading
from typing import Any

import anyio
import mcp_types as wire
import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from toolgraft import __version__
from toolgraft.testing.tools import DEMO_TOOLS, REPORT, REPORT_URI, answer, error, text

_Context = ServerRequestContext[Any]
_INSTRUCTIONS = "A demo server. Its answers are made up, and the same each time."
_NAMES = frozenset(str(tool["name"]) for tool in DEMO_TOOLS)


async def _list_tools(_: _Context, __: wire.PaginatedRequestParams | None) -> wire.ListToolsResult:
    return wire.ListToolsResult(tools=[wire.Tool.model_validate(tool) for tool in DEMO_TOOLS])


async def _call_tool(context: _Context, params: wire.CallToolRequestParams) -> wire.CallToolResult:
    if params.name not in _NAMES:
        raise MCPError(wire.INVALID_PARAMS, f"Unknown tool: {params.name}")
    arguments = dict(params.arguments or {})
    result = await _wait(context, arguments) if params.name == "slow" else answer(params.name, arguments)
    return wire.CallToolResult.model_validate(result)


async def _wait(context: _Context, arguments: dict[str, Any], steps: int = 5) -> dict[str, Any]:
    seconds = arguments.get("seconds")
    if not isinstance(seconds, (int, float)) or not 0 <= seconds <= 600:
        return error("invalid arguments: seconds is a number from 0 to 600")
    for step in range(steps):
        await context.session.report_progress(step, steps, f"step {step + 1} of {steps}")
        await anyio.sleep(seconds / steps)
    return text(f"Waited {seconds:g} s.")


async def _list_resources(_: _Context, __: wire.PaginatedRequestParams | None) -> wire.ListResourcesResult:
    report = wire.Resource(uri=REPORT_URI, name="report.md", title="The whole report", mime_type="text/markdown")
    return wire.ListResourcesResult(resources=[report])


async def _list_templates(_: _Context, __: wire.PaginatedRequestParams | None) -> wire.ListResourceTemplatesResult:
    template = wire.ResourceTemplate(uri_template="demo://report/{year}", name="report of a year")
    return wire.ListResourceTemplatesResult(resource_templates=[template])


async def _read_resource(_: _Context, params: wire.ReadResourceRequestParams) -> wire.ReadResourceResult:
    if not str(params.uri).startswith("demo://report/"):
        raise MCPError(wire.INVALID_PARAMS, f"Resource not found: {params.uri}")
    contents = wire.TextResourceContents(uri=params.uri, mime_type="text/markdown", text=REPORT)
    return wire.ReadResourceResult(contents=[contents])


async def _list_prompts(_: _Context, __: wire.PaginatedRequestParams | None) -> wire.ListPromptsResult:
    topic = wire.PromptArgument(name="topic", description="What to sum up.", required=True)
    prompt = wire.Prompt(name="summarize", description="Sum up a topic.", arguments=[topic])
    return wire.ListPromptsResult(prompts=[prompt])


async def _get_prompt(_: _Context, params: wire.GetPromptRequestParams) -> wire.GetPromptResult:
    if params.name != "summarize":
        raise MCPError(wire.INVALID_PARAMS, f"Unknown prompt: {params.name}")
    sentence = f"Sum up {(params.arguments or {}).get('topic', 'everything')} in one sentence."
    message = wire.PromptMessage(role="user", content=wire.TextContent(text=sentence))
    return wire.GetPromptResult(messages=[message])


def build() -> Server[Any]:
    """Return a new demo server; it speaks both protocol eras on any transport."""
    return Server(
        "toolgraft-demo",
        version=__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
        on_list_resources=_list_resources,
        on_list_resource_templates=_list_templates,
        on_read_resource=_read_resource,
        on_list_prompts=_list_prompts,
        on_get_prompt=_get_prompt,
    )


async def serve_stdio() -> None:
    """Serve over this process's standard input and output until the input ends."""
    server = build()
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


class _Announced(uvicorn.Server):
    """Says on standard output where it listens, once it does."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        host, port = (sockets or [])[0].getsockname()[:2]
        print(json.dumps({"url": f"http://{host}:{port}/mcp"}), flush=True)

    def stop_at_end_of_input(self) -> None:
        """Stop when standard input ends, so that no server outlives the process that started it."""

        def watch() -> None:
            while sys.stdin.buffer.read(4096):
                pass
            self.should_exit = True

        threading.Thread(target=watch, name="end-of-input", daemon=True).start()


async def serve_http(port: int, *, until_end_of_input: bool) -> None:
    """Serve Streamable HTTP on 127.0.0.1; port 0 takes a free one. The first line of output is `{"url": …}`."""
    listener = socket.create_server(("127.0.0.1", port))
    config = uvicorn.Config(
        build().streamable_http_app(host="127.0.0.1"), log_level="warning", timeout_graceful_shutdown=1, lifespan="on"
    )
    server = _Announced(config)
    if until_end_of_input:
        server.stop_at_end_of_input()
    with listener:
        await server.serve(sockets=[listener])
