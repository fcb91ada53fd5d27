"""What an error reporter finds in the local variables of every frame of an error: no token of a URL or header."""

from __future__ import annotations

import socket
from collections.abc import Generator, Iterator
from typing import Any, cast

import httpx2
import pytest
from toolgraft.config import Http, Sse
from toolgraft.connection.connection import Connection
from toolgraft.errors import ToolgraftError

from tests.connection.conftest import a_call
from tests.servers.web import Request, Streamed, Web, web

pytestmark = [pytest.mark.anyio, pytest.mark.faults("T10")]

MARK = "s3cr3t-t0k3n"


def chained(error: BaseException) -> Iterator[BaseException]:
    waiting: list[BaseException | None] = [error]
    seen: list[BaseException] = []
    while waiting:
        one = waiting.pop()
        if one is None or any(one is each for each in seen):
            continue
        seen.append(one)
        yield one
        waiting += [one.__cause__, one.__context__]
        if isinstance(one, BaseExceptionGroup):
            waiting += cast("tuple[BaseException, ...]", one.exceptions)


def leaks(error: BaseException) -> list[str]:
    """Where the mark is found, as Sentry and rich look: the `repr` of each local variable of each frame."""
    found: list[str] = []
    for each in chained(error):
        if MARK in f"{each!r} {each}":
            found.append(f"{type(each).__name__}: {each}")
        trace = each.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            if "tests/" not in code.co_filename and "_pytest" not in code.co_filename:
                for name, value in trace.tb_frame.f_locals.items():
                    if MARK in repr(value):
                        found.append(f"{type(each).__name__} at {code.co_filename}:{trace.tb_lineno} {name}")
            trace = trace.tb_next
    return found


def declared(kind: type[Http | Sse], url: str, **settings: Any) -> Http | Sse:
    given: Any = {"name": "web", "headers": {"x-api-key": MARK}, **settings}
    return kind(f"{url}?token={MARK}", **given)


async def failing(config: Http | Sse, *, limit: float = 20) -> ToolgraftError:
    connection = Connection(config)
    try:
        await connection.open()
        await connection.call(a_call("web", "order", {"n": 1}, limit=limit))
    except ToolgraftError as error:
        return error
    finally:
        await connection.close()
    raise AssertionError("it did not fail")


@pytest.fixture(params=[Http, Sse], ids=["Http", "Sse"])
def kind(request: pytest.FixtureRequest) -> type[Http | Sse]:
    return request.param


@pytest.fixture
def served(kind: type[Http | Sse]) -> Generator[Web]:
    with web(speaks=Streamed if kind is Sse else Request) as running:
        yield running


def refused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_connection_that_is_refused(kind: type[Http | Sse], scheme: str) -> None:
    assert leaks(await failing(declared(kind, f"{scheme}://127.0.0.1:{refused_port()}/mcp"))) == []


async def test_a_failed_tls_handshake(kind: type[Http | Sse], served: Web) -> None:
    assert leaks(await failing(declared(kind, served.url.replace("http:", "https:")))) == []


async def test_a_server_that_is_silent_while_it_is_connected(kind: type[Http | Sse]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"
        assert leaks(await failing(declared(kind, url, connect_timeout=0.4, era="legacy"))) == []


@pytest.mark.parametrize("status", [401, 404, 500, 307])
async def test_a_refusal_of_every_request(kind: type[Http | Sse], served: Web, status: int) -> None:
    def misbehave(request: Request) -> bool:
        request.answer(status, b"no", {"Location": f"http://elsewhere.invalid/?token={MARK}"} if status == 307 else {})
        return True

    served.misbehave = misbehave
    assert leaks(await failing(declared(kind, served.url))) == []


@pytest.mark.parametrize("how", ["401", "500", "no message", "reset", "silence"])
async def test_a_call_that_fails(kind: type[Http | Sse], served: Web, how: str) -> None:
    def misbehave(request: Request) -> bool:
        if request.tool != "order":
            return False
        if how == "reset":
            request.close_connection = True
            request.connection.shutdown(socket.SHUT_RDWR)
        elif how == "no message" and kind is Http:
            request.answer(200, b"no message")
        elif how != "silence":
            request.answer(int(how) if how.isdigit() else 400, b"no")
        return True

    served.misbehave = misbehave
    error = await failing(declared(kind, served.url), limit=0.5 if how == "silence" else 20)
    assert leaks(error) == []


class Failing(httpx2.Auth):
    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response]:
        raise LookupError("no key")
        yield request


async def test_an_application_still_sees_where_its_own_function_failed(served: Web, kind: type[Http | Sse]) -> None:
    error = await failing(declared(kind, served.url, auth=Failing()))
    assert leaks(error) == []
    names: list[str] = []
    for each in chained(error):
        trace = each.__traceback__
        while trace is not None:
            names.append(trace.tb_frame.f_code.co_name)
            trace = trace.tb_next
    assert "auth_flow" in names
