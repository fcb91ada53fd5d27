"""What goes wrong over HTTP names the setting to write, and says what the server said."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from toolgraft.config import Http, Sse
from toolgraft.connection import State
from toolgraft.errors import ConnectError, ToolOutcomeUnknownError, TransportError

from tests.connection.conftest import talk
from tests.servers.web import Request, Streamed, Web, web

pytestmark = pytest.mark.anyio


@pytest.fixture
def old() -> Generator[Web]:
    with web() as served:
        yield served


@pytest.fixture(params=[False, True], ids=["2025", "2026"])
def either(request: pytest.FixtureRequest) -> Generator[Web]:
    with web(modern=request.param) as served:
        yield served


@pytest.fixture
def streamed() -> Generator[Web]:
    with web(speaks=Streamed) as served:
        yield served


async def why_not(config: Http | Sse) -> str:
    """Why a server cannot be connected."""
    with pytest.raises(ConnectError) as caught:
        async with talk(config):
            pytest.fail("it opened")
    return str(caught.value)


def answering(status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> Any:
    def misbehave(request: Request) -> bool:
        request.answer(status, body, headers, kind="text/plain")
        return True

    return misbehave


@pytest.mark.faults("T30", "T46")
@pytest.mark.parametrize("status", [400, 404, 405, 406])
async def test_http_and_sse_at_a_server_of_streamable_http_says_what_to_write(either: Web, status: int) -> None:
    def misbehave(request: Request) -> bool:
        if not request.message:
            request.answer(status, b"Missing session ID", kind="text/plain")
        return not request.message

    either.misbehave = misbehave
    assert f"try Http('{either.url}')" in await why_not(Sse(either.url, name="web"))


@pytest.mark.faults("T46")
@pytest.mark.parametrize("timeout", [1.0, 30.0])
async def test_http_and_sse_at_a_stream_of_streamable_http_that_is_silent_says_what_to_write(
    either: Web, timeout: float
) -> None:
    closing = threading.Event()

    def misbehave(request: Request) -> bool:
        if not request.message:
            request.stream(b": welcome\n\n")
            closing.wait(20)
        return not request.message

    either.misbehave = misbehave
    try:
        said = await why_not(Sse(either.url, name="web", connect_timeout=timeout))
    finally:
        closing.set()
    assert "does not say where to post" in said
    assert f"try Http('{either.url}')" in said


@pytest.mark.faults("T46")
async def test_http_and_sse_waits_for_a_server_that_says_late_where_to_post(streamed: Web) -> None:
    def misbehave(request: Request) -> bool:
        if request.message and not asked.is_set():
            request.answer(404, b"", kind="text/plain")
            asked.set()
            return True
        if not request.message:
            request.stream(b": welcome\n\n")
            asked.wait(20)
            request.__dict__["stream"] = request.wfile.write
        return False

    asked = threading.Event()
    streamed.misbehave = misbehave
    async with talk(Sse(streamed.url, name="web", connect_timeout=8)) as line:
        assert line.connection.state is State.OPEN


@pytest.mark.faults("T30", "T46")
@pytest.mark.parametrize("era", ["auto", "legacy", "2026-07-28"])
async def test_streamable_http_at_a_server_of_http_and_sse_says_what_to_write_in_every_era(
    streamed: Web, era: Any
) -> None:
    def misbehave(request: Request) -> bool:
        if request.message:
            request.answer(405, b"", kind="text/plain")
        return bool(request.message)

    streamed.misbehave = misbehave
    assert f"try Sse('{streamed.url}')" in await why_not(Http(streamed.url, name="web", era=era))


REFUSALS: list[tuple[int, bytes, dict[str, str], str]] = [
    (404, b"", {}, "is the path right?"),
    (405, b"", {}, "is the path right?"),
    (403, b"", {}, "it may want a login: auth="),
    (403, b"Invalid Origin header", {}, "headers={'Origin': ...}"),
    (403, b"Invalid Host header", {}, "does not answer for this host name"),
    (421, b"Invalid Host header", {}, "does not answer for this host name"),
    (503, b"", {"Retry-After": "7"}, "tried again after 7 s"),
    (429, b"", {"Retry-After": "7"}, "tried again after 7 s"),
]


@pytest.mark.faults("T30")
@pytest.mark.parametrize("kind", [Http, Sse])
@pytest.mark.parametrize(("status", "body", "headers", "told"), REFUSALS)
async def test_a_refusal_names_its_remedy(
    old: Web, kind: type[Http | Sse], status: int, body: bytes, headers: dict[str, str], told: str
) -> None:
    old.misbehave = answering(status, body, headers)
    said = await why_not(kind(old.url, name="web"))
    assert f"HTTP {status}" in said
    assert told in said


@pytest.mark.faults("T30")
async def test_credentials_that_do_not_suffice_are_told_apart_from_those_that_are_missing(old: Web) -> None:
    old.misbehave = answering(403)
    assert "do not allow this" in await why_not(Http(old.url, name="web", headers={"Authorization": "Bearer x"}))


@pytest.mark.faults("T30")
async def test_a_path_is_not_doubted_once_mcp_was_spoken_there(old: Web) -> None:
    old.instead("order", lambda request: request.answer(404, b"order not found", kind="text/plain"))
    async with talk(Http(old.url, name="web")) as line:
        with pytest.raises(TransportError) as caught:
            await line.call("order")
    assert "path" not in str(caught.value)


@pytest.mark.faults("T30")
@pytest.mark.parametrize("setting", ["verify", "cert"])
async def test_a_certificate_that_cannot_be_read_is_named_with_its_setting(setting: str, tmp_path: Path) -> None:
    there = tmp_path / "there.pem"
    there.write_text("no certificate")
    for path, why in ((tmp_path / "missing.pem", "no such file"), (there, "no certificate in PEM form")):
        settings: Any = {setting: str(path)}
        said = await why_not(Http("https://localhost:1/mcp", name="web", **settings))
        assert f"{setting}='{path}': {why}" in said


REASONS = [
    ({"detail": "city is missing"}, "city is missing"),
    ({"detail": [{"loc": ["body", "city"], "msg": "field required"}]}, "body.city: field required"),
    (
        {"detail": [{"loc": ["body", name], "msg": "field required"} for name in "abcd"]},
        "body.a: field required; body.b: field required; body.c: field required; ...",
    ),
    ({"errors": [{"message": "city is missing"}]}, "city is missing"),
]


@pytest.mark.faults("T28")
@pytest.mark.parametrize(("body", "reason"), REASONS)
async def test_the_reason_in_an_answer_that_is_no_message_is_kept(either: Web, body: object, reason: str) -> None:
    said = json.dumps(body).encode()

    def misbehave(request: Request) -> bool:
        way = request.message.get("params", {}).get("arguments", {}).get("way")
        if way == "refused":
            request.answer(422, said)
        elif way == "answered":
            request.answer(200, said)
        elif way in ("message", "error"):
            request.stream(f"event: {way}\n".encode() + b"data: " + said + b"\n\n")
        return way is not None

    either.misbehave = misbehave
    async with talk(Http(either.url, name="web")) as line:
        with pytest.raises(TransportError) as refused:
            await line.call("order", {"way": "refused"})
        assert reason in str(refused.value)
        for way in ("answered", "message", "error"):
            with pytest.raises(ToolOutcomeUnknownError) as caught:
                await line.call("order", {"way": way})
            assert reason in str(caught.value), way


@pytest.mark.faults("T28")
@pytest.mark.parametrize("kind", ["", "text/plain", "text/json", "application/vnd.mcp+json"])
async def test_an_answer_with_another_media_type_is_read_all_the_same(either: Web, kind: str) -> None:
    def misbehave(request: Request) -> bool:
        if request.tool == "order":
            result = {"resultType": "complete", "content": [{"type": "text", "text": "done"}]}
            body = {"jsonrpc": "2.0", "id": request.message["id"], "result": result}
            request.answer(200, json.dumps(body).encode(), kind=kind)
        return request.tool == "order"

    either.misbehave = misbehave
    async with talk(Http(either.url, name="web")) as line:
        assert await line.says("order") == "done"


@pytest.mark.faults("T16")
@pytest.mark.parametrize("status", [408, 500, 502, 504, 524])
async def test_a_json_rpc_error_with_a_gateways_status_says_that_it_may_have_run(either: Web, status: int) -> None:
    either.instead(
        "order", lambda request: request.error({"code": -32000, "message": "upstream request timed out"}, status)
    )
    async with talk(Http(either.url, name="web")) as line:
        with pytest.raises(TransportError, match=r"upstream request timed out.*may have run") as caught:
            await line.call("order")
    assert caught.value.http_status == status
    assert either.count("order") == 1


@pytest.mark.faults("T16")
@pytest.mark.parametrize(("status", "perhaps"), [(301, True), (302, True), (303, True), (304, True), (307, False)])
async def test_a_redirect_that_does_not_ask_for_the_same_again_may_come_after_a_side_effect(
    either: Web, status: int, perhaps: bool
) -> None:
    either.instead("order", lambda request: request.answer(status, b"", {"Location": "https://elsewhere.invalid/done"}))
    async with talk(Http(either.url, name="web")) as line:
        with pytest.raises(TransportError, match=f"HTTP {status}") as caught:
            await line.call("order")
    assert ("may have run" in str(caught.value)) is perhaps


ABSOLUTE = ["http://localhost:1/messages", "https://127.0.0.1/messages", "http://user:hush@internal:8000/messages"]


@pytest.mark.faults("T28")
@pytest.mark.parametrize("endpoint", ABSOLUTE)
async def test_the_host_that_a_server_has_behind_a_proxy_is_not_posted_to(streamed: Web, endpoint: str) -> None:
    streamed.endpoint = endpoint
    async with talk(Sse(streamed.url, name="web", era="legacy")) as line:
        assert json.loads(await line.says("echo", {"text": "on"})) == {"text": "on"}


@pytest.mark.faults("T28")
@pytest.mark.parametrize("status", [400, 403, 404, 405, 502])
async def test_a_prefix_that_a_server_does_not_know_of_is_found_whatever_its_gateway_answers(
    streamed: Web, status: int
) -> None:
    def misbehave(request: Request) -> bool:
        elsewhere = bool(request.message) and not request.path.startswith("/api/")
        if elsewhere:
            request.answer(status, b"", kind="text/plain")
        return elsewhere

    streamed.misbehave = misbehave
    async with talk(Sse(streamed.url.replace("/mcp", "/api/sse"), name="web", era="legacy")) as line:
        assert json.loads(await line.says("echo", {"text": "on"})) == {"text": "on"}
