"""The table of what happened in a rehearsal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolgraft.cli.opening import Arrivals, transport_name
from toolgraft.cli.rehearsal import Played, Rehearsal
from toolgraft.cli.script import Script
from toolgraft.cli.visible import one_line
from toolgraft.config import Server
from toolgraft.toolbox import Toolbox

_SNIPPET = 120


def print_played(console: Console, played: Sequence[Played], arrivals: Arrivals) -> None:
    """Print the calls of all frameworks."""
    if not played:
        return
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("Framework", style="bold cyan", no_wrap=True)
    table.add_column("Server")
    table.add_column("Tool")
    table.add_column("Arguments", ratio=2)
    table.add_column("The model saw", ratio=4)
    table.add_column("", no_wrap=True)
    table.add_column("Time", justify="right", no_wrap=True)
    for (framework, server), calls in groupby(played, lambda each: (each.framework, _server_of(each))):
        first = True
        for call in calls:
            table.add_row(
                Text(one_line(framework, 40) if first else ""),
                _server(call.planned.tool.server, server, arrivals) if first else Text(),
                Text(one_line(call.planned.tool.spec.ref.tool, 40)),
                Text(one_line(json.dumps(dict(call.step.arguments), ensure_ascii=False), 80)),
                _seen(call),
                _outcome(call),
                Text(f"{call.record.seconds * 1000:.0f} ms" if call.record else "not sent"),
            )
            first = False
        table.add_section()
    console.print(table)


def print_left_out(console: Console, script: Script) -> None:
    """Print which tools were not called, and why."""
    for reason, tools in script.left_out.items():
        names = ", ".join(one_line(tool.spec.name, 64) for tool in tools)
        console.print(Text(f"Not called, {reason}: {names}", "dim"))
    if script.left_out:
        console.print(Text('To call one: --call \'TOOL={"argument": "value"}\'', "dim"))


def print_summary(console: Console, rehearsal: Rehearsal, toolbox: Toolbox) -> None:
    """Print one line on the whole."""
    played = rehearsal.played
    frameworks = list(dict.fromkeys(each.framework for each in played))
    pictures = sum(len(each.step.images) for each in played)
    structured = sum(each.record is not None and each.record.structured for each in played)
    failed = sum(each.step.is_error for each in played)
    told = [f"{pictures} with a picture", f"{structured} with structured results", f"{failed} failed"]
    told += [f"{meant} of them on purpose"] if (meant := sum(each.planned.fails for each in played)) else []
    console.print(
        Text(
            f"{len(toolbox.tools)} tools of {len(toolbox.servers)} servers; {len(played)} calls in "
            f"{' and '.join(frameworks) or 'no framework'}: {', '.join(told)}."
        )
    )


def _server_of(played: Played) -> str:
    return played.planned.tool.spec.ref.server


def _server(server: Server, name: str, arrivals: Arrivals) -> Text:
    reached = arrivals.reached.get(name)
    version = f" {reached.version}" if reached else ""
    return Text(one_line(name, 40)) + Text(f"\n{transport_name(server)}{version}", "dim")


def _seen(played: Played) -> Text:
    step = played.step
    seen = Text(one_line(step.text, _SNIPPET))
    for image in step.images:
        seen.append(f" [{one_line(image, 40)}]", "magenta")
    if played.record is not None and played.record.structured:
        seen.append(" [structured]", "blue")
    return seen


def _outcome(played: Played) -> Text:
    word = "error" if played.step.is_error else "ok"
    if not played.as_planned:
        return Text(word if played.step.is_error else "no error", "bold red")
    return Text(word, "yellow" if played.step.is_error else "green")
