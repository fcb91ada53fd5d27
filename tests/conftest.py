"""What every test may use."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from toolgraft.config import Http, Stdio
from toolgraft.testing import demo_http as running_demo_http
from toolgraft.testing import demo_stdio as declared_demo_stdio

from tests.conformance.table import pytest_terminal_summary  # noqa: F401  # pyright: ignore[reportUnusedImport]
from tests.slow import SLOW


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "faults(*ids): the kinds of fault of docs/faults.md that this test keeps away")
    config.addinivalue_line("markers", "real_server: needs a server that is not part of the project")
    config.addinivalue_line("markers", "conformance: runs the MCP conformance suite; slow, run by scripts/conformance")
    config.addinivalue_line("markers", "slow: left out by scripts/test --quick; see tests/slow.py")
    config.addinivalue_line("markers", "packaging: builds and installs the project; slow, run by `-m packaging`")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    tests = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(tests) and item.path.relative_to(tests).as_posix() in SLOW:
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Programs started here can be ended by signals, also where these are ignored: behind `&`, under `nohup`."""
    ended_by: dict[signal.Signals, Any] = {signal.SIGINT: signal.default_int_handler}
    if sys.platform != "win32":
        ended_by[signal.SIGHUP] = signal.SIG_DFL
    before = {number: signal.signal(number, handler) for number, handler in ended_by.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Folder of tool lists of real servers; tests that need it skip without it."""
    beside = Path(__file__).parent.parent.parent / "shared" / "corpus"
    folder = Path(os.environ.get("TOOLGRAFT_CORPUS", beside))
    if not folder.is_dir():
        pytest.skip("no corpus: set TOOLGRAFT_CORPUS to a folder of tool lists")
    return folder


@pytest.fixture(scope="session")
def demo_http() -> Iterator[Http]:
    """The demo server, running on loopback for all tests of this process."""
    with running_demo_http() as http:
        yield http


@pytest.fixture
def demo_stdio() -> Stdio:
    """The demo server as a child process, not started yet."""
    return declared_demo_stdio()
