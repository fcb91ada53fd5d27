from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toolgraft.cli.check import Candidate, check
from toolgraft.config import Http
from toolgraft.errors import ConfigError

from tests.cli.conftest import Run

Config = Callable[..., Path]

TOOLS: list[dict[str, Any]] = [
    {"name": "one", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}},
    {"name": "two", "inputSchema": {"type": "object", "properties": {"kv": {"type": "object"}}}},
    {"name": "three", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/gone"}}}},
    {"name": "four\x1b[31m"},
]


@pytest.fixture
def corpus_file(tmp_path: Path) -> Path:
    path = tmp_path / "demo.json"
    path.write_text(json.dumps({"server": "demo", "tools": TOOLS}), "utf-8")
    return path


def test_each_tool_is_told_with_its_form_size_and_reason(run: Run, corpus_file: Path) -> None:
    ended = run("check", str(corpus_file))
    lines = ended.out.splitlines()
    assert ended.code == 1
    assert lines[0].split()[:2] == ["natural", "demo.one"]
    assert "tokens" in lines[0]
    assert lines[1].split()[0] == "full"
    assert "any members (at '/properties/kv')" in lines[1]
    assert lines[2].split()[0] == "refused"
    assert "points to nothing (at '/properties/a')" in lines[2]
    assert "\x1b" not in ended.out
    assert any(line.startswith("refused") and "50.0 %" in line for line in lines[-4:])


@pytest.mark.faults("S6")
def test_json_is_one_object_a_line(run: Run, corpus_file: Path) -> None:
    ended = run("check", "--json", str(corpus_file))
    told = [json.loads(line) for line in ended.out.splitlines()]
    keys = ["server", "tool", "verdict", "pointer", "reason", "flags", "plain", "strict"]
    assert [list(each) for each in told] == [keys] * 4
    assert [each["verdict"] for each in told] == ["natural", "full", "refused", "refused"]
    assert told[1]["pointer"] == "/properties/kv"
    assert told[1]["strict"]["properties"]["kv"]["type"] == ["string", "null"]
    assert told[0]["reason"] == ""
    assert told[2]["plain"] is None
    assert ended.out.isascii()


def test_a_folder_is_all_its_tool_lists(run: Run, corpus_file: Path) -> None:
    (corpus_file.parent / "plain.json").write_text(json.dumps(TOOLS[:1]), "utf-8")
    (corpus_file.parent / "other.json").write_text("{}", "utf-8")
    ended = run("check", "--json", str(corpus_file.parent))
    assert [json.loads(line)["server"] for line in ended.out.splitlines()] == ["demo"] * 4 + ["plain"]


def test_a_config_file_means_its_servers(run: Run, config: Config, demo_http: Http) -> None:
    ended = run("check", str(config(demo={"url": demo_http.url})))
    assert "natural  demo.greet " in ended.out
    assert ended.code == 0


def test_servers_may_be_named_by_options(run: Run, demo_http: Http) -> None:
    told = [json.loads(line) for line in run("check", "--json", "--http", demo_http.url).out.splitlines()]
    assert {"greet", "notes.delete"} <= {each["tool"] for each in told}


def test_a_server_that_cannot_be_reached_is_told(run: Run, demo_http: Http, refused_url: str) -> None:
    ended = run("check", "--http", demo_http.url, "--server", f"gone={refused_url}")
    assert ended.code == 1
    assert "greet" in ended.out
    assert "gone" in ended.err


def test_what_does_not_exist_is_said(run: Run) -> None:
    ended = run("check", "nowhere.json")
    assert ended.code == 2
    assert "nowhere.json" in ended.err


def test_a_folder_without_tool_lists_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no tool list"):
        check(str(tmp_path), False, list)


def test_loaded_tools_are_checked_as_they_come(capsys: pytest.CaptureFixture[str]) -> None:
    assert check(None, True, lambda: [Candidate("s", "t", {"type": "object"})]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "natural"


FOR_MODELS: list[dict[str, Any]] = [
    {"name": "2fa", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer", "enum": [1, 2]}}}},
    {"name": "map", "inputSchema": {"type": "object", "properties": {"kv": {"type": "object"}}}},
]


def test_told_a_model_it_shows_what_its_provider_would_get(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "demo.json"
    path.write_text(json.dumps({"server": "demo", "tools": FOR_MODELS}), "utf-8")
    gemini = run("check", str(path), "--model", "gemini")
    assert gemini.code == 0
    assert gemini.out.splitlines()[0].split()[:2] == ["plain", "demo.2fa"]
    assert gemini.out.splitlines()[0].endswith("as '_2fa'")
    openai = run("check", str(path), "--model", "openai:gpt-5")
    assert [line.split()[0] for line in openai.out.splitlines()[:2]] == ["strict", "plain"]
    assert "any members (at '/properties/kv')" in openai.out.splitlines()[1]
    lines = [json.loads(line) for line in run("check", str(path), "--model", "gemini", "--json").out.splitlines()]
    assert lines[0]["name"] == "_2fa"
    assert "One of: [1, 2]." in lines[0]["model"]["properties"]["n"]["description"]


def test_a_tool_that_a_model_would_not_be_given_ends_the_check_with_one(run: Run, corpus_file: Path) -> None:
    ended = run("check", str(corpus_file), "--model", "groq")
    assert ended.code == 1
    assert [line.split()[0] for line in ended.out.splitlines()[:4]] == ["plain", "plain", "refused", "refused"]


def test_an_unknown_model_is_an_error_with_the_nearest_name(run: Run, corpus_file: Path) -> None:
    ended = run("check", str(corpus_file), "--model", "gemeni")
    assert ended.code == 2
    assert "did you mean 'gemini'?" in ended.err


FLAGGED: list[dict[str, Any]] = [
    {"name": "get1", "inputSchema": {"type": "object"}, "description": "a\U000e0041b\u202e"},
    {"name": "getl", "inputSchema": {"type": "object", "properties": {"x\u200b": {"enum": ["a\u200bb"]}}}},
    {"name": "d\u0435lete", "inputSchema": {"type": "object"}, "description": "word " * 2_000},
    {
        "name": "fine",
        "inputSchema": {"type": "object"},
        "description": "Gr\u00fc\u00dfe \U0001f600 \u0633\u0644\u0627\u0645",
    },
]


def test_what_a_person_should_look_at_is_flagged(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "demo.json"
    path.write_text(json.dumps(FLAGGED), "utf-8")
    ended = run("check", str(path))
    flags = [line.split(maxsplit=2)[1:] for line in ended.out.splitlines() if line.startswith("flag ")]
    assert [(tool, told.partition(" (at")[0]) for tool, told in flags] == [
        ("demo.get1", "characters that nobody sees: tag characters, U+202E"),
        ("demo.getl", "characters that nobody sees: U+200B"),
        ("demo.getl", "characters that nobody sees: U+200B"),
        ("demo.getl", "a name that looks like that of the tool 'demo.get1', and is another"),
        ("demo.d\u0435lete", "letters of several scripts: Cyrillic, Latin"),
        ("demo.d\u0435lete", "a description of 10,000 bytes: read what it says"),
    ]
    assert ended.out.isprintable() or not {"\u202e", "\u200b", "\U000e0041"} & set(ended.out)
    assert ended.out.splitlines()[-1].split()[:2] == ["flagged", "3"]
    lines = [json.loads(line) for line in run("check", str(path), "--json").out.splitlines()]
    assert lines[0]["flags"][0]["pointer"] == "/description"
    assert [len(line["flags"]) for line in lines] == [1, 3, 2, 0]
