"""A server with prompts and resources, by every way and in both eras."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from toolgraft import AnyServer, Http, InProcess, Stdio

from tests.servers.offering import make
from tests.servers.sdk import serving

ROOT = Path(__file__).parents[2]
WAYS = ("stdio", "http", "in process")


@pytest.fixture(params=[(way, era) for way in WAYS for era in ("auto", "legacy")], ids="-".join)
def offering(request: pytest.FixtureRequest) -> Generator[AnyServer]:
    way, era = request.param
    options: Any = {"name": "notes", "era": era}
    if way == "stdio":
        yield Stdio(sys.executable, "-m", "tests.servers.offering", cwd=ROOT, **options)
    elif way == "http":
        with serving("http", made=make()) as url:
            yield Http(url, **options)
    else:
        yield InProcess(make(), **options)
