from __future__ import annotations

import io
import re
import sys

import pytest
from toolgraft.config import Http

from tests.cli.conftest import Run

pytestmark = pytest.mark.timeout(180)  # it imports both frameworks, in a process of its own

WITHOUT = "sys.modules[{!r}] = None"


def test_both_frameworks_call_tools_over_both_transports(program: Run) -> None:
    ended = program("demo")
    assert ended.code == 0, ended.out + ended.err
    assert ended.err == ""
    for word in ("langchain", "openai_agents", "demo-stdio", "demo-http", "stdio 2026", "http 2026"):
        assert word in ended.out
    assert ended.out.count("Hello, Zoë!") == 4
    assert ended.out.count("[image/png]") == 4
    assert re.search(r"16 calls in langchain and openai_agents: 4 with a picture, 8 with structured", ended.out)


def test_of_own_servers_only_harmless_tools_are_called_unasked(program: Run, demo_http: Http) -> None:
    ended = program("demo", "--http", demo_http.url, before=WITHOUT.format("agents"))
    assert ended.code == 0, ended.out + ended.err
    assert "openai_agents is left out: pip install 'toolgraft[openai-agents]'" in ended.err
    table, below = ended.out.split("Not called", 1)
    assert "report" in table
    assert "Note" not in table
    assert "may have side effects: notes_delete" in below
    assert "needs arguments: add, greet" in below


def test_a_side_effect_is_called_when_it_is_asked_for(run: Run, demo_http: Http) -> None:
    ended = run("demo", "--http", demo_http.url, "--call", 'notes_delete={"id": 7}')
    assert ended.code == 0, ended.out + ended.err
    assert ended.out.count("Note 7 is deleted.") == 2
    assert "side effects" not in ended.out


@pytest.mark.parametrize(
    ("call", "told"),
    [("notes_delete={", "--call notes_delete"), ("notes.erase", "no tool 'notes.erase'")],
)
def test_a_call_that_is_asked_for_wrongly_is_told(call: str, told: str, run: Run, demo_http: Http) -> None:
    ended = run("demo", "--http", demo_http.url, "--call", call)
    assert ended.code == 2
    assert told in ended.err


def test_calls_are_for_own_servers(run: Run) -> None:
    ended = run("demo", "--call", "greet")
    assert ended.code == 2
    assert "--call" in ended.err


def test_a_failed_tool_fails_the_command(run: Run, demo_http: Http) -> None:
    ended = run("demo", "--http", demo_http.url, "--call", 'fail={"reason": "paper"}')
    assert ended.code == 1
    assert "paper" in ended.out


def test_servers_that_cannot_be_reached_are_told(run: Run, refused_url: str) -> None:
    ended = run("demo", "--http", refused_url)
    assert ended.code == 3
    assert refused_url in ended.err


def test_without_any_framework_it_says_what_to_install(program: Run) -> None:
    before = f"{WITHOUT.format('agents')}\n{WITHOUT.format('langchain_core')}"
    ended = program("demo", before=before)
    assert ended.code == 2
    assert "pip install 'toolgraft[langchain]'" in ended.err
    assert "pip install 'toolgraft[openai-agents]'" in ended.err
    assert "Traceback" not in ended.err
    assert sys.executable


def test_a_call_waits_for_a_yes_in_both_frameworks(program: Run) -> None:
    ended = program("demo", "--approve", "--yes")
    assert ended.code == 0, ended.out + ended.err
    for framework in ("langchain", "openai_agents"):
        asks = f'{framework} has paused and asks: may the model call notes_delete with {{"id": 7}}?'
        assert ended.out.index(asks) < ended.out.index(f"{framework}: the model was told: Note 7 is deleted.")
    assert ended.out.count("yes (--yes)") == 2


def test_without_a_terminal_the_answer_is_no_and_says_why(program: Run) -> None:
    ended = program("demo", "--approve", before=WITHOUT.format("agents"))
    assert ended.code == 0, ended.out + ended.err
    assert "no: there is no terminal to ask at, so the answer is no; --yes answers yes" in ended.out
    assert "the model was told: " in ended.out
    assert "a person said no" in ended.out
    assert "is deleted" not in ended.out


@pytest.mark.parametrize(("typed", "told"), [("y\n", "Note 3 is deleted."), ("\n", "a person said no")])
def test_at_a_terminal_a_person_is_asked(
    typed: str, told: str, run: Run, demo_http: Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed * 2))

    def at_a_terminal(*, yes: bool) -> str:
        return "terminal"

    monkeypatch.setattr("toolgraft.cli.demo.person", at_a_terminal)
    ended = run("demo", "--approve", "--http", demo_http.url, "--call", 'notes_delete={"id": 3}')
    assert ended.code == 0, ended.out + ended.err
    assert ended.err.count("[y/N]") == 2
    assert ended.out.count(told) == 2


@pytest.mark.parametrize(
    ("words", "told"), [(["--yes"], "--yes: it answers what --approve asks"), (["--approve"], "by --call")]
)
def test_what_does_not_go_together_is_told(words: list[str], told: str, run: Run, demo_http: Http) -> None:
    ended = run("demo", "--http", demo_http.url, *words)
    assert ended.code == 2
    assert told in ended.err
