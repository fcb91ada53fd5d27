"""The command `toolgraft`: try servers out, look at their tools, call one. It needs the extra `cli`."""

from __future__ import annotations

import sys

from toolgraft.errors import MissingExtraError

__all__ = ["main"]

_EXTRA = ("typer", "rich", "platformdirs")


def main() -> None:
    """Run the command line and end the process with its exit code."""
    try:
        _run()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def _run() -> None:
    try:
        from toolgraft.cli.app import run
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in _EXTRA:
            raise
        print(f"error: the command line needs more packages: {MissingExtraError('cli')}", file=sys.stderr)
        raise SystemExit(2) from None
    run()
