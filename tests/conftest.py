"""What every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "faults(*ids): the kinds of fault this test keeps away")
    config.addinivalue_line("markers", "real_server: needs a server that is not part of the project")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Folder of tool lists of real servers; tests that need it skip without it."""
    beside = Path(__file__).parent.parent.parent / "shared" / "corpus"
    folder = Path(os.environ.get("TOOLGRAFT_CORPUS", beside))
    if not folder.is_dir():
        pytest.skip("no corpus: set TOOLGRAFT_CORPUS to a folder of tool lists")
    return folder
