"""What all servers of a toolbox offer of one kind, and what could not be had."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from toolgraft.errors import ToolgraftError

T = TypeVar("T")


class Offered(list[T], Generic[T]):
    """Prompts or resources, in the order of the servers.

    Attributes:
        failures: Server name to the error that kept its list from being read; the others' are here.
        refused: One sentence for each member of a list that is left out, with the server's name.
    """

    def __init__(
        self,
        offered: Iterable[T] = (),
        failures: Mapping[str, ToolgraftError] | None = None,
        refused: Iterable[str] = (),
    ) -> None:
        super().__init__(offered)
        self.failures: Mapping[str, ToolgraftError] = dict(failures or {})
        self.refused = tuple(refused)
