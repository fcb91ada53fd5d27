"""Programs that fetch a server before they start it, which takes as long as the network takes."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from toolgraft.config.servers import Server

_FETCHES: Final = {
    **dict.fromkeys(("npx", "npm", "pnpx", "pnpm", "yarn", "bunx", "bun", "uvx", "uv", "pipx", "deno"), "installing"),
    **dict.fromkeys(("docker", "podman", "nerdctl"), "pulling"),
}

SLOW: Final = 5.0
"""Seconds without a handshake after which it is said that something may still be fetched."""


def fetching(config: Server) -> str:
    """What may keep the start of a server, e.g. `npx may still be installing it`; empty for other commands."""
    command = getattr(config, "command", "")
    name = PurePath(command.replace("\\", "/")).name.lower()
    for ending in (".exe", ".cmd", ".bat"):
        name = name.removesuffix(ending)
    return f"{name} may still be {_FETCHES[name]} it" if name in _FETCHES else ""
