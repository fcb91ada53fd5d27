"""What came of a call is known on our side of the wire: refused, run, perhaps run; nothing is sent twice for it."""

from __future__ import annotations

import gzip
import json
import logging
import queue
import threading
from collections.abc import Generator
from typing import Any

import pytest
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from toolgraft.config import CallContext, Http, Limits, Sse
from toolgraft.connection import Lost
from toolgraft.errors import (
    ConnectError,
    ProtocolError,
    ResultError,
    ToolOutcomeUnknownError,
    TransportError,
)

from tests.connection.conftest import raw_stdio, talk, until
from tests.servers.web import Request, Streamed, Web, web

pytestmark = pytest.mark.anyio


@pytest.fixture(params=[False, True], ids=["2025", "2026"])
def either(request: pytest.FixtureRequest) -> Generator[Web]:
    with web(modern=request.param) as served:
        yield served


@pytest.fixture
def old() -> Generator[Web]:
    with web() as served:
        yield served


def http(served: Web, **settings: Any) -> Http:
    return Http(served.url, name="web", **settings)


async def test_an_answer_that_was_not_seen_on_the_wire_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    send = JSONRPCDispatcher[Any].send_raw_request

    async def copied(self: Any, method: str, params: Any, opts: Any = None, **more: Any) -> dict[str, Any]:
        if method != "tools/call":
            return await send(self, method, params, opts, **more)
        return {"content": [], "resultType": "complete"}  # sent nothing, saw nothing

    async with talk(raw_stdio()) as line:
        monkeypatch.setattr(JSONRPCDispatcher, "send_raw_request", copied)
        with pytest.raises(TransportError, match="no answer to it was seen"):
            await line.call("echo")


async def test_a_result_that_the_sdk_copies_on_its_way_is_the_one_from_the_wire(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    send = JSONRPCDispatcher[Any].send_raw_request

    async def copied(self: Any, method: str, params: Any, opts: Any = None, **more: Any) -> dict[str, Any]:
        return json.loads(json.dumps(await send(self, method, params, opts, **more)))

    monkeypatch.setattr(JSONRPCDispatcher, "send_raw_request", copied)
    async with talk(raw_stdio()) as line:
        assert await line.says("echo", {"text": "whole"}) == "whole"


@pytest.mark.parametrize("answer", [(200, b""), (200, b"null"), (200, b"{}"), (202, b""), (204, b""), (500, b"no")])
@pytest.mark.faults("T14")
async def test_a_notification_may_be_answered_by_anything(old: Web, answer: tuple[int, bytes]) -> None:
    def misbehave(request: Request) -> bool:
        if request.method.startswith("notifications/"):
            request.answer(*answer)
            return True
        return False

    old.misbehave = misbehave
    async with talk(http(old)) as line:
        assert json.loads(await line.says("echo", {"text": "on"})) == {"text": "on"}


@pytest.mark.parametrize("kind", [Http, Sse])
@pytest.mark.faults("T14")
async def test_a_notification_may_be_answered_by_a_body_that_stays_open(kind: type[Http | Sse]) -> None:
    done = threading.Event()

    def misbehave(request: Request) -> bool:
        if request.method.startswith("notifications/"):
            request.stream(b": hello\n\n")
            done.wait(20)
            return True
        return False

    with web(speaks=Streamed if kind is Sse else Request) as served:
        served.misbehave = misbehave
        async with talk(kind(served.url, name="web", era="legacy", connect_timeout=4)) as line:
            assert await line.says("echo", {"text": "on"})
            done.set()


@pytest.mark.faults("T14")
async def test_a_notification_may_be_answered_by_nothing(old: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgraft.connection.wire.http.streamable_http.NOTICE_SECONDS", 0.1)
    done = threading.Event()

    def misbehave(request: Request) -> bool:
        return request.method.startswith("notifications/") and done.wait(20)

    old.misbehave = misbehave
    async with talk(http(old, connect_timeout=4)) as line:
        assert await line.says("echo", {"text": "on"})
        done.set()


REFUSALS = [
    (404, b"order not found"),
    (404, b'{"detail": "the order of this session was not found"}'),
    (400, b"no such session in the booking"),
    (400, b'{"error": "Session is invalid for this order"}'),
]


@pytest.mark.parametrize(("status", "body"), REFUSALS)
@pytest.mark.faults("T15")
async def test_a_tool_that_answers_like_an_expired_session_is_not_called_again(
    old: Web, status: int, body: bytes
) -> None:
    old.instead(
        "order",
        lambda request: request.answer(
            status, body, kind="application/json" if body.startswith(b"{") else "text/plain"
        ),
    )
    async with talk(http(old)) as line:
        with pytest.raises(TransportError, match=f"HTTP {status}"):
            await line.call("order")
        assert old.count("order") == 1
        assert old.count("initialize") == 1


@pytest.mark.parametrize("status", [404, 400, 500, 503])
@pytest.mark.faults("T15")
async def test_a_session_that_expired_is_opened_anew(old: Web, status: int) -> None:
    def misbehave(request: Request) -> bool:
        session = request.headers.get("mcp-session-id")
        if session is not None and session not in old.sessions:
            request.answer(status, b"No valid session ID", kind="text/plain")
            return True
        return False

    old.misbehave = misbehave
    async with talk(http(old)) as line:
        old.sessions[:] = ["another"]
        if status >= 500:  # it may have run
            with pytest.raises(TransportError, match="may have run"):
                await line.call("order")
            assert old.count("order") == 1
        else:
            await line.call("order")
            assert old.count("order") == 2
        assert await line.says("echo", {"text": "on"})


@pytest.mark.parametrize("status", [408, 500, 501, 502, 503, 504, 520, 524])
@pytest.mark.faults("T16")
async def test_an_error_after_which_a_side_effect_may_have_happened_says_so(either: Web, status: int) -> None:
    either.instead("order", lambda request: request.answer(status, b"oh", kind="text/plain"))
    async with talk(http(either)) as line:
        with pytest.raises(TransportError, match="may have run") as caught:
            await line.call("order")
        assert caught.value.http_status == status
        with pytest.raises(TransportError) as repeatable:
            await line.call("order", repeatable=True)
        assert "may have run" not in str(repeatable.value)


@pytest.mark.parametrize("status", [401, 403, 405, 409, 413, 429])
async def test_a_refusal_does_not_say_that_it_may_have_run(either: Web, status: int) -> None:
    either.instead("order", lambda request: request.answer(status, b"", kind="text/plain"))
    async with talk(http(either)) as line:
        with pytest.raises(TransportError, match=f"HTTP {status}") as caught:
            await line.call("order")
        assert "may have run" not in str(caught.value)


@pytest.mark.parametrize("answer", [(202, b""), (204, b""), (200, b"")])
@pytest.mark.faults("T16")
async def test_success_without_an_answer_is_an_unknown_outcome(either: Web, answer: tuple[int, bytes]) -> None:
    either.instead("order", lambda request: request.answer(*answer))
    async with talk(http(either)) as line:
        with pytest.raises(ToolOutcomeUnknownError, match="may have run"):
            await line.call("order")
        assert either.count("order") == 1


ODD_ERRORS: list[tuple[object, str]] = [
    ("the quota is used up", "the quota is used up"),
    ({"message": "the quota is used up"}, "the quota is used up"),
    ({"code": "E1", "message": "the quota is used up"}, "the quota is used up"),
    ({"detail": "the quota is used up"}, "the quota is used up"),
]


@pytest.mark.parametrize(("error", "reason"), ODD_ERRORS)
@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.faults("T28")
async def test_a_json_rpc_error_of_another_shape_keeps_its_reason(
    either: Web, error: object, reason: str, status: int
) -> None:
    either.instead("order", lambda request: request.error(error, status))
    async with talk(http(either)) as line:
        with pytest.raises(ProtocolError, match=reason):
            await line.call("order")


@pytest.mark.parametrize(
    "body", [{"detail": "city is missing"}, {"detail": [{"msg": "city is missing"}]}, {"error": "city is missing"}]
)
@pytest.mark.faults("T28")
async def test_a_refusal_in_json_keeps_its_reason(either: Web, body: object) -> None:
    either.instead("order", lambda request: request.answer(422, json.dumps(body).encode()))
    async with talk(http(either)) as line:
        with pytest.raises(TransportError, match=r"HTTP 422.*: city is missing"):
            await line.call("order")


@pytest.mark.parametrize("status", [500, 501, 503, 200])
@pytest.mark.faults("T13")
async def test_an_old_server_that_breaks_at_the_probe_is_spoken_to_as_an_old_one(old: Web, status: int) -> None:
    old.instead("server/discover", lambda request: request.answer(status, b"", kind="text/plain"))
    async with talk(http(old)) as line:
        assert await line.says("echo", {"text": "on"})


async def test_a_stream_that_breaks_is_resumed_after_the_last_event(old: Web) -> None:
    waiting: list[Any] = []

    def misbehave(request: Request) -> bool:
        if request.tool == "order":
            waiting.append(request.message["id"])
            request.stream(b"id: one\nretry: 10\ndata:\n\n")
            return True
        if request.headers.get("last-event-id") == "one":
            result = {"content": [{"type": "text", "text": "kept"}]}
            answer = json.dumps({"jsonrpc": "2.0", "id": waiting[0], "result": result})
            request.stream(f"id: two\ndata: {answer}\n\n".encode())
            return True
        return False

    old.misbehave = misbehave
    async with talk(http(old)) as line:
        assert await line.says("order") == "kept"
        assert old.count("order") == 1


async def test_a_stream_of_2026_is_not_resumed() -> None:
    with web(modern=True) as served:
        served.instead("order", lambda request: request.stream(b"id: one\nretry: 10\ndata:\n\n"))
        async with talk(http(served)) as line:
            with pytest.raises(ToolOutcomeUnknownError, match="its event stream ended before its answer"):
                await line.call("order")


@pytest.mark.faults("A7")
async def test_a_server_that_asks_more_than_it_reads_is_left_with_a_reason(
    old: Web, caplog: pytest.LogCaptureFixture
) -> None:
    closing = threading.Event()
    ping = json.dumps({"jsonrpc": "2.0", "id": "x" * 100_000, "method": "ping"})[1:]

    def misbehave(request: Request) -> bool:
        if request.tool == "order":
            request.stream(*(f'data: {{"n": {n}, {ping.replace("xxxxx", str(n), 1)}\n\n'.encode() for n in range(500)))
            return True
        if "method" not in request.message and request.message:
            closing.wait(20)  # it does not take the answer
            return True
        return False

    old.misbehave = misbehave
    async with talk(http(old)) as line:
        with pytest.raises(ToolOutcomeUnknownError, match="did not read the answers"):
            await line.call("order")
        assert "did not read the answers" in caplog.text
        await until(lambda: line.heard(Lost))
        closing.set()
        assert await line.says("echo", {"text": "on"})


async def test_an_answer_in_an_encoding_that_was_not_asked_for_is_refused(either: Web) -> None:
    either.instead("order", lambda request: request.answer(200, b"\x00" * 10, {"Content-Encoding": "zstd"}))
    async with talk(http(either)) as line:
        with pytest.raises(ToolOutcomeUnknownError, match="content encoding 'zstd'"):
            await line.call("order")


async def test_a_small_body_that_grows_above_the_limit_is_refused(either: Web) -> None:
    either.instead(
        "order", lambda request: request.answer(200, gzip.compress(b" " * 50_000_000), {"Content-Encoding": "gzip"})
    )
    async with talk(http(either, limits=Limits(wire_bytes=100_000))) as line:
        with pytest.raises(ResultError, match="larger than 100000 bytes"):
            await line.call("order")


@pytest.mark.parametrize(
    ("challenge", "told"),
    [
        ('Bearer resource_metadata="https://as.invalid/x"', "it offers OAuth: auth=OAuth()"),
        ("Bearer", "it takes a bearer token: auth=OAuth()"),
        ('Basic realm="x"', "does not say that it offers OAuth: auth="),
    ],
)
@pytest.mark.faults("T30")
async def test_a_401_names_the_remedy(either: Web, challenge: str, told: str) -> None:
    def misbehave(request: Request) -> bool:
        request.answer(401, b"", {"WWW-Authenticate": challenge})
        return True

    either.misbehave = misbehave
    with pytest.raises(ConnectError, match="HTTP 401 Unauthorized") as caught:
        async with talk(http(either)):
            pytest.fail("it opened")
    assert told in str(caught.value)


def only_sse(prefix: str = "") -> Any:
    """A server that speaks HTTP+SSE, behind a path prefix that it does not know of."""

    def misbehave(request: Request) -> bool:
        if not request.message:
            request.stream(b"event: endpoint\ndata: /messages?session_id=1\n\n")
            return True
        if request.path != f"{prefix}/messages?session_id=1":
            request.answer(405 if request.path == f"{prefix}/sse" else 404, b"", kind="text/plain")
            return True
        return False

    return misbehave


@pytest.mark.faults("T46", "T30")
async def test_streamable_http_at_a_server_of_http_and_sse_says_what_to_write(old: Web) -> None:
    old.misbehave = only_sse()
    url = old.url.replace("/mcp", "/sse")
    with pytest.raises(ConnectError) as caught:
        async with talk(Http(url, name="web")):
            pytest.fail("it opened")
    assert f"try Sse('{url}')" in str(caught.value)


@pytest.mark.faults("T28")
async def test_a_server_behind_a_prefix_that_is_not_found_says_which_address_was_tried(old: Web) -> None:
    old.misbehave = only_sse("/nowhere")
    with pytest.raises(ConnectError, match="/messages, where it wants its messages posted"):
        async with talk(Sse(old.url.replace("/mcp", "/api/sse"), name="web")):
            pytest.fail("it opened")


@pytest.mark.faults("T28")
async def test_a_server_of_http_and_sse_behind_a_prefix_that_it_does_not_know_of_is_found(old: Web) -> None:
    answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def misbehave(request: Request) -> bool:
        if not request.message:
            request.stream(b"event: endpoint\ndata: /messages?session_id=1\n\n")
            while answer := answers.get():
                request.wfile.write(b"data: " + answer + b"\n\n")
            return True
        if request.path != "/api/messages?session_id=1":
            request.answer(404, b"", kind="text/plain")
            return True

        def told(status: int, body: bytes, headers: Any = None, kind: str = "") -> None:
            type(request).answer(request, 202, b"")
            if body:
                answers.put(body)

        request.__dict__["answer"] = told
        request.behave()
        del request.__dict__["answer"]
        return True

    old.misbehave = misbehave
    async with talk(Sse(old.url.replace("/mcp", "/api/sse"), name="web")) as line:
        assert json.loads(await line.says("echo", {"text": "on"})) == {"text": "on"}
        answers.put(b"")


@pytest.mark.faults("T25")
async def test_what_the_users_function_raised_is_the_cause_and_is_logged(
    either: Web, caplog: pytest.LogCaptureFixture
) -> None:
    mistake = LookupError("no token for ada")

    def headers(context: CallContext) -> dict[str, str]:
        if context.tool is not None:
            raise mistake
        return {}

    async with talk(http(either, headers=headers)) as line:
        with caplog.at_level(logging.ERROR), pytest.raises(TransportError, match="LookupError") as caught:
            await line.call("echo")
    assert caught.value.__cause__ is mistake
    assert "no token for ada" not in str(caught.value)
    assert any(each.exc_info is not None and each.exc_info[1] is mistake for each in caplog.records)
