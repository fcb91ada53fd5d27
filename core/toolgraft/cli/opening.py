"""Opens the servers of a command, with progress on standard error while they start."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from rich.status import Status
from rich.text import Text

from toolgraft.cli.terminal import messages
from toolgraft.cli.visible import one_line
from toolgraft.config import AnyServer
from toolgraft.connection import Connected, Event
from toolgraft.options import Options
from toolgraft.schema import Strictness
from toolgraft.toolbox import Toolbox


@dataclass(slots=True)
class Arrivals:
    """Which servers have been reached.

    Attributes:
        expected: Names of all servers.
        reached: What was told of those that have been reached, by name.
        status: The line on the terminal, or None.
    """

    expected: Sequence[str]
    reached: dict[str, Connected] = field(default_factory=dict[str, Connected])
    status: Status | None = None

    def hear(self, event: Event) -> None:
        """Take note of an event."""
        if isinstance(event, Connected):
            self.reached[event.server] = event
            if self.status is not None:
                self.status.update(self.waiting())

    def waiting(self) -> Text:
        """Say which servers are waited for."""
        missing = [name for name in self.expected if name not in self.reached]
        listed = ", ".join(one_line(name, 40) for name in missing[:4])
        more = f" and {len(missing) - 4} more" if len(missing) > 4 else ""
        return Text(f"starting servers, {len(self.reached)} of {len(self.expected)} ready; waiting for {listed}{more}")


@asynccontextmanager
async def opened(
    servers: Sequence[AnyServer], *, strict: Strictness = "natural", plugins: Sequence[object] = ()
) -> AsyncGenerator[tuple[Toolbox, Arrivals]]:
    """Open the servers and close them again.

    Raises:
        ServersRequiredError: A required server failed. Others that failed are on the toolbox.
    """
    arrivals = Arrivals([server.name for server in servers])
    toolbox = Toolbox(servers, Options(strict=strict, plugins=plugins, on_event=arrivals.hear))
    try:
        with progress(arrivals.waiting()) as arrivals.status:
            await toolbox.__aenter__()
        arrivals.status = None
        yield toolbox, arrivals
    finally:
        await toolbox.close()


@contextmanager
def progress(text: Text) -> Generator[Status | None]:
    """Show what is waited for, where there is a person at a terminal."""
    console = messages()
    if not console.is_terminal:
        yield None
        return
    with console.status(text) as status:
        yield status
