"""From a config file or dict to its servers: reads each entry and gathers what is wrong with them."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from toolgraft.config.documents.document import open_document
from toolgraft.config.documents.entry import Entry, read_entry
from toolgraft.config.documents.expand import Scope
from toolgraft.config.documents.inputs import Inputs, InputSource, declared_inputs
from toolgraft.config.documents.loaded import Loaded
from toolgraft.errors import ConfigError

_log: Final = logging.getLogger("toolgraft.config")


def read(
    source: str | os.PathLike[str] | Mapping[str, Any],
    inputs: InputSource | None,
    environ: Mapping[str, str],
    workspace: str | os.PathLike[str] | None,
) -> Loaded:
    """Do what `load` promises; its docstring has the arguments and errors."""
    document = open_document(source)
    root, where = document.root, document.where
    declared = declared_inputs(root["inputs"], f"{where}: inputs") if "inputs" in root else {}
    folder = cache(lambda: Path(workspace).absolute() if workspace else document.workspace)
    entries = _read_all(document.entries(), Scope(environ, Inputs(declared, inputs, environ), folder))
    loaded = Loaded(
        servers=tuple(entry.server for entry in entries.values() if entry.server is not None),
        disabled=tuple(name for name, entry in entries.items() if entry.server is None),
        warnings=tuple(document.slips()) + tuple(each for entry in entries.values() for each in entry.warnings),
    )
    if loaded.warnings:
        _log.warning("%s", "\n".join(loaded.warnings))
    return loaded


def _read_all(entries: Iterable[tuple[str, object, str]], scope: Scope) -> dict[str, Entry]:
    read: dict[str, Entry] = {}
    faults: list[ConfigError] = []
    for name, raw, where in entries:
        try:
            read[name] = read_entry(name, raw, scope, where)
        except ConfigError as error:
            faults.append(error)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        lines = "".join(f"\n  - {error}" for error in faults)
        raise ConfigError(f"{len(faults)} entries are wrong:{lines}")
    return read
