"""`toolgraft demo`: one scripted turn of each agent framework, with real servers and real calls."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Annotated, Any

import typer
from rich.text import Text

from toolgraft.adapter import Adapter
from toolgraft.cli.approving import BUNDLED, person, show_approvals
from toolgraft.cli.exits import EXIT_CODES, ExitCode
from toolgraft.cli.opening import opened, progress
from toolgraft.cli.recorder import Recorder
from toolgraft.cli.report import print_calls, print_left_out, print_summary
from toolgraft.cli.script import bundled_script, harmless_script
from toolgraft.cli.sources import ConfigArgument, HttpOption, ServerOption, Sources, StdioOption, VerboseOption
from toolgraft.cli.terminal import complain, output, remark, show_logs
from toolgraft.cli.turns import Turns, find_adapters, run_turns
from toolgraft.config import AnyServer
from toolgraft.errors import ConfigError
from toolgraft.testing import demo_http, demo_stdio
from toolgraft.toolbox import Toolbox


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo", epilog=EXIT_CODES)(_demo)


def _demo(
    config: ConfigArgument = None,
    *,
    server: ServerOption = None,
    stdio: StdioOption = None,
    http: HttpOption = None,
    call: Annotated[
        list[str] | None,
        typer.Option(
            "--call",
            metavar="TOOL[=OBJECT]",
            help="Call this tool too, with a JSON object as its arguments. May be repeated. Only for servers of yours.",
            show_default=False,
        ),
    ] = None,
    approve: Annotated[
        bool, typer.Option("--approve", help="Show a call that waits for a person's yes, in each framework.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --approve: answer yes. Without it, you are asked.")] = False,
    verbose: VerboseOption = False,
) -> None:
    """Run one turn of each agent framework with real servers.

    The model is a script, so that no key and no network are needed. Without servers the bundled demo server is
    run, over stdio and over Streamable HTTP. Of your own servers only tools are called that say they only read and
    need no arguments, unless you name others by --call. With --approve, what is called is the bundled server's
    notes_delete, or what you name by --call.
    """
    show_logs(verbose)
    sources = Sources(config, server or (), stdio or (), http or ())
    if call and not sources.given:
        raise ConfigError("it needs servers of yours: a config file, --stdio, --http or --server", where="--call")
    if yes and not approve:
        raise ConfigError("it answers what --approve asks, which is not given", where="--yes")
    if approve:
        raise typer.Exit(_approvals(sources, call or (), yes=yes))
    with ExitStack() as stack:
        servers = sources.servers() if sources.given else None
        # The frameworks take seconds to import; meanwhile the demo server starts.
        with ThreadPoolExecutor(1) as pool, progress(Text("loading agent frameworks")):
            http_server = pool.submit(stack.enter_context, demo_http()) if servers is None else None
            adapters, broken = _adapters()
        bundled: list[AnyServer] = [demo_stdio(), http_server.result()] if http_server else []
        code = asyncio.run(_perform(servers or bundled, adapters, None if http_server else call or ()))
    raise typer.Exit(ExitCode.FAILED if broken and code is ExitCode.OK else code)


def _approvals(sources: Sources, call: Sequence[str], *, yes: bool) -> ExitCode:
    if sources.given and not call:
        raise ConfigError("name what is to be called of servers of yours, by --call", where="--approve")
    servers = sources.servers() if sources.given else [demo_stdio()]
    with progress(Text("loading agent frameworks")):
        adapters, broken = _adapters()
    code = asyncio.run(show_approvals(servers, adapters, call or BUNDLED, person(yes=yes)))
    return ExitCode.FAILED if broken and code is ExitCode.OK else code


def _adapters() -> tuple[Mapping[str, Adapter[Any]], bool]:
    """Load the adapters, and tell which are left out; whether one is broken comes second."""
    adapters, missing, broken = find_adapters()
    for name, command in missing.items():
        remark(f"{name} is left out: {command}")
    for reason in broken.values():
        complain(reason)
    if not adapters:
        complain("no agent framework is installed: pip install 'toolgraft[all]'")
        raise typer.Exit(ExitCode.USAGE)
    return adapters, bool(broken)


async def _perform(
    servers: Sequence[AnyServer], adapters: Mapping[str, Adapter[Any]], call: Sequence[str] | None
) -> ExitCode:
    """Open the servers and run the turns; the bundled script where `call` is None."""
    recorder = Recorder()
    async with opened(servers, plugins=[recorder]) as (toolbox, arrivals):
        for failure in toolbox.failures.values():
            complain(str(failure))
        if not arrivals.reached:
            return ExitCode.UNREACHABLE
        script = bundled_script(toolbox) if call is None else harmless_script(toolbox, call)
        with progress(Text("running one turn of each framework")):
            turns = await run_turns(toolbox, adapters, script, recorder)
        console = output()
        print_calls(console, turns.calls, arrivals)
        print_left_out(console, script, toolbox)
        print_summary(console, turns, toolbox)
        return _judged(turns, toolbox)


def _judged(turns: Turns, toolbox: Toolbox) -> ExitCode:
    for name, command in turns.missing.items():
        remark(f"{name} is left out: {command}")
    for name, reason in turns.broken.items():
        complain(f"the turn of {name} did not end well: {reason}")
    if turns.missing and not turns.calls and not turns.broken:
        return ExitCode.USAGE
    well = all(call.as_planned for call in turns.calls)
    return ExitCode.OK if well and not turns.broken and not toolbox.failures else ExitCode.FAILED
