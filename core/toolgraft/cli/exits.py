"""What the exit code of a command says."""

from __future__ import annotations

from enum import IntEnum

from toolgraft.errors import (
    ArgumentsError,
    ConfigError,
    ConnectError,
    MissingExtraError,
    OAuthError,
    PluginError,
    ServersRequiredError,
    ToolgraftError,
    UnknownToolError,
)


class ExitCode(IntEnum):
    """The exit codes; `EXIT_CODES` tells them to people."""

    OK = 0
    FAILED = 1
    USAGE = 2
    UNREACHABLE = 3
    INTERRUPTED = 130


EXIT_CODES = (
    "Exit codes: 0 all went well; 1 a tool failed, or some servers did; 2 the command, a config file or the "
    "installation is wrong; 3 a server that is needed cannot be reached; 130 interrupted."
)

_USAGE = (ArgumentsError, ConfigError, MissingExtraError, PluginError, UnknownToolError)


def exit_code(error: ToolgraftError) -> ExitCode:
    """Give the exit code for an error that ended a command."""
    if isinstance(error, _USAGE):
        return ExitCode.USAGE
    if isinstance(error, ConnectError | OAuthError | ServersRequiredError):
        return ExitCode.UNREACHABLE
    return ExitCode.FAILED
