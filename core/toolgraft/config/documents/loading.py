"""Reads servers from an `mcp.json`, as Claude, Cursor, VS Code and others write it, and from settings of some hosts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from toolgraft.config.documents.inputs import InputSource
from toolgraft.config.documents.loaded import Loaded
from toolgraft.errors import ConfigError


def load(
    source: str | os.PathLike[str] | Mapping[str, Any],
    *,
    inputs: InputSource | None = None,
    environ: Mapping[str, str] | None = None,
    workspace: str | os.PathLike[str] | None = None,
) -> Loaded:
    """Read servers from a config file, or from a dict of the same shape.

    Takes `{"mcpServers": {name: entry}}` (Claude, Cursor, Gemini, Windsurf …), VS Code's `{"servers": …, "inputs": …}`
    and a bare `{name: entry}`, with or without comments and trailing commas; also the settings of VS Code, Zed and
    opencode, and Codex's `config.toml`. `${VAR}`, `${VAR:-default}`, `${env:VAR}`,
    `${input:id}`, `${workspaceFolder}` and `${userHome}` are replaced in command, args, env, envFile, cwd, url and
    headers. Nothing is started or connected.

    Args:
        source: Path of the file, or its content. A string is never run as a command.
        inputs: Values for `${input:id}`: by id, or a function that asks for one. Else the environment variable
            `TOOLGRAFT_INPUT_<ID>` or the declared default is taken.
        environ: Environment variables for `${VAR}`; those of this process by default.
        workspace: The folder of `${workspaceFolder}` and relative paths; by default the file's own, or the one above
            where that is `.vscode` or the like.

    Raises:
        ConfigError: The file or an entry is wrong. It names file, server and field, and lists all faulty entries.
    """
    from toolgraft.config.documents.reading import read  # here, because most programs declare their servers in code

    try:
        return read(source, inputs, os.environ if environ is None else environ, workspace)
    except ConfigError as error:
        raise _without_frames(error) from None


def _without_frames(error: ConfigError) -> ConfigError:
    """Return the error without the frames below, whose variables hold secrets that error reporters print."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)
