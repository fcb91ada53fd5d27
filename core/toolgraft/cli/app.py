"""The commands, put together."""

from __future__ import annotations

import logging
from typing import Annotated

import typer

from toolgraft import __version__
from toolgraft.cli import call, check, demo, signing_in, tools
from toolgraft.cli.exits import EXIT_CODES, ExitCode, exit_code
from toolgraft.cli.terminal import complain, prepare_streams
from toolgraft.errors import ToolgraftError

_log = logging.getLogger("toolgraft.cli")


def make_app() -> typer.Typer:
    """Return the application with all its commands."""
    app = typer.Typer(
        name="toolgraft",
        help="MCP servers for the agent you already have.",
        epilog=EXIT_CODES,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_toolgraft)
    for command in (demo, tools, call, check, signing_in):
        command.register(app)
    return app


def run() -> None:
    """Run the command line; errors become one message and an exit code, never a traceback."""
    prepare_streams()
    try:
        make_app()(prog_name="toolgraft")
    except ToolgraftError as error:
        _log.debug("ended by an error", exc_info=error)
        complain(str(error))
        raise SystemExit(exit_code(error)) from None
    except Exception as error:
        _log.debug("ended by a defect", exc_info=error)
        complain(f"unexpected {type(error).__name__}: {error}; --verbose shows where. This is a defect of toolgraft.")
        raise SystemExit(ExitCode.FAILED) from None


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"toolgraft {__version__}")
        raise typer.Exit


def _toolgraft(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass
