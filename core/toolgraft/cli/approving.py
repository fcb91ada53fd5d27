"""`toolgraft demo --approve`: a call that waits for a person's yes, in each agent framework that can pause a run."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import anyio.to_thread
from rich.console import Console
from rich.text import Text

from toolgraft.cli.exits import ExitCode
from toolgraft.cli.opening import progress
from toolgraft.cli.script import asked_script
from toolgraft.cli.terminal import complain, output, remark
from toolgraft.cli.visible import one_line
from toolgraft.config import AnyServer
from toolgraft.errors import MissingExtraError, ToolgraftError
from toolgraft.options import Options
from toolgraft.plugins.discovery import load_approved
from toolgraft.toolbox import Toolbox
from toolgraft.tools.framework import Adapter, Approving, Steering
from toolgraft.tools.scripted import Step

Person: TypeAlias = Literal["yes", "terminal", "nobody"]
"""Who answers: the flag, a person at the terminal, or nobody, which is a no."""

BUNDLED: Final = ('notes_delete={"id": 7}',)
"""What is called of the bundled server, in the form of `--call`."""

NOBODY: Final = "there is no terminal to ask at, so the answer is no; --yes answers yes"


def person(*, yes: bool) -> Person:
    """Tell who is there to answer."""
    if yes:
        return "yes"
    return "terminal" if sys.stdin.isatty() and sys.stderr.isatty() else "nobody"


@dataclass(frozen=True, slots=True)
class Asking:
    """Prints each question, and gets its answer."""

    console: Console
    framework: str
    person: Person

    async def __call__(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Ask whether a call may go."""
        shown = f"{one_line(tool, 64)} with {one_line(json.dumps(arguments, ensure_ascii=False), 400)}"
        self.console.print(Text(f"{self.framework} has paused and asks: may the model call {shown}?"))
        if self.person == "terminal":
            answer = await anyio.to_thread.run_sync(_typed)
        else:
            answer = self.person == "yes"
            self.console.print(Text("  yes (--yes)" if answer else f"  no: {NOBODY}"))
        return answer


def _typed() -> bool:
    print("  [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


async def show_approvals(
    servers: Sequence[AnyServer], adapters: Mapping[str, Adapter[Any]], calls: Sequence[str], who: Person
) -> ExitCode:
    """Have each framework make the calls, every one of which waits for a yes.

    Args:
        servers: The servers.
        adapters: By name.
        calls: As of `--call`.
        who: Who answers.
    """
    console, code = output(), ExitCode.OK
    for name, adapter in adapters.items():
        if not isinstance(adapter, Approving):
            remark(f"{name} is left out: its adapter knows no way to pause a run")
            continue
        steers = adapter.steers if isinstance(adapter, Steering) else None
        options = Options(approve="always", approver=adapter.approver, control_flow=steers, discover_plugins=False)
        toolbox = Toolbox(servers, options)
        try:
            with progress(Text("starting servers")):
                await toolbox.__aenter__()
            if toolbox.failures:
                for failure in toolbox.failures.values():
                    complain(str(failure))
                return ExitCode.UNREACHABLE
            if not await _shown(console, name, adapter, toolbox, calls, who):
                code = ExitCode.FAILED
        finally:
            await toolbox.close()
    return code


async def _shown(
    console: Console, name: str, adapter: Adapter[Any], toolbox: Toolbox, calls: Sequence[str], who: Person
) -> bool:
    """Show the calls of one framework; whether all went as they were answered."""
    planned = asked_script(toolbox, calls).calls
    tools = [adapter.to_tool(tool) for tool in toolbox.tools]
    try:
        steps = await load_approved(name)(tools, [each.asked for each in planned], Asking(console, name, who))
    except MissingExtraError as error:
        remark(f"{name} is left out: {error}")
        return True
    except ToolgraftError as error:
        complain(f"{name}: {error}")
        return False
    for step in steps:
        console.print(Text(f"  {name}: the model was told: {_told(step)}"))
    return who != "yes" or not any(step.is_error for step in steps)


def _told(step: Step) -> str:
    return one_line(step.text, 300)
