"""Reports what happened in the scripted turns: a table of the calls, and a line on the whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolgraft.cli.opening import Arrivals
from toolgraft.cli.script import Script
from toolgraft.cli.turns import Called, Turns
from toolgraft.cli.visible import one_line
from toolgraft.toolbox import Toolbox

_SNIPPET = 120


def print_calls(console: Console, called: Sequence[Called], arrivals: Arrivals) -> None:
    """Print the calls of all frameworks."""
    if not called:
        return
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("Agent, server", no_wrap=True)
    table.add_column("Tool", max_width=30)
    table.add_column("Arguments", max_width=36)
    table.add_column("The model saw", max_width=60)
    table.add_column("", no_wrap=True)
    table.add_column("Time", justify="right", no_wrap=True)
    for (framework, _), group in groupby(called, lambda each: (each.framework, _server_of(each))):
        calls = list(group)
        for label, call in zip(_labels(framework, calls, arrivals), calls, strict=True):
            table.add_row(
                label,
                Text(one_line(call.planned.tool.spec.ref.tool, 64)),
                Text(one_line(_arguments(call), 100)),
                _seen(call),
                _outcome(call),
                Text(f"{call.record.seconds * 1000:,.0f} ms" if call.record else "not sent"),
            )
        table.add_section()
    console.print(table)


def print_left_out(console: Console, script: Script, toolbox: Toolbox) -> None:
    """Print which tools were not called, and why."""
    for refusal in (each for each in toolbox.refused if each.kind != "rule"):
        console.print(Text(f"Not served: {one_line(str(refusal), 600)}", "dim"))
    for reason, tools in script.left_out.items():
        names = ", ".join(one_line(tool.spec.name, 64) for tool in tools)
        console.print(Text(f"Not called, {reason}: {names}", "dim"))
    if script.left_out:
        console.print(Text('To call one: --call \'TOOL={"argument": "value"}\'', "dim"))


def print_summary(console: Console, turns: Turns, toolbox: Toolbox) -> None:
    """Print one line on the whole."""
    called = turns.calls
    servers = f"{len(toolbox.tools)} tools of {_counted(len(toolbox.servers), 'server')}"
    if not called:
        console.print(Text(f"{servers}; none was called."))
        return
    frameworks = dict.fromkeys(each.framework for each in called)
    pictures = sum(bool(each.step.images) for each in called)
    structured = sum(each.record is not None and each.record.structured for each in called)
    failed = sum(each.step.is_error for each in called)
    meant = sum(each.planned.fails and each.step.is_error for each in called)
    told = [f"{pictures} with a picture", f"{structured} with structured results"]
    told.append(f"{failed} failed, {meant} of them on purpose" if meant else f"{failed} failed")
    calls = f"{_counted(len(called), 'call')} in {' and '.join(frameworks)}"
    console.print(Text(f"{servers}; {calls}: {', '.join(told)}."))


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _server_of(called: Called) -> str:
    return called.planned.tool.spec.ref.server


def _labels(framework: str, calls: Sequence[Called], arrivals: Arrivals) -> list[Text]:
    """Lay the name of framework, server and transport along the rows of its calls; what is left goes to the last."""
    server = calls[0].planned.tool.server
    reached = arrivals.reached.get(server.name)
    lines = [
        Text(one_line(framework, 40), "bold cyan"),
        Text(one_line(server.name, 40)),
        Text(f"{server.transport} {reached.version if reached else ''}", "dim"),
    ]
    labels = [lines[at] if at < len(lines) else Text() for at in range(len(calls))]
    labels[-1] = Text("\n").join([labels[-1], *lines[len(calls) :]])
    return labels


def _arguments(called: Called) -> str:
    """Say what the model sent, as `name=value`."""
    sent = called.step.arguments.items()
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in sent)


def _seen(called: Called) -> Text:
    step = called.step
    seen = Text(one_line(step.text, _SNIPPET))
    for image in step.images:
        seen.append(f" [{one_line(image, 40)}]", "magenta")
    if called.record is not None and called.record.structured:
        seen.append(" [structured]", "blue")
    return seen


def _outcome(called: Called) -> Text:
    word = "error" if called.step.is_error else "ok"
    if not called.as_planned:
        return Text(word if called.step.is_error else "no error", "bold red")
    return Text(word, "yellow" if called.step.is_error else "green")
