"""What a transport that is not ours raises tells nothing of whether a message arrived."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest, JSONRPCResponse
from toolgraft.config import Custom
from toolgraft.connection.wire.http.underway import Underway
from toolgraft.connection.wire.streams import WAITING, Inbox, Stream
from toolgraft.errors import ToolOutcomeUnknownError

from tests.connection.conftest import a_call, talk

pytestmark = pytest.mark.anyio


class Delivers(Stream):
    """Hands each message to its server, and may raise after it has."""

    def __init__(self, answers: Any, ran: list[Any]) -> None:
        self._answers = answers
        self._ran = ran

    async def send(self, item: SessionMessage, /) -> None:
        request = item.message
        if not isinstance(request, JSONRPCRequest):
            return
        result: dict[str, Any] = {"tools": [{"name": "order", "inputSchema": {"type": "object"}}]}
        if request.method == "initialize":
            assert request.params
            result = {"protocolVersion": request.params["protocolVersion"], "capabilities": {"tools": {}}}
            result["serverInfo"] = {"name": "c", "version": "1"}
        if request.method == "tools/call":
            self._ran.append(request.params)
            await self._answers.aclose()
            raise anyio.BrokenResourceError
        await self._answers.send(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=request.id, result=result)))


@pytest.mark.faults("T1")
async def test_a_call_that_a_custom_transport_delivered_before_it_failed_is_not_sent_again() -> None:
    ran: list[Any] = []

    @asynccontextmanager
    async def transport() -> AsyncGenerator[Any]:
        answers, reading = anyio.create_memory_object_stream[SessionMessage | Exception](10)
        async with answers, reading:
            yield reading, Delivers(answers, ran)

    async with talk(Custom(transport, name="c", era="legacy")) as line:
        with pytest.raises(ToolOutcomeUnknownError, match="may have run"):
            await line.connection.call(a_call("c", "order", {"n": 1}))
        assert len(ran) == 1


@pytest.mark.faults("T7")
async def test_answers_that_nobody_asked_for_wait_like_all_the_rest() -> None:
    inbox = Inbox()
    underway = Underway("s", inbox)
    delivered = 0
    with anyio.move_on_after(0.2):
        for number in range(WAITING * 2):
            message = JSONRPCResponse(jsonrpc="2.0", id=f"nobody-{number}", result={})
            await underway.deliver(SessionMessage(message), 10, asked=7)
            delivered += 1
    assert delivered == WAITING
    with anyio.fail_after(5):
        await underway.deliver(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=7, result={})), 10, asked=7)
