"""What is done to a server's list of tools before it is served: pure functions from list to list, a file each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from toolgraft.spec import ToolSpec

Policy: TypeAlias = Callable[[Sequence[ToolSpec]], Sequence[ToolSpec]]
"""Takes all tools of one server and returns those to serve, changed by `dataclasses.replace` or left out."""

__all__ = ["Policy"]
