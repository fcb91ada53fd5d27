"""`toolgraft call`: call one tool and see what a model would see."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from toolgraft.cli.exits import EXIT_CODES, ExitCode
from toolgraft.cli.opening import opened
from toolgraft.cli.saving import save_media
from toolgraft.cli.sources import HttpOption, ServerOption, Sources, StdioOption, TrustOption, VerboseOption
from toolgraft.cli.terminal import complain, output, remark, show_logs
from toolgraft.cli.visible import one_line, visible
from toolgraft.cli.words import read_arguments
from toolgraft.config import AnyServer
from toolgraft.errors import UnknownToolError
from toolgraft.result import Text, ToolResult
from toolgraft.shown import for_model
from toolgraft.toolbox import Toolbox


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("call", epilog=EXIT_CODES)(_call)


def _call(
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="SERVER.TOOL, or the tool's public name.")],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY=VALUE", help="Its arguments; the tool's schema says what each value is."),
    ] = None,
    *,
    json: Annotated[
        str | None, typer.Option("--json", metavar="OBJECT", help="Its arguments as a JSON object.")
    ] = None,
    config: Annotated[Path | None, typer.Option("--config", metavar="PATH", help="An mcp.json.")] = None,
    server: ServerOption = None,
    stdio: StdioOption = None,
    http: HttpOption = None,
    trust_found: TrustOption = False,
    timeout: Annotated[float | None, typer.Option(metavar="SECONDS", min=0.001, help="Limit of this call.")] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where pictures, sounds and files are saved.")] = Path(),
    verbose: VerboseOption = False,
) -> None:
    """Call a tool and see what a model would see.

    Pictures, sounds and files are saved, and their paths printed.

    Without servers, the first of mcp.json, .mcp.json, .vscode/mcp.json and .cursor/mcp.json is used, once you have
    agreed to what it would start.
    """
    show_logs(verbose)
    arguments = read_arguments(words or (), json)
    servers = Sources(config, server or (), stdio or (), http or (), trust_found).servers()
    result = asyncio.run(_result(_needed(servers, tool), tool, arguments, timeout))
    _show(result, out, tool)
    raise typer.Exit(ExitCode.FAILED if result.is_error else ExitCode.OK)


def _needed(servers: Sequence[AnyServer], tool: str) -> list[AnyServer]:
    """Choose the servers to start: the one that the tool's name begins with, else all."""
    return [server for server in servers if tool.startswith(f"{server.name}.")] or list(servers)


async def _result(
    servers: Sequence[AnyServer], tool: str, arguments: Mapping[str, Any], timeout: float | None
) -> ToolResult:
    # Not strict: what a person writes has the shape that the server documents, not the one a model is given.
    async with opened(servers, strict=False) as (toolbox, _):
        bound = _found(toolbox, tool)
        return await toolbox.call(bound, arguments, timeout=timeout)


def _found(toolbox: Toolbox, tool: str) -> str:
    try:
        return str(toolbox.find(tool).spec.ref)
    except UnknownToolError as unknown:
        if not toolbox.failures:
            raise
        for failure in toolbox.failures.values():
            complain(str(failure))
        if toolbox.tools:
            complain(str(unknown))
        raise typer.Exit(ExitCode.UNREACHABLE) from None


def _show(result: ToolResult, folder: Path, tool: str) -> None:
    console = output()
    shown = for_model(result, whole_at="the server's answer")
    for part in shown.parts:
        if isinstance(part, Text):
            console.out(visible(part.text), highlight=False)
    for media, path in save_media(result, folder, tool):
        console.out(f"{path} ({one_line(media.mime_type, 60)}, {path.stat().st_size:,} bytes)", highlight=False)
    for warning in result.warnings:
        remark(f"warning: {warning}")
