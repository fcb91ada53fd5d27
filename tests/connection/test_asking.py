"""Whatever a server asks, whatever comes of asking: bounded, told to the right one, and never an answer made up."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from toolgraft.config import Answer, Elicitation, Http, InProcess, Sse, Stdio
from toolgraft.errors import CallbackError, DeadlineError, PageRequiredError, ProtocolError, ResultError

from tests.connection.conftest import Ledger, Talk, talk, until
from tests.servers.sdk import make, serving

pytestmark = pytest.mark.anyio
ASKING = Path(__file__).parent.parent / "servers" / "asking.py"
ERAS = ["legacy", "modern"]

who: ContextVar[str] = ContextVar("who", default="nobody")


class Steered(Exception):
    """What a host raises to steer its run."""


def steers(error: BaseException) -> bool:
    return isinstance(error, Steered)


def asking(era: str, ledger: Ledger | None = None, **options: Any) -> Stdio:
    more = [str(ledger.path)] if ledger is not None else []
    given: Any = {"name": "asking", "era": "legacy" if era == "legacy" else "2026-07-28", **options}
    return Stdio(sys.executable, str(ASKING), era, *more, **given)


def raising(error: BaseException) -> Any:
    async def elicit(asked: Elicitation) -> Answer:
        raise error

    return elicit


def raising_in_a_thread(error: BaseException) -> Any:
    def elicit(asked: Elicitation) -> Answer:
        raise error

    return elicit


async def accepts(asked: Elicitation) -> Answer:
    return Answer("accept", {"name": "Bo"})


@pytest.mark.faults("T39")
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("how", [raising, raising_in_a_thread])
@pytest.mark.parametrize("error", [Steered("stop here"), asyncio.CancelledError()])
async def test_the_hosts_control_flow_passes_to_the_caller_and_ends_the_call(
    era: str, how: Any, error: BaseException, ledger: Ledger
) -> None:
    async with talk(asking(era, ledger, elicit=how(error)), control_flow=steers) as line:
        with pytest.raises(type(error)) as raised:
            await line.call("ask")
        assert raised.value is error or isinstance(error, asyncio.CancelledError)
        if era == "legacy":
            await until(lambda: ledger.count("cancelled"))
        assert await line.says("echo", {"text": "goes on"}) == "goes on"


@pytest.mark.faults("T39", "T25")
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("how", [raising, raising_in_a_thread])
async def test_a_bug_in_the_callback_is_ours_and_not_the_persons_no(
    era: str, how: Any, ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    bug = KeyError("the secret of the callback")
    async with talk(asking(era, ledger, elicit=how(bug)), control_flow=steers) as line:
        with pytest.raises(CallbackError, match="elicit= function raised KeyError") as raised:
            await line.call("ask")
        assert raised.value.__cause__ is bug
        assert "secret" not in str(raised.value)
        if era == "legacy":
            await until(lambda: ledger.count("cancelled"))
        assert await line.says("echo", {"text": "goes on"}) == "goes on"
    (record,) = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert record.exc_info is not None
    assert record.exc_info[1] is bug


@pytest.mark.faults("T39")
async def test_control_flow_passes_over_every_transport_of_old_servers() -> None:
    stop = Steered("stop here")
    common: Any = {"name": "sdk", "era": "legacy", "elicit": raising(stop)}
    with serving("http") as url, serving("sse") as sse:
        for config in (Http(url, **common), Sse(sse, **common), InProcess(make(), **common)):
            async with talk(config, control_flow=steers) as line:
                with pytest.raises(Steered):
                    await line.call("greet_old")
                assert await line.says("echo", {"text": "goes on"}) == "goes on"


@pytest.mark.faults("T39")
@pytest.mark.parametrize("era", ERAS)
async def test_the_callback_runs_in_the_context_of_its_call(era: str) -> None:
    def elicit(asked: Elicitation) -> Answer:
        return Answer("accept", {"name": who.get()})

    async def elicit_async(asked: Elicitation) -> Answer:
        return elicit(asked)

    for callback in (elicit, elicit_async):
        async with talk(asking(era, elicit=callback)) as line:
            for name in ("ada", "bo"):
                who.set(name)
                assert name in await line.says("ask")


@pytest.mark.faults("T39")
async def test_a_question_beside_other_calls_is_that_of_the_one_that_does_not_end() -> None:
    stop = Steered("stop here")

    async def elicit(asked: Elicitation) -> Answer:
        assert asked.context.tool == "ask"
        assert who.get() == "asker"
        raise stop

    async def ask(line: Talk) -> str:
        who.set("asker")
        return await line.says("ask")

    async with talk(asking("legacy", elicit=elicit), control_flow=steers) as line:
        assert [await line.says("slow"), await line.says("echo", {"text": "x"})] == ["slow", "x"]
        others = [line.says("slow", limit=5), line.says("echo", {"text": "x"})]
        said = await asyncio.gather(*others, ask(line), return_exceptions=True)
    assert said == ["slow", "x", stop]


async def _asks_as(line: Talk, name: str, **arguments: Any) -> str:
    who.set(name)
    return await line.says("ask", arguments)


@pytest.mark.faults("T39")
@pytest.mark.parametrize("tell", ["return", "raise"])
async def test_each_of_those_that_ask_at_once_is_asked_in_its_own_context_and_ended_alone(
    tell: str, ledger: Ledger
) -> None:
    stop = {name: Steered(name) for name in ("ada", "bo", "cy")}

    async def elicit(question: Elicitation) -> Answer:
        assert question.context.tool == "ask"
        if tell == "raise" and who.get() != "bo":
            raise stop[who.get()]
        return Answer("accept", {"name": who.get()})

    async with talk(asking("legacy", ledger, elicit=elicit), control_flow=steers) as line:
        for _ in range(2):
            said = await asyncio.gather(*(_asks_as(line, name) for name in stop), return_exceptions=True)
            for name, each in zip(stop, said, strict=True):
                if tell == "raise" and name != "bo":
                    assert each is stop[name]
                else:
                    assert name in str(each)
    assert ledger.count("call ask") == 6


@pytest.mark.faults("T39")
async def test_others_are_asked_and_called_while_a_person_thinks() -> None:
    asked = 0
    all_asked = asyncio.Event()

    async def elicit(question: Elicitation) -> Answer:
        nonlocal asked
        asked += 1
        if asked == 3:
            all_asked.set()
        assert await line.says("echo", {"text": "called by elicit"}) == "called by elicit"
        async with asyncio.timeout(20):
            await all_asked.wait()
        return Answer("accept", {"name": who.get()})

    async with talk(asking("legacy", elicit=elicit)) as line:
        said = await asyncio.gather(*(_asks_as(line, name) for name in ("ada", "bo", "cy")))
    assert [name in each for name, each in zip(("ada", "bo", "cy"), said, strict=True)] == [True] * 3


@pytest.mark.faults("T39")
async def test_calls_that_ask_nothing_go_beside_each_other() -> None:
    async with talk(asking("legacy", elicit=accepts)) as line:
        assert await line.says("meet", {"n": 1}) == "met"
        assert await asyncio.gather(*(line.says("meet", {"n": 3}) for _ in range(2))) == ["met", "met"]


@pytest.mark.faults("T39")
async def test_a_call_that_used_up_its_time_without_asking_holds_up_no_other_of_its_kind() -> None:
    async with talk(asking("legacy", elicit=accepts)) as line:
        with pytest.raises(DeadlineError):
            await line.call("meet", {"n": 3}, limit=0.1)
        assert await asyncio.gather(*(line.says("meet", {"n": 3}) for _ in range(2))) == ["met", "met"]


@pytest.mark.faults("T39")
async def test_a_turn_that_is_waited_for_is_not_counted_and_can_be_given_up() -> None:
    async with talk(asking("legacy", elicit=accepts)) as line:
        first = asyncio.create_task(line.says("slow", limit=20))
        given_up = asyncio.create_task(line.says("ask", {"quietly": True}))
        short = asyncio.create_task(line.says("echo", {"text": "x"}, limit=0.2))
        await asyncio.sleep(0)
        given_up.cancel()
        assert await first == "slow"
        assert await short == "x"
        assert given_up.cancelled()


@pytest.mark.faults("T6", "T39")
async def test_a_call_waits_for_its_turn_behind_one_that_hangs_only_as_long_as_its_own_limit() -> None:
    """The first ends when there are two."""
    async with talk(asking("legacy", elicit=accepts)) as line:
        hanging = asyncio.create_task(line.says("meet", {"n": 2}, limit=None))
        await asyncio.sleep(0)
        assert await line.says("meet", {"n": 2}, limit=0.5) == "met"
        assert await hanging == "met"


@pytest.mark.faults("T6", "T39")
async def test_an_answer_waits_for_its_turn_behind_a_call_that_hangs_only_as_long_as_its_own_limit() -> None:
    hanging: list[asyncio.Task[str]] = []

    async def elicit(_: Elicitation) -> Answer:
        hanging.append(asyncio.create_task(line.says("meet", {"n": 2}, limit=None)))
        await asyncio.sleep(0)
        return Answer("accept", {"name": "Bo"})

    async with talk(asking("legacy", elicit=elicit)) as line:
        assert "accept" in await line.says("ask", limit=0.5)
        assert await line.says("meet", {"n": 2}, limit=0.5) == "met"
        assert await hanging[0] == "met"


@pytest.mark.faults("T39")
async def test_where_it_is_not_known_which_one_asks_none_is_ended_and_the_next_time_it_is_known() -> None:
    tools: list[str | None] = []

    async def elicit(question: Elicitation) -> Answer:
        tools.append(question.context.tool)
        raise Steered(who.get())

    async with talk(asking("legacy", elicit=elicit), control_flow=steers) as line:
        assert await line.says("ask", {"quietly": True}) == "done"
        said = await asyncio.gather(_asks_as(line, "ada", beside=2), _asks_as(line, "bo", beside=2))
        assert ["repeat this one" in each for each in said] == [True, True]
        again = await asyncio.gather(_asks_as(line, "ada"), _asks_as(line, "bo"), return_exceptions=True)
        assert [str(each) for each in again] == ["ada", "bo"]
    assert tools == [None, None, "ask", "ask"]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        ({"name": "far too long"}, "/name"),
        ({}, "/name"),
        ({"name": "Bo", "age": "old"}, "/age"),
        ({"name": {}}, "/name"),
    ],
)
async def test_an_answer_that_does_not_fit_the_form_is_not_sent(
    era: str, content: dict[str, Any], wrong: str, ledger: Ledger
) -> None:
    async def elicit(asked: Elicitation) -> Answer:
        return Answer("accept", content)

    async with talk(asking(era, ledger, elicit=elicit)) as line:
        with pytest.raises(CallbackError, match=f"does not fit the form: {wrong}") as raised:
            await line.call("ask")
        assert "far too long" not in str(raised.value)
        assert ledger.count("call ask") == 1


@pytest.mark.parametrize("given", [None, {"name": "Bo"}, "accept", Answer("yes")])  # pyright: ignore[reportArgumentType]
async def test_what_is_no_answer_is_an_error_of_the_callback(given: Any) -> None:
    async def elicit(asked: Elicitation) -> Answer:
        return given

    for era in ERAS:
        async with talk(asking(era, elicit=elicit)) as line:
            with pytest.raises(CallbackError, match="instead of an Answer"):
                await line.call("ask")


async def test_nobody_is_asked_before_all_of_a_round_can_be_answered() -> None:
    asked: list[Elicitation] = []

    async def elicit(question: Elicitation) -> Answer:
        asked.append(question)
        return await accepts(question)

    async with talk(asking("modern", elicit=elicit)) as line:
        with pytest.raises(ProtocolError, match="sampling/createMessage"):
            await line.call("mixed")
        with pytest.raises(ResultError, match="64 times"):
            await line.call("many")
    assert not asked


@pytest.mark.parametrize("era", ERAS)
async def test_a_server_that_asks_for_ever_is_stopped(era: str, ledger: Ledger) -> None:
    asked: list[Elicitation] = []

    async def elicit(question: Elicitation) -> Answer:
        asked.append(question)
        return await accepts(question)

    async with talk(asking(era, ledger, elicit=elicit)) as line:
        with pytest.raises(ResultError, match="64 times"):
            await line.call("endless")
        if era == "legacy":
            await until(lambda: ledger.count("cancelled"))
        assert len(asked) == 64
        assert await line.says("echo", {"text": "goes on"}) == "goes on"


@pytest.mark.faults("T7")
async def test_a_question_with_no_call_under_way_is_declined_unseen(ledger: Ledger) -> None:
    asked: list[Elicitation] = []

    def elicit(question: Elicitation) -> Answer:
        asked.append(question)
        return Answer("accept", {"name": "Bo"})

    async with talk(asking("legacy", ledger, elicit=elicit)) as line:
        await line.call("later", {"n": 3000})
        await until(lambda: ledger.count("answered") == 3000)
        assert await line.says("echo", {"text": "goes on"}) == "goes on"
    assert ledger.count("answered decline") == 3000
    assert not asked


@pytest.mark.faults("T7")
async def test_a_flood_of_questions_in_a_call_takes_few_threads_and_the_rest_is_declined(ledger: Ledger) -> None:
    threads: list[int] = []
    before = threading.active_count()
    go = threading.Event()

    def elicit(question: Elicitation) -> Answer:
        threads.append(threading.active_count())
        go.wait(20)
        return Answer("accept", {"name": "Bo"})

    async with talk(asking("legacy", ledger, elicit=elicit)) as line:
        flood = asyncio.create_task(line.says("flood", {"n": 1000}))
        await until(lambda: len(threads) == 8 and ledger.count("answered decline") == 992)
        assert await asyncio.to_thread(lambda: "the pool of the host is free") == "the pool of the host is free"
        go.set()
        tally = json.loads(await flood)
    assert tally == {"accept": 8, "decline": 992}
    assert max(threads) <= before + 8 + 2


async def _page(line: Talk, tool: str) -> PageRequiredError:
    with pytest.raises(PageRequiredError, match=r"login\.invalid") as raised:
        await line.call(tool)
    assert "s3cret" not in str(raised.value)
    assert "s3cret" not in repr(raised.value)
    assert raised.value.urls == ("https://login.invalid/x?token=s3cret",)
    return raised.value


@pytest.mark.faults("T35")
@pytest.mark.parametrize(
    ("era", "tool"), [("legacy", "needs"), ("legacy", "page"), ("modern", "needs"), ("modern", "page")]
)
async def test_the_page_that_nobody_can_be_shown_is_named(era: str, tool: str) -> None:
    async with talk(asking(era)) as line:
        assert "elicit=" in str(await _page(line, tool))


@pytest.mark.faults("T35")
@pytest.mark.parametrize("data", [None, "no", [], {}, {"elicitations": {}}, {"elicitations": [{"url": 5}, "x"]}])
@pytest.mark.parametrize("era", ERAS)
async def test_so_is_one_that_only_the_message_names(era: str, data: Any) -> None:
    async with talk(asking(era)) as line:
        with pytest.raises(PageRequiredError, match=r"a page at login\.invalid .*elicit=") as raised:
            await line.call("needs", {"data": data})
    assert "s3cret" not in str(raised.value)
    assert raised.value.urls == ("https://login.invalid/x?token=s3cret",)


@pytest.mark.faults("T35")
async def test_a_page_that_only_the_message_names_is_shown_to_whoever_is_there() -> None:
    asked: list[Elicitation] = []

    async def elicit(question: Elicitation) -> Answer:
        asked.append(question)
        return Answer("decline")

    async with talk(asking("legacy", elicit=elicit)) as line:
        with pytest.raises(PageRequiredError, match="the answer was decline"):
            await line.call("needs", {"data": None})
    assert [(each.url, each.message) for each in asked] == [
        ("https://login.invalid/x?token=s3cret", "see login.invalid")
    ]


@pytest.mark.faults("T35")
async def test_the_error_of_a_call_that_asked_nobody_names_the_remedy() -> None:
    async with talk(asking("legacy")) as line:
        with pytest.raises(ProtocolError, match=r"Elicitation not supported; .*elicit="):
            await line.call("ask", {"or fail": True})


@pytest.mark.faults("T35")
@pytest.mark.parametrize("action", ["accept", "decline"])
async def test_a_page_that_was_not_opened_or_did_not_help_is_named_too(action: Any) -> None:
    asked: list[Elicitation] = []

    async def elicit(question: Elicitation) -> Answer:
        asked.append(question)
        return Answer(action)

    async with talk(asking("legacy", elicit=elicit)) as line:
        why = str(await _page(line, "needs"))
        assert ("still asks" in why) is (action == "accept")
    assert len(asked) == 1


@pytest.mark.faults("T35")
async def test_a_server_that_refuses_for_want_of_elicitation_is_answered_with_the_remedy() -> None:
    with serving("http") as url:
        async with talk(Http(url, name="sdk")) as line:
            with pytest.raises(ProtocolError, match="elicit="):
                await line.call("greet")


@pytest.mark.faults("T35")
async def test_an_old_server_that_asks_unoffered_is_told_so_as_the_sdk_tells_it(
    ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    async with talk(asking("legacy", ledger)) as line:
        for _ in range(3):
            assert await line.says("ask") == "error Elicitation not supported"
    (record,) = [each for each in caplog.records if "elicit=" in each.getMessage()]
    assert record.levelno == logging.WARNING


@pytest.mark.faults("T39")
async def test_an_interrupt_of_the_program_is_raised_where_the_call_is_waited_for() -> None:
    def elicit(asked: Elicitation) -> Answer:
        raise KeyboardInterrupt

    for era in ERAS:
        async with talk(asking(era, elicit=elicit)) as line:

            def wait(line: Talk = line) -> str:
                return line.connection.wait(lambda: line.says("ask"))

            outcome = await asyncio.to_thread(_outcome_of, wait)
            assert isinstance(outcome, KeyboardInterrupt)
            assert await line.says("echo", {"text": "goes on"}) == "goes on"


def _outcome_of(work: Callable[[], object]) -> object:
    try:
        return work()
    except BaseException as error:
        return error


async def test_canary_the_sdk_keeps_what_answers_questions_where_ours_is_put() -> None:
    async with Client(make(), mode="legacy") as client:
        assert callable(vars(client.session)["_elicitation_callback"])
