"""The scripted servers, for what is asked about their tools."""

from __future__ import annotations

from tests.toolbox.conftest import scripted  # noqa: F401  # pyright: ignore[reportUnusedImport]
