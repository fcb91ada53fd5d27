"""Graft tools of made-up schemas and bind them with every package, themselves and as they are drawn for its models.

    python -m tests.providers.grafted schemas.json

A program for the environment of `scripts/providers`; `schemas.json` has the schemas by their titles. What it prints is
what `tests.providers.binding` prints, with the tool as it was sent.
"""

from __future__ import annotations

import gc
import json
import logging
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from toolgraft_langchain import for_model

from tests.providers.binding import bound
from tests.providers.endpoint import endpoint
from tests.providers.forms import DEFAULT, OWN, form, listed
from tests.providers.packages import PACKAGES

Node = dict[str, Any]


def main(path: str) -> None:
    """Print what each package sends of each tool."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    schemas: dict[str, Node] = json.loads(Path(path).read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        tools = listed(schemas, Path(folder))
    assert tools.keys() == schemas.keys()
    said: dict[str, dict[str, Node]] = {}
    with endpoint() as kept:
        for name, package in PACKAGES.items():
            model = package.chat_model(kept.url)
            gc.freeze()
            mine = said[name] = {}
            for given, drawn in (
                (DEFAULT, list(tools.values())),
                (OWN, for_model(list(tools.values()), package.dialect)),
            ):
                for (title, tool), each in zip(tools.items(), drawn, strict=True):
                    mine[f"{given}/{title}"] = bound(package, model, each, form(each, tool), kept, sent=True)
    json.dump(said, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
