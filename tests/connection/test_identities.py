"""Nothing that a server sets for one identity reaches another's request, and no identity ends another's call."""

from __future__ import annotations

import asyncio
import json
import threading
import uuid
from collections.abc import Mapping
from http.cookies import SimpleCookie
from typing import Any

import pytest
from toolgraft.config import CallContext, Http
from toolgraft.connection.session.sessions import IDLE, STRANGERS
from toolgraft.errors import TransportError

from tests.connection.conftest import Talk, a_call, talk
from tests.servers.web import Request, web

pytestmark = pytest.mark.anyio


async def call_as(line: Talk, user: str, arguments: Mapping[str, Any] | None = None) -> Any:
    raw = await line.connection.call(a_call("web", "echo", arguments or {"user": user}, user=user))
    return json.loads(raw["content"][0]["text"])


def bearer(context: CallContext) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {context.user}",
        "X-Request-Id": uuid.uuid4().hex,
        "traceparent": uuid.uuid4().hex,
    }


def setting_cookies(request: Request) -> bool:
    """Sets a cookie for each user, and answers with what came."""
    if request.tool:
        user = str(request.headers.get("authorization"))
        cookie = SimpleCookie(request.headers.get("cookie", ""))
        said = json.dumps({"user": user, "cookie": cookie["who"].value if "who" in cookie else None})
        result = {"content": [{"type": "text", "text": said}], "resultType": "complete"}
        request.result(result, {"Set-Cookie": f"who={user.split()[-1]}; Path=/"})
    return bool(request.tool)


@pytest.mark.parametrize("modern", [True, False])
@pytest.mark.faults("T2")
async def test_a_cookie_comes_back_with_the_calls_of_its_own_identity_alone(modern: bool) -> None:
    with web(modern=modern) as served:
        served.misbehave = setting_cookies
        async with talk(Http(served.url, name="web", headers=bearer)) as line:
            assert (await call_as(line, "ada"))["cookie"] is None
            assert (await call_as(line, "bo"))["cookie"] is None
            assert (await call_as(line, "ada"))["cookie"] == "ada"
            assert (await call_as(line, "bo"))["cookie"] == "bo"


async def test_cookies_of_one_and_only_caller_are_kept() -> None:
    with web(modern=True) as served:
        served.misbehave = setting_cookies
        async with talk(Http(served.url, name="web", headers={"Authorization": "Bearer all"})) as line:
            assert (await call_as(line, "x"))["cookie"] is None
            assert (await call_as(line, "y"))["cookie"] == "all"


@pytest.mark.faults("T3")
async def test_a_hundred_identities_at_once_each_get_their_answer() -> None:
    with web() as served:
        everybody = threading.Barrier(100, timeout=30)

        def misbehave(request: Request) -> bool:
            if request.tool:
                everybody.wait()  # all sessions are in use at once
            return False

        served.misbehave = misbehave
        users = [f"u{n}" for n in range(100)]
        async with talk(Http(served.url, name="web", headers=bearer)) as line:
            answers = await asyncio.gather(*(call_as(line, user) for user in users))
            assert [each["user"] for each in answers] == users
            assert served.count("initialize") == 101
            served.misbehave = lambda _: False
            await call_as(line, "u99")  # the last to be used: kept open
            assert served.count("initialize") == 101
            await call_as(line, "u0")
            assert served.count("initialize") == 102


@pytest.mark.faults("T3")
async def test_a_running_call_is_not_ended_when_others_come_by() -> None:
    with web() as served:
        done = threading.Event()

        def misbehave(request: Request) -> bool:
            if request.tool and request.message["params"]["arguments"].get("slow"):
                done.wait(30)
            return False

        served.misbehave = misbehave
        async with talk(Http(served.url, name="web", headers=bearer)) as line:
            slow = asyncio.create_task(call_as(line, "slow", {"slow": True}))
            for n in range(IDLE + 10):
                await call_as(line, f"u{n}")
            done.set()
            assert await slow == {"slow": True}


@pytest.mark.faults("T3")
async def test_headers_of_a_single_call_make_no_session() -> None:
    with web() as served:
        async with talk(Http(served.url, name="web", headers=bearer)) as line:
            for _ in range(5):
                await call_as(line, "ada")
            assert served.count("initialize") == 2  # nobody's, and hers


@pytest.mark.faults("T2")
@pytest.mark.parametrize(
    "header", ["X-Request-Identity", "X-Call-Identity", "X-Web3-Address", "X-Traceable-User", "X-Lifespan", "X-Dated"]
)
async def test_a_header_whose_name_only_reminds_of_a_single_call_tells_callers_apart(header: str) -> None:
    with web() as served:
        config = Http(served.url, name="web", headers=lambda context: {header: str(context.user)})
        async with talk(config) as line:
            for user in ("ada", "bo", "ada"):
                await call_as(line, user)
            assert served.count("initialize") == 3


@pytest.mark.faults("T3")
@pytest.mark.parametrize(("users", "told"), [(STRANGERS + 5, 1), (3, 0)])
async def test_a_session_for_each_call_is_said_once(users: int, told: int, caplog: pytest.LogCaptureFixture) -> None:
    with web() as served:
        async with talk(Http(served.url, name="web", headers=lambda context: {"X-User": str(context.user)})) as line:
            for number in range(STRANGERS + 5):
                await call_as(line, f"u{number % users}")
    assert caplog.text.count("identity=") == told


@pytest.mark.faults("T3")
async def test_identity_is_what_the_declaration_says() -> None:
    def rotating(context: CallContext) -> dict[str, str]:
        return {"Authorization": f"Bearer {uuid.uuid4().hex}"}

    with web() as served:
        config = Http(served.url, name="web", headers=rotating, identity=lambda context: str(context.user))
        async with talk(config) as line:
            for user in ("ada", "bo", "ada", "bo"):
                await call_as(line, user)
            assert served.count("initialize") == 3


async def test_an_identity_function_that_raises_fails_its_call_alone() -> None:
    def identity(context: CallContext) -> str:
        if context.user == "nobody":
            raise LookupError("who?")
        return str(context.user)

    for modern in (True, False):
        with web(modern=modern) as served:
            async with talk(Http(served.url, name="web", identity=identity)) as line:
                with pytest.raises(TransportError, match="its identity function failed: LookupError") as caught:
                    await call_as(line, "nobody")
                assert not caught.value.sent
                assert isinstance(caught.value.__cause__, LookupError)
                assert await call_as(line, "ada") == {"user": "ada"}
