"""A server that needs input in the middle of a call asks a person, whose time does not count."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from toolgraft.calls import Deadline
from toolgraft.config import Answer, Elicitation, Http, InProcess, Sse, Stdio
from toolgraft.connection.connection import Connection

from tests.connection.conftest import Ledger, StartRaw, a_call, raw_stdio, talk
from tests.connection.test_listing import way
from tests.servers.sdk import make, serving

pytestmark = pytest.mark.anyio
SDK = Path(__file__).parent.parent / "servers" / "sdk.py"


class Person:
    """Answers after a while, and remembers what was asked."""

    def __init__(self, action: Any = "accept", wait: float = 0.0, **content: Any) -> None:
        self.asked: list[Elicitation] = []
        self._action = action
        self._wait = wait
        self._content = content

    async def __call__(self, question: Elicitation) -> Answer:
        self.asked.append(question)
        await asyncio.sleep(self._wait)
        return Answer(self._action, self._content)


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_form_is_answered_and_what_is_missing_comes_from_its_defaults(
    transport: str, start_raw: StartRaw
) -> None:
    person = Person(name="Bo")
    async with talk(way(transport, start_raw, elicit=person)) as line:
        answer = json.loads(await line.says("ask", {"a": 1}))
        assert answer["action"] == "accept"
        assert answer["content"] == {"name": "Bo", "n": 3}
    asked = person.asked[0]
    assert (asked.context.server, asked.context.tool) == ("raw", "ask")
    assert asked.message == "who?"
    assert asked.url is None
    assert asked.schema is not None
    assert "name" in asked.schema["properties"]


async def test_a_page_is_shown_by_its_url() -> None:
    person = Person()
    async with talk(raw_stdio(elicit=person)) as line:
        answer = json.loads(await line.says("ask", {"url": "https://pay.invalid/x"}))
        assert answer["action"] == "accept"
        assert "content" not in answer
    assert person.asked[0].url == "https://pay.invalid/x"
    assert person.asked[0].schema is None


async def test_a_url_that_is_no_web_page_is_declined_unseen() -> None:
    person = Person()
    async with talk(raw_stdio(elicit=person)) as line:
        assert json.loads(await line.says("ask", {"url": "file:///etc/passwd"}))["action"] == "decline"
    assert not person.asked


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_a_person_may_say_no(action: str) -> None:
    async with talk(raw_stdio(elicit=Person(action, name="x"))) as line:
        answer = json.loads(await line.says("ask", {"a": 1}))
        assert answer["action"] == action
        assert "content" not in answer


async def test_without_a_callback_the_answer_is_no() -> None:
    async with talk(raw_stdio()) as line:
        assert json.loads(await line.says("ask", {"a": 1}))["action"] == "decline"


async def test_a_callback_may_be_a_plain_function_that_blocks() -> None:
    def person(question: Elicitation) -> Answer:
        time.sleep(0.05)
        return Answer("accept", {"name": question.context.tool})

    async with talk(raw_stdio(elicit=person)) as line:
        answers = await asyncio.gather(line.says("ask", {"a": 1}), line.says("echo", {"text": "meanwhile"}))
        assert json.loads(answers[0])["content"]["name"] == "ask"


async def test_a_persons_time_does_not_count() -> None:
    async with talk(raw_stdio(elicit=Person(wait=0.6, name="slow"))) as line:
        assert "slow" in await line.says("ask", {"a": 1}, limit=0.4)


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_tool_that_wants_to_be_asked_again_is_asked_until_it_is_done(
    transport: str, start_raw: StartRaw
) -> None:
    async with talk(way(transport, start_raw)) as line:
        assert await line.says("again", {"rounds": 4}) == "done after 4"


@pytest.mark.parametrize("era", ["modern", "legacy"])
@pytest.mark.parametrize("asks", [False, True])
async def test_elicitation_is_offered_only_with_a_callback(era: str, asks: bool, ledger: Ledger) -> None:
    person = Person() if asks else None
    async with talk(raw_stdio("--era", era, "--ledger", str(ledger.path), elicit=person)):
        offered = [line for line in ledger.lines if line.startswith("offered")]
        assert offered
        assert all(("elicitation" in line) is asks for line in offered)


async def test_pages_that_must_be_opened_first_are_shown_and_the_call_is_made_once_more() -> None:
    person = Person()
    async with talk(raw_stdio("--era", "legacy", elicit=person)) as line:
        assert await line.says("pages") == "logged in"
    assert person.asked[0].url == "https://login.invalid/"


async def _greet(config: Any, tool: str, limit: float) -> str:
    connection = Connection(config)
    try:
        await connection.open()
        raw = await connection.call(a_call(config.name, tool, user="me", limit=Deadline(limit, "test")))
        return str(raw["content"][0]["text"])
    finally:
        await connection.close()


async def test_an_sdk_server_asks_in_both_eras_and_on_every_transport() -> None:
    person = Person(wait=5.5, name="Ada")
    common: Any = {"name": "sdk", "elicit": person}
    with serving("http") as url, serving("sse") as sse:
        legacy = [
            Stdio(sys.executable, str(SDK), era="legacy", **common),
            Http(url, era="legacy", **common),
            Sse(sse, era="legacy", **common),
            InProcess(make(), era="legacy", **common),
        ]
        modern = [Http(url, **common), Sse(sse, **common), InProcess(make(), **common)]
        greetings = [_greet(config, "greet_old", 5.0) for config in legacy]
        greetings += [_greet(config, "greet", 5.0) for config in modern]
        assert set(await asyncio.gather(*greetings)) == {"accept Ada", "hi Ada"}
    assert {asked.context.tool for asked in person.asked} == {"greet", "greet_old"}
    assert {asked.context.user for asked in person.asked} == {"me"}
