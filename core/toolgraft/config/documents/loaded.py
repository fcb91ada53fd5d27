"""What a config file holds, once it is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolgraft.config.servers import AnyServer


@dataclass(frozen=True)
class Loaded:
    """What a config holds. Iterating gives the servers.

    Attributes:
        servers: The servers, in the file's order.
        disabled: Names of those that are switched off.
        warnings: What had no effect or was doubtful, a sentence each; they were logged too.
    """

    servers: tuple[AnyServer, ...]
    disabled: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[AnyServer]:
        return iter(self.servers)

    def __len__(self) -> int:
        return len(self.servers)
