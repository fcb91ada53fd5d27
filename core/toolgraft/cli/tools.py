"""`toolgraft tools`: what tools the servers have, and how a model would be given them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from toolgraft.cli.exits import EXIT_CODES, ExitCode
from toolgraft.cli.inventory import ServerEntry, arguments_of, as_json, inventory, json_text, size_of, words_of
from toolgraft.cli.opening import opened
from toolgraft.cli.sources import (
    ConfigArgument,
    HttpOption,
    ServerOption,
    Sources,
    StdioOption,
    TrustOption,
    VerboseOption,
)
from toolgraft.cli.terminal import output, show_logs
from toolgraft.cli.visible import one_line
from toolgraft.config import AnyServer
from toolgraft.spec import Safety
from toolgraft.toolbox import Toolbox

if TYPE_CHECKING:
    from toolgraft.tools.bound import BoundTool

_MOST_ARGUMENTS = 12

_SHORTLY = {
    "safety": "by safety=",
    "repeatable": "by repeatable=",
    "trust": "by a trusted hint",
    "untrusted": "hint not trusted",
    "default": "by default",
}
"""By whom a tool's safety was decided."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("tools", epilog=EXIT_CODES)(_tools)


def _tools(
    config: ConfigArgument = None,
    *,
    server: ServerOption = None,
    stdio: StdioOption = None,
    http: HttpOption = None,
    trust_found: TrustOption = False,
    to_json: Annotated[bool, typer.Option("--json", help="Write JSON, and nothing else, to standard output.")] = False,
    verbose: VerboseOption = False,
) -> None:
    """List the tools of servers as a model gets them.

    Tells names, hints, what a second call would do and who says so, arguments (optional ones with a `?`), strict or
    not, and bytes of schema and description.

    Without servers, the first of mcp.json, .mcp.json, .vscode/mcp.json and .cursor/mcp.json is used, once you have
    agreed to what it would start.
    """
    show_logs(verbose)
    servers = Sources(config, server or (), stdio or (), http or (), trust_found).servers()
    raise typer.Exit(asyncio.run(_list(servers, to_json, verbose)))


async def _list(servers: Sequence[AnyServer], to_json: bool, verbose: bool) -> ExitCode:
    async with opened(servers) as (toolbox, arrivals):
        entries = inventory(toolbox, arrivals)
        if to_json:
            _print_json(entries, toolbox)
        else:
            _print_tables(entries, toolbox, verbose)
    failed = sum(entry.failure is not None for entry in entries)
    if failed == len(entries):
        return ExitCode.UNREACHABLE
    return ExitCode.FAILED if failed else ExitCode.OK


def _print_json(entries: Sequence[ServerEntry], toolbox: Toolbox) -> None:
    print(json_text(as_json(entries, toolbox)))


def _print_tables(entries: Sequence[ServerEntry], toolbox: Toolbox, verbose: bool) -> None:
    console = output()
    for entry in entries:
        if entry.failure is None:
            console.print(_header(entry))
            console.print(_table(entry.tools, verbose) if entry.tools else Padding("no tools", (0, 0, 1, 2)))
    _print_list(console, "Failed servers", [str(entry.failure) for entry in entries if entry.failure])
    refused = [each for entry in entries for each in entry.refused if each.kind != "rule"]
    _print_list(console, "Refused tools", [str(refusal) for refusal in refused])
    _print_list(console, "Renamed tools", [str(each) for entry in entries for each in entry.renamed], "bold")
    warnings = [f"{entry.server.name}: {each}" for entry in entries for each in entry.warnings]
    _print_list(console, "Warnings", warnings, "bold yellow")
    _print_list(console, "Plugins left out", [str(problem) for problem in toolbox.plugin_problems])


def _header(entry: ServerEntry) -> Text:
    reached = entry.reached
    count = f"{len(entry.tools)} tool{'s' * (len(entry.tools) != 1)}"
    size = f"{sum(map(size_of, entry.tools)):,} bytes"
    spoken = f"{entry.server.transport} {reached.version}" if reached else entry.server.transport
    took = f"ready in {reached.seconds:.1f} s" if reached else ""
    told = [one_line(entry.server.target), spoken, count, size, took]
    return Text.assemble(
        (one_line(entry.server.name), "bold cyan"), ("  " + " · ".join(each for each in told if each), "dim")
    )


def _table(tools: Sequence[BoundTool], verbose: bool) -> Group:
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("Tool", no_wrap=True, min_width=12, overflow="ellipsis", ratio=None)
    table.add_column("Title")
    table.add_column("Hints")
    table.add_column("Safety")
    table.add_column("Arguments", ratio=2)
    table.add_column("Strict", ratio=1 if verbose else None)
    table.add_column("Bytes", justify="right")
    for tool in tools:
        strict, size = _strict(tool, verbose), f"{size_of(tool):,}"
        table.add_row(_names(tool), _title(tool), _hints(tool), _safety(tool, verbose), _arguments(tool), strict, size)
    return Group(table)


def _names(tool: BoundTool) -> Text:
    spec = tool.spec
    wire = Text(f"\n{one_line(spec.ref.tool, 64)} on the server", "dim") if spec.ref.tool != spec.name else Text()
    return Text(one_line(spec.name, 64)) + wire


def _title(tool: BoundTool) -> Text:
    spec = tool.spec
    return Text("" if spec.title in (spec.name, spec.ref.tool) else one_line(spec.title, 60))


def _hints(tool: BoundTool) -> Text:
    words = words_of(tool.spec.hints)
    style = {"read-only": "green", "destructive": "red"}.get(words[0], "yellow")
    return Text(", ").join([Text(words[0], style), *map(Text, words[1:])])


def _safety(tool: BoundTool, verbose: bool) -> Text:
    spec = tool.spec
    style = {Safety.READ_ONLY: "green", Safety.IDEMPOTENT: "yellow"}.get(spec.safety, "red")
    why = spec.safety_reason.sentence if verbose else _SHORTLY[spec.safety_reason.by]
    return Text(spec.safety.value.replace("_", " "), style) + Text(f"\n{one_line(why)}", "dim")


def _arguments(tool: BoundTool) -> Text:
    arguments = arguments_of(tool)
    told = [
        Text(one_line(name, 40)) if required else Text(f"{one_line(name, 40)}?", "dim")
        for name, required in list(arguments.items())[:_MOST_ARGUMENTS]
    ]
    if len(arguments) > _MOST_ARGUMENTS:
        told.append(Text(f"and {len(arguments) - _MOST_ARGUMENTS} more", "dim"))
    return Text(", ").join(told)


def _strict(tool: BoundTool, verbose: bool) -> Text:
    if tool.schema.strict is not None:
        return Text("yes", "green")
    reason = tool.schema.reason
    if reason is None or not verbose:
        return Text("no", "yellow")
    return Text(f"no: {one_line(reason.sentence)} ({one_line(reason.pointer or '/')})", "yellow")


def _print_list(console: Console, title: str, lines: Sequence[str], style: str = "bold red") -> None:
    if not lines:
        return
    console.print(Text(title, style))
    for line in lines:
        console.print(Padding(Text(one_line(line, 600)), (0, 0, 0, 2)))
    console.print()
