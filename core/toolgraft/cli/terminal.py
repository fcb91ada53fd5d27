"""Standard output for results, standard error for everything else; nothing in either is read as markup."""

from __future__ import annotations

import logging
import os
import sys
from io import TextIOWrapper

from rich.console import Console
from rich.text import Text

from toolgraft.cli.visible import visible
from toolgraft.errors import ToolgraftError
from toolgraft.plugins import PluginProblem
from toolgraft.spec import Refusal

_WIDE = 120


def prepare_streams() -> None:
    """See to it that no character of a server can end the program where the terminal has no sign for it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def output() -> Console:
    """Return the console of standard output."""
    return _console(error=False)


def messages() -> Console:
    """Return the console of standard error."""
    return _console(error=True)


def complain(message: str) -> None:
    """Print an error."""
    messages().print(Text.assemble(("error: ", "bold red"), visible(message)), soft_wrap=True)


def remark(message: str) -> None:
    """Print what a person should know and a program need not."""
    messages().print(Text(visible(message), "dim"), soft_wrap=True)


def show_logs(verbose: bool) -> None:
    """Send logs to standard error: our warnings, or everything with tracebacks when `verbose`."""
    handler = _ToStandardError()
    handler.setFormatter(_Formatter(verbose))
    if not verbose:
        handler.addFilter(_is_for_people)
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO if verbose else logging.WARNING)
    logging.getLogger("toolgraft").setLevel(logging.DEBUG if verbose else logging.WARNING)


def _console(*, error: bool) -> Console:
    console = Console(stderr=error, markup=False, highlight=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _WIDE
    return console


class _ToStandardError(logging.Handler):
    """Looks standard error up each time: it is another one while progress is shown."""

    def emit(self, record: logging.LogRecord) -> None:
        print(self.format(record), file=sys.stderr)


class _Formatter(logging.Formatter):
    def __init__(self, verbose: bool) -> None:
        super().__init__("%(levelname)s %(name)s: %(message)s" if verbose else "%(levelname)s: %(message)s")
        self._verbose = verbose

    def format(self, record: logging.LogRecord) -> str:
        if not self._verbose:
            record.exc_info = record.exc_text = record.stack_info = None
        record.levelname = record.levelname.lower()
        return visible(super().format(record))


def _is_for_people(record: logging.LogRecord) -> bool:
    """Whether a record is ours, and not of something that the command prints itself."""
    told = record.args if isinstance(record.args, tuple) else ()
    ours = record.name.partition(".")[0] == "toolgraft"
    return ours and not any(isinstance(each, PluginProblem | Refusal | ToolgraftError) for each in told)
