"""`${…}` in a config file: environment variables, editor variables, and inputs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolgraft.config.documents.fields import printable
from toolgraft.config.documents.inputs import Inputs
from toolgraft.errors import ConfigError

_REFERENCE = re.compile(r"(\$)?\$\{([^}]*)(\})?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_()]*\Z")
_EDITOR_FOLDERS = (".vscode", ".cursor", ".claude", ".gemini", ".copilot")


@dataclass(frozen=True, repr=False)
class Scope:
    """What a reference can stand for.

    `${VAR}` and `${env:VAR}` are environment variables; `${VAR:-default}` has a default for one that is unset or
    empty. `${input:id}` is asked for. `${workspaceFolder}`, `${workspaceFolderBasename}`, `${userHome}`,
    `${pathSeparator}` and `${/}` are what editors know. `$${` is a plain `${`. Values are not expanded again.

    Attributes:
        environ: Environment variables.
        inputs: Where `${input:id}` comes from.
        folder: Gives the folder that relative paths and `${workspaceFolder}` mean. It is asked only where one of them
            stands, because to look for it may block.
    """

    environ: Mapping[str, str]
    inputs: Inputs
    folder: Callable[[], Path]

    @property
    def workspace(self) -> Path:
        """The folder that relative paths and `${workspaceFolder}` mean."""
        return self.folder()

    def expand(self, text: str, where: str) -> str:
        """Return `text` with its references replaced.

        Args:
            text: The value as written.
            where: File, server and field, for errors.

        Raises:
            ConfigError: A variable is not set, an input has no value, or a reference is not understood.
        """

        def value(found: re.Match[str]) -> str:
            escaped, reference, closed = found.groups()
            if escaped:
                return found[0][1:]
            if not closed or "${" in reference:
                raise ConfigError("a '${' is not closed, or stands within another; '$${' is a plain '${'", where=where)
            return self._value(reference, where)

        return _REFERENCE.sub(value, text)

    def path(self, text: str) -> Path:
        """Return a path of the file as an absolute one; `~` is the home folder."""
        path = Path(text).expanduser()
        return path if path.is_absolute() else self.workspace / path

    def _value(self, reference: str, where: str) -> str:
        known = _EDITOR.get(reference)
        if known is not None:
            return known(self)
        kind, colon, rest = reference.partition(":")
        if kind == "input" and colon:
            return self.inputs.value(rest, where)
        if kind == "env" and colon:
            reference = rest
        name, has_default, default = reference.partition(":-")
        if not _NAME.match(name):
            raise ConfigError(f"'${{{printable(reference)}}}' is no reference that is known here; {_HINT}", where=where)
        value = self.environ.get(name)
        if has_default:
            return value or default
        if value is None:
            remedy = f"set it, or give a default: ${{{name}:-…}}"
            raise ConfigError(f"environment variable {name} is not set; {remedy}", where=where)
        return value


_HINT = (
    "write ${VAR}, ${VAR:-default}, ${env:VAR}, ${input:id}, ${workspaceFolder} or ${userHome}, '$${' for a plain '${'"
)
_EDITOR: Mapping[str, Callable[[Scope], str]] = {
    "workspaceFolder": lambda scope: str(scope.workspace),
    "workspaceFolderBasename": lambda scope: scope.workspace.name,
    "userHome": lambda scope: str(Path.home()),
    "pathSeparator": lambda scope: os.sep,
    "/": lambda scope: os.sep,
}


def workspace_of(file: Path | None) -> Path:
    """Return the folder that a config file speaks of: its own, the one above an editor's, or where we are."""
    if file is None:
        return Path.cwd()
    folder = file.absolute().parent
    return folder.parent if folder.name in _EDITOR_FOLDERS else folder
