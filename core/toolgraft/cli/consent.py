"""Asks before the servers of a config file are started that was found, not named: it may be a stranger's.

Agreement is remembered in the user's state folder: by the file's path, and by digests of what it holds and of what the
files hold that its servers name.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

import platformdirs
from rich.text import Text

from toolgraft.cli.terminal import messages, remark
from toolgraft.cli.visible import visible
from toolgraft.config.documents.named_files import MOST_BYTES, MOST_FILES
from toolgraft.config.documents.preview import Preview, ascii_text, preview
from toolgraft.errors import ConfigError

FLAG: Final = "--trust-found"
_LONGEST: Final = 20_000
"""Characters of a preview that a person can be expected to read."""
_TOO_MUCH: Final = (
    f"names more than {MOST_FILES} files or {MOST_BYTES // 1024 // 1024} MiB of them, too much to be agreed to here"
)
_NOT_COVERED: Final = "What these import, and what package runners download, is not covered."


def agreed(path: Path, *, trusted: bool) -> Preview:
    """Return what a found config file would do, once a person has agreed to it.

    Args:
        path: The file.
        trusted: The command line says that it is trusted.

    Raises:
        ConfigError: Nobody agrees, or there is nobody to ask.
    """
    found = preview(path, os.environ)
    before = _remembered().get(str(found.path))
    if trusted or (before == found.contents.digests and found.contents.whole):
        return found
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ConfigError(_refusal(path, found))
    text = found.text(hide=False)
    if len(text) > _LONGEST:
        raise ConfigError(f"is too long to be shown and agreed to here; read it, then {_remedy(path)}", where=str(path))
    if not found.contents.whole:
        raise ConfigError(f"{_TOO_MUCH}; read them, then {_remedy(path)}", where=str(path))
    if not _asked(path, text, found.contents.digests, before):
        raise ConfigError("was not agreed to; nothing was started", where=str(path))
    _remember(found)
    return found


def still(path: Path, before: Preview) -> None:
    """See to it that a file is what was agreed to, after it was read.

    Raises:
        ConfigError: It has changed since.
    """
    if changed := _changes(before.contents.digests, preview(path, os.environ).contents.digests):
        raise ConfigError(f"changed while it was read ({changed}); nothing was started", where=str(path))


def _refusal(path: Path, found: Preview) -> str:
    lines = "\n".join(f"  {line}" for line in found.text(hide=True)[:_LONGEST].splitlines())
    name = ascii_text(str(path))
    return f"{name} was found, not named, and its servers are not started unasked:\n{lines}\nTo use it, {_remedy(path)}"


def _remedy(path: Path) -> str:
    return f"name it ({ascii_text(str(path))}; in `call`, by --config), or give {FLAG}"


def _asked(path: Path, text: str, digests: Mapping[str, str], before: Mapping[str, str] | None) -> bool:
    console = messages()
    why = "was found here" if before is None else f"has changed since you agreed to it ({_changes(before, digests)})"
    console.print(Text(f"{ascii_text(str(path))} {why}. It would do this:", "bold"), soft_wrap=True)
    console.print(Text(visible(text)), soft_wrap=True)
    console.print(Text(f"A yes holds until one of these changes: {_listed(digests)}. {_NOT_COVERED}"), soft_wrap=True)
    print("Start these servers? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _changes(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Name the files that hold something else than before, with what became of them; empty if none does."""
    told = {
        "changed": [name for name in now if name in before and now[name] != before[name]],
        "new": [name for name in now if name not in before],
        "gone": [name for name in before if name not in now],
    }
    return "; ".join(f"{what}: {_listed(names)}" for what, names in told.items() if names)


def _listed(paths: Iterable[str]) -> str:
    here = Path.cwd()
    return ", ".join(ascii_text(os.path.relpath(each, here) if here in Path(each).parents else each) for each in paths)


def _memory() -> Path:
    return platformdirs.user_state_path("toolgraft", appauthor=False) / "agreed-configs.json"


def _remembered() -> Mapping[str, Mapping[str, str]]:
    try:
        content: Any = json.loads(_memory().read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    configs = cast("dict[str, Any]", content) if isinstance(content, dict) else {}
    return {path: cast("dict[str, str]", digests) for path, digests in configs.items() if isinstance(digests, dict)}


def _remember(found: Preview) -> None:
    """Write the agreement down, in a file that only the user can read (mode 0600); it is replaced as a whole."""
    path = _memory()
    content = json.dumps({**_remembered(), str(found.path): found.contents.digests}, indent=2)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent)  # makes it with mode 0600
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(content)
            os.replace(name, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        remark(f"this agreement is not remembered: {error.strerror or error}")
