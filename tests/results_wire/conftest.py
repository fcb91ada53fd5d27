"""The server of every result, over each way to reach it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from toolgraft.config import Http, Limits, Stdio

SERVER = Path(__file__).parent.parent / "servers" / "every_result.py"
WAYS = ("stdio modern", "stdio legacy", "http modern", "http legacy", "sse modern", "sse legacy")
"""Transport (HTTP answering in JSON or in events) and era."""

Reach: TypeAlias = Callable[..., Stdio | Http]


@contextmanager
def served(*options: str) -> Generator[str]:
    command = [sys.executable, str(SERVER), "http", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/mcp"
        finally:
            process.kill()


@pytest.fixture(scope="session")
def urls() -> Generator[dict[str, str]]:
    """URLs of HTTP servers by way."""
    with (
        served("--era", "modern") as modern,
        served("--era", "legacy") as legacy,
        served("--era", "modern", "--sse") as modern_sse,
        served("--era", "legacy", "--sse") as legacy_sse,
    ):
        yield {"http modern": modern, "http legacy": legacy, "sse modern": modern_sse, "sse legacy": legacy_sse}


@pytest.fixture
def reach(urls: dict[str, str]) -> Reach:
    """Declares the server of one of `WAYS`, with options of `Server`."""

    def declared(way: str, **options: Any) -> Stdio | Http:
        transport, era = way.split()
        options = {"name": "every", "era": "legacy" if era == "legacy" else "2026-07-28", **options}
        if transport == "stdio":
            return Stdio(sys.executable, str(SERVER), "stdio", "--era", era, **options)
        return Http(urls[way], **options)

    return declared


NO_CAP = Limits(text=None, image_bytes=10**9, image_pixels=10**9)
