"""Descriptions under a limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from toolgraft import connect
from toolgraft.errors import ToolgraftError

pytestmark = pytest.mark.anyio


@pytest.mark.faults("N10")
async def test_a_long_description_is_cut_at_a_sentence_with_a_mark_and_one_warning(
    scripted: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    long = "One sentence of some length. " * 60
    server = scripted("s", {"name": "wordy", "description": long, "inputSchema": {"type": "object"}}, "short")
    async with connect(server.declared(), description_limit=200) as toolbox:
        description = toolbox.find("wordy").spec.description
        assert len(description) <= 200
        assert description.startswith("One sentence of some length. ")
        assert description != long[: len(description)]
        assert toolbox.find("short").spec.description == "short", "the name, where nothing else is told"
        await toolbox.refresh()
    assert [record.getMessage() for record in caplog.records].count(
        f"the description of s.wordy is cut from {len(long)} characters"
    ) == 1


async def test_without_a_limit_it_is_whole(scripted: Callable[..., Any]) -> None:
    long = "One sentence of some length. " * 200
    server = scripted("s", {"name": "wordy", "description": long, "inputSchema": {"type": "object"}})
    async with connect(server.declared()) as toolbox:
        assert toolbox.find("wordy").spec.description == long


async def test_a_limit_that_holds_no_word_is_refused(scripted: Callable[..., Any]) -> None:
    server = scripted("s", {"name": "wordy", "description": "word " * 9, "inputSchema": {"type": "object"}})
    with pytest.raises((ToolgraftError, ValueError), match="too small"):
        async with connect(server.declared(), description_limit=3):
            pytest.fail("it opened")
