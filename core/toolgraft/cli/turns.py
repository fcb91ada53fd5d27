"""One scripted turn of each agent framework that is installed, with the tools of a toolbox."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolgraft.cli.recorder import Record, Recorder
from toolgraft.cli.script import Planned, Script
from toolgraft.errors import MissingExtraError, PluginError
from toolgraft.plugins.discovery import adapter_names, load_adapter, load_scripted
from toolgraft.toolbox import Toolbox
from toolgraft.tools.framework import Adapter
from toolgraft.tools.scripted import Step

_log = logging.getLogger("toolgraft.cli")


@dataclass(frozen=True, slots=True)
class Called:
    """One call of a scripted turn, as it went.

    Attributes:
        framework: Name of the framework's adapter.
        planned: What was to be called.
        step: What the framework made of it.
        record: The call on the wire; None where the server was not called.
    """

    framework: str
    planned: Planned
    step: Step
    record: Record | None

    @property
    def as_planned(self) -> bool:
        """Whether it failed only if it was meant to."""
        return self.step.is_error == self.planned.fails


@dataclass(frozen=True, slots=True)
class Turns:
    """What came of the turns.

    Attributes:
        calls: The calls of all frameworks.
        missing: By framework: what has to be installed for it.
        broken: By framework: how its turn ended instead.
    """

    calls: Sequence[Called]
    missing: dict[str, str]
    broken: dict[str, str]


def find_adapters() -> tuple[dict[str, Adapter[Any]], dict[str, str], dict[str, str]]:
    """Load the registered adapters.

    Returns:
        Adapters by name; what has to be installed for others; what is wrong with others.
    """
    adapters: dict[str, Adapter[Any]] = {}
    missing: dict[str, str] = {}
    broken: dict[str, str] = {}
    for name in adapter_names():
        try:
            adapters[name] = load_adapter(name)
        except MissingExtraError as error:
            missing[name] = str(error)
        except PluginError as error:
            broken[name] = str(error)
    return adapters, missing, broken


async def run_turns(
    toolbox: Toolbox, adapters: Mapping[str, Adapter[Any]], script: Script, recorder: Recorder
) -> Turns:
    """Have each framework carry out the script, one after the other."""
    calls: list[Called] = []
    missing: dict[str, str] = {}
    broken: dict[str, str] = {}
    for name, adapter in adapters.items() if script.calls else ():
        recorder.records.clear()
        tools = [adapter.to_tool(tool) for tool in toolbox.tools]
        try:
            steps = await load_scripted(name)(tools, [planned.asked for planned in script.calls])
        except MissingExtraError as error:
            missing[name] = str(error)
        except Exception as error:  # a framework's own; the others go on
            _log.debug("the turn of %s ended", name, exc_info=error)
            broken[name] = f"{type(error).__name__}: {error}"
        else:
            calls += [
                Called(name, planned, step, recorder.take(planned.tool.spec.ref))
                for planned, step in zip(script.calls, steps, strict=True)
            ]
    return Turns(calls, missing, broken)
