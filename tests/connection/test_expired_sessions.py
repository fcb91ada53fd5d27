"""A session that a server does not know any more: calls go to a new one; what may have run is not sent again."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Generator
from typing import Any

import pytest
from toolgraft.config import Http, Sse
from toolgraft.connection import Lost
from toolgraft.errors import TransportError

from tests.connection.conftest import talk
from tests.servers.web import Request, Streamed, Web, web

pytestmark = [pytest.mark.anyio, pytest.mark.faults("T15")]

AT_ONCE = 8


@pytest.fixture
def old() -> Generator[Web]:
    with web() as served:
        yield served


@pytest.fixture
def streamed() -> Generator[Web]:
    with web(speaks=Streamed) as served:
        yield served


def http(served: Web) -> Http:
    return Http(served.url, name="web", era="legacy")


def sse(served: Web) -> Sse:
    return Sse(served.url, name="web", era="legacy")


def refusing(served: Web, status: int, body: bytes = b"", error: object = None) -> None:
    """Have a server refuse sessions that it does not know in a way of its own."""

    def misbehave(request: Request) -> bool:
        session = request.headers.get("mcp-session-id")
        if session is None or session in served.sessions or "id" not in request.message:
            return False
        if error is None:
            request.answer(status, body, kind="text/plain")
        else:
            request.error(error, status)
        return True

    served.misbehave = misbehave


@pytest.mark.faults("T12")
@pytest.mark.parametrize("error", [None, {"code": -32600, "message": "Session not found"}])
async def test_calls_at_once_on_an_expired_session_all_go_to_a_new_one(old: Web, error: object) -> None:
    refusing(old, 404, b"Session not found", error)
    async with talk(http(old)) as line:
        old.sessions[:] = ["another"]
        said = await asyncio.gather(*(line.says("order", {"n": n}) for n in range(AT_ONCE)))
    assert [json.loads(each) for each in said] == [{"n": n} for n in range(AT_ONCE)]
    assert old.count("initialize") == 2


async def test_a_call_that_is_refused_after_others_were_goes_to_the_new_session_too(old: Web) -> None:
    refused_late, late = threading.Event(), threading.Event()
    refusing(old, 404, b"Session not found")
    refuse = old.misbehave

    def misbehave(request: Request) -> bool:
        if request.tool == "order" and request.headers.get("mcp-session-id") not in old.sessions:
            late.set()
            refused_late.wait(20)
        return refuse(request)

    old.misbehave = misbehave
    async with talk(http(old)) as line:
        old.sessions[:] = ["another"]
        waiting = asyncio.create_task(line.says("order"))
        await asyncio.to_thread(late.wait, 20)
        assert await line.says("echo")  # on the new session by now
        refused_late.set()
        assert await waiting
    assert old.count("initialize") == 2


@pytest.mark.faults("T12")
@pytest.mark.parametrize("ends", [False, True], ids=["the stream stays", "the stream ends"])
async def test_calls_at_once_on_an_expired_session_of_http_and_sse_all_go_to_a_new_one(
    streamed: Web, ends: bool
) -> None:
    def misbehave(request: Request) -> bool:
        session = request.path.partition("session_id=")[2]
        if request.tool and session not in streamed.sessions and ends:
            streamed.streams[session].put(b"")  # as its server goes, so do its streams
        return False

    streamed.misbehave = misbehave
    async with talk(sse(streamed)) as line:
        streamed.sessions.clear()
        said = await asyncio.gather(*(line.says("order", {"n": n}) for n in range(AT_ONCE)))
    assert [json.loads(each) for each in said] == [{"n": n} for n in range(AT_ONCE)]
    assert streamed.count("initialize") == 2


@pytest.mark.parametrize(
    ("status", "body"),
    [(404, b"order not found"), (404, b"Could not find session of the order"), (400, b"session"), (410, b"gone")],
)
async def test_a_tool_of_http_and_sse_that_answers_like_an_expired_session_is_not_called_again(
    streamed: Web, status: int, body: bytes
) -> None:
    streamed.instead("order", lambda request: request.answer(status, body, kind="text/plain"))
    async with talk(sse(streamed)) as line:
        with pytest.raises(TransportError, match=f"HTTP {status}"):
            await line.call("order")
        assert streamed.count("order") == 1
        assert streamed.count("initialize") == 1
        assert not line.heard(Lost)


OTHER_WORDS: list[tuple[int, bytes, Any]] = [
    (410, b"gone", None),
    (409, b"conflict", None),
    (422, b"invalid session", None),
    (401, b"session not found", None),
    (403, b"invalid session", None),
    (500, b"Internal Server Error", None),
    (503, b"no such session here", None),
    (200, b"", {"code": -32001, "message": "Session not found"}),
    (200, b"", {"code": -32600, "message": "Invalid session"}),
]


@pytest.mark.parametrize(("status", "body", "error"), OTHER_WORDS)
async def test_a_session_that_is_refused_in_other_words_is_given_up_and_nothing_is_sent_again(
    old: Web, status: int, body: bytes, error: object
) -> None:
    refusing(old, status, body, error)
    async with talk(http(old)) as line:
        old.sessions[:] = ["another"]
        with pytest.raises(TransportError):
            await line.call("order")
        assert old.count("order") == 1
        assert await line.says("echo", {"text": "on"})  # the next call finds a new session
        old.sessions[:] = ["yet another"]
        assert await line.says("echo", {"text": "on"}, repeatable=True)  # and what only reads need not fail at all


@pytest.mark.parametrize("error", [{"code": -32602, "message": "no such session in the booking"}])
async def test_an_error_that_speaks_of_sessions_is_the_tools_own_where_the_session_lasts(
    old: Web, error: object
) -> None:
    old.instead("order", lambda request: request.error(error))
    async with talk(http(old)) as line:
        with pytest.raises(Exception, match=r"no such session in the booking \(error -32602\)"):
            await line.call("order")
        assert not line.heard(Lost)
        assert old.count("order") == 1


@pytest.mark.parametrize("alike", [False, True])
async def test_a_side_effect_whose_refusal_is_not_in_the_words_of_its_session_may_have_run(
    old: Web, alike: bool
) -> None:
    def misbehave(request: Request) -> bool:
        if request.tool == "order" and old.count("order") == 1:
            old.sessions[:] = ["another"]  # it ran, and its session ended with it
            request.answer(404, b"Not Found", kind="text/plain")
            return True
        lost = request.headers.get("mcp-session-id") not in (None, *old.sessions)
        if alike and lost and "id" in request.message:
            request.answer(404, b"Not Found", kind="text/plain")
            return True
        return False

    old.misbehave = misbehave
    async with talk(http(old)) as line:
        with pytest.raises(TransportError, match="may have run"):
            await line.call("order")
        assert old.count("order") == 1
        assert await line.says("order")
