"""What the scripted model of `toolgraft demo` calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from toolgraft.errors import ArgumentsError, ConfigError
from toolgraft.schema import parse
from toolgraft.toolbox import Toolbox

if TYPE_CHECKING:
    from toolgraft.tools.bound import BoundTool

_BUNDLED: Final[Sequence[tuple[str, Mapping[str, Any]]]] = (
    ("greet", {"name": "Zoë"}),
    ("weather", {"city": "Zürich"}),
    ("picture", {"color": "blue", "size": 64}),
    ("fail", {"reason": "out of paper"}),
)
_FAILS: Final = "fail"
_MOST: Final = 6
"""How many tools of one server are called unasked."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One call of the script.

    Attributes:
        tool: The tool.
        arguments: In the form that the server documents.
        fails: Whether the tool is there to fail.
    """

    tool: BoundTool
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    fails: bool = False

    @property
    def asked(self) -> tuple[str, Mapping[str, Any]]:
        """Public name and arguments, in the form that the model is given."""
        return self.tool.spec.name, self.tool.schema.codec.encode(dict(self.arguments))


@dataclass(frozen=True, slots=True)
class Script:
    """What is called, and what is not.

    Attributes:
        calls: The calls, in order.
        left_out: Tools that are not called, by the reason.
    """

    calls: Sequence[Planned]
    left_out: Mapping[str, Sequence[BoundTool]] = field(default_factory=dict[str, "Sequence[BoundTool]"])


def bundled_script(toolbox: Toolbox) -> Script:
    """Call each kind of tool that the bundled server has, on every server."""
    served = {(tool.spec.ref.server, tool.spec.ref.tool): tool for tool in toolbox.tools}
    calls = [
        Planned(served[server, name], arguments, fails=name == _FAILS)
        for server in toolbox.servers
        for name, arguments in _BUNDLED
        if (server, name) in served
    ]
    return Script(calls)


def harmless_script(toolbox: Toolbox, asked: Sequence[str]) -> Script:
    """Call what only reads and needs no arguments, and what a person asks for; nothing else.

    Args:
        toolbox: Servers of somebody else.
        asked: Values of `--call`: `TOOL`, or `TOOL={"argument": "value"}`.

    Raises:
        ConfigError: The arguments of one are no JSON object.
        UnknownToolError: One is not served.
    """
    calls = [_asked(toolbox, value) for value in asked]
    wanted = {planned.tool.spec.ref for planned in calls}
    left_out: dict[str, list[BoundTool]] = {}
    unasked: dict[str, int] = {}
    for tool in toolbox.tools:
        reason = _reason_not_to(tool, unasked.get(tool.spec.ref.server, 0))
        if tool.spec.ref in wanted:
            continue
        if reason:
            left_out.setdefault(reason, []).append(tool)
        else:
            unasked[tool.spec.ref.server] = unasked.get(tool.spec.ref.server, 0) + 1
            calls.append(Planned(tool))
    return Script(calls, left_out)


def asked_script(toolbox: Toolbox, asked: Sequence[str]) -> Script:
    """Call what a person asks for, and nothing else. Raises as `harmless_script` does."""
    return Script([_asked(toolbox, value) for value in asked])


def _reason_not_to(tool: BoundTool, already: int) -> str:
    if not tool.spec.hints.filled.read_only:
        return "may have side effects"
    if tool.schema.plain.get("required"):
        return "needs arguments"
    return f"{_MOST} tools of its server are called already" if already >= _MOST else ""


def _asked(toolbox: Toolbox, value: str) -> Planned:
    name, _, text = value.partition("=")
    try:
        arguments = parse(text)
    except ArgumentsError as error:
        raise ConfigError("; ".join(error.problems).removeprefix("/: "), where=f"--call {name}") from None
    return Planned(toolbox.find(name.strip()), arguments)
