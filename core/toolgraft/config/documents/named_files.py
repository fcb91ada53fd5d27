"""Which files a server's entry names: a script, a module, a folder with a program in it, settings that it is given.

Not found here is what such a file imports, what a package runner downloads, and what is on `PATH`.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, cast

from toolgraft.config.documents.expand import Scope
from toolgraft.errors import ConfigError

MOST_FILES: Final = 256
MOST_BYTES: Final = 256 * 1024 * 1024
_MOST_NAMES: Final = 4096

_BETWEEN: Final = re.compile(r"[\s;|&<>()\[\]{}\"'`=,:]+")
"""What stands between names in a shell's line, in code after `-c` and in `--option=name` or `name.py:object`."""
_LETTER: Final = re.compile(r"-\w(?=\W)")
"""An option that its value follows without a space, `-f./name`."""
_MODULE: Final = re.compile(r"\w+(?:\.\w+)*")
_ENDINGS: Final = ("", ".py", ".js", ".mjs", ".cjs", ".ts")
_STARTS: Final = ("__init__.py", "__main__.py", "index.js", "index.mjs", "index.ts", "package.json", "pyproject.toml")
"""Where a folder that is named as a program begins."""
_MOST_PLACES: Final = _MOST_NAMES * len(_ENDINGS)
_RUNNERS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("npm", "npx", "pnpm", "yarn", "bun", "bunx"), ("package.json",)),
    **dict.fromkeys(("uv", "poetry", "pdm", "hatch"), ("pyproject.toml",)),
    "deno": ("deno.json", "deno.jsonc"),
    "make": ("Makefile", "makefile", "GNUmakefile"),
    "just": ("justfile", "Justfile"),
    **dict.fromkeys(("docker", "podman"), ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")),
}
"""What a program that runs others looks up in its folder, by its name."""


@dataclass(frozen=True)
class Contents:
    """What files hold, as digests.

    Attributes:
        digests: SHA-256 by path; empty for a file that cannot be read.
        whole: Whether every file is among them; false where there are too many, or they are too large.
    """

    digests: Mapping[str, str]
    whole: bool


def named_contents(entries: Iterable[Mapping[str, Any]], also: Iterable[Path], scope: Scope) -> Contents:
    """Read the files that entries of servers name, and some more, up to a number and a size.

    Names are those in command, arguments and variables: paths, modules and folders, relative to the folder that the
    server is started in or to another that is named, and absolute ones within the config's folder.
    """
    digests: dict[str, str] = {}
    left = MOST_BYTES
    named = chain.from_iterable(_looked_for(entry, scope) for entry in entries)
    looked_for = chain(map(str, also), islice(named, _MOST_PLACES))
    for path in looked_for:
        if path not in digests and os.path.isfile(path):  # no pipe or device, which could block for ever
            if len(digests) >= MOST_FILES or left < 0:
                return Contents(digests, whole=False)
            digests[path], read = _digest(path, left)
            left -= read
    return Contents(digests, whole=left >= 0 and next(named, None) is None)


def _digest(path: str, most: int) -> tuple[str, int]:
    """Return the digest of a file and how much was read, which is more than `most` where that was too little."""
    found, read = hashlib.sha256(), 0
    try:
        with open(path, "rb") as file:
            while read <= most and (chunk := file.read(1024 * 1024)):
                found.update(chunk)
                read += len(chunk)
    except OSError:
        return "", read
    return found.hexdigest(), read


def _looked_for(entry: Mapping[str, Any], scope: Scope) -> Iterator[str]:
    """Yield the places of the files that an entry may mean; most are not there."""
    workspace = os.path.abspath(scope.workspace)
    home = str(scope.path(_expanded(entry.get("cwd"), scope)))
    names = tuple(dict.fromkeys(name for word in _words(entry, scope) for name in _names(word)))
    folders = dict.fromkeys((home, *filter(os.path.isdir, _within(workspace, home, names[:_MOST_NAMES]))))
    for folder in folders:
        begins = _STARTS if folder != home or "." in names else ()
        looked_up = chain.from_iterable(_RUNNERS.get(os.path.basename(name), ()) for name in names)
        files = (name + ending for name in names for ending in _ENDINGS)
        yield from _within(workspace, folder, (*begins, *looked_up))
        yield from _within(workspace, folder, files)


def _within(workspace: str, folder: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        path = os.path.normpath(os.path.join(folder, name))
        if not os.path.isabs(name) or Path(path).is_relative_to(workspace):
            yield path


def _words(entry: Mapping[str, Any], scope: Scope) -> Iterator[str]:
    command, args, env = entry.get("command"), entry.get("args"), entry.get("env")
    yield _expanded(command, scope)
    for each in cast("list[object]", args) if isinstance(args, list) else ():
        yield _expanded(each, scope)
    for each in cast("Mapping[object, object]", env).values() if isinstance(env, Mapping) else ():
        yield _expanded(each, scope)


def _expanded(value: object, scope: Scope) -> str:
    if not isinstance(value, str):
        return ""
    try:
        return scope.expand(value, "")
    except ConfigError:
        return value  # loading it says what is wrong with it


def _names(word: str) -> Iterator[str]:
    """Yield what in a word may name a file."""
    parts = [word, *_BETWEEN.split(word)]
    for part in (*parts, *(_LETTER.sub("", each, count=1) for each in parts if each.startswith("-"))):
        if part.strip("./\\") or part in (".", "./", "..", "../"):
            yield part if part != "./" else "."
        if "." in part and _MODULE.fullmatch(part):
            yield part.replace(".", "/")
