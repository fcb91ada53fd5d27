from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from toolgraft.config import Http

from tests.cli.conftest import HOSTILE, Run

Config = Callable[..., Path]


def test_a_table_tells_names_hints_arguments_strictness_and_size(run: Run, demo_http: Http) -> None:
    ended = run("tools", "--http", demo_http.url)
    lines = {line.split()[0]: line for line in ended.out.splitlines() if line.strip()}
    assert ended.code == 0
    assert {"Tool", "Title", "Hints", "Safety", "Arguments", "Strict", "Bytes"} <= set(lines["Tool"].split())
    assert "name, greeting?" in lines["greet"]
    assert "read-only" in lines["greet"]
    assert "yes" in lines["greet"]
    assert "destructive" in lines["notes_delete"]
    assert "Delete a note" in lines["notes_delete"]
    assert "notes.delete" in ended.out
    assert ended.out.index("Refused tools") < ended.out.index("refresh_view")
    assert "notes.delete is 'notes_delete': models take names of letters, digits, `_` and `-`" in ended.out
    assert ended.err == ""


def test_json_is_all_there_is_on_standard_output(run: Run, demo_http: Http, refused_url: str) -> None:
    ended = run("tools", "--json", "--http", demo_http.url, "--server", f"gone={refused_url}")
    gone, first = json.loads(ended.out)["servers"]
    tools = {tool["name"]: tool for tool in first["tools"]}
    assert ended.code == 1
    assert ended.out.isascii()
    assert tools["notes_delete"]["tool"] == "notes.delete"
    assert tools["add"]["strict"] is True
    assert tools["add"]["not_strict_because"] is None
    assert tools["add"]["arguments"] == [{"name": "a", "required": True}, {"name": "b", "required": True}]
    assert tools["add"]["hints"]["idempotent"] is True
    assert (tools["add"]["safety"], tools["add"]["safety_reason"]["by"]) == ("side_effect", "untrusted")
    assert [(each["tool"], each["name"]) for each in first["renamed"]] == [("notes.delete", "notes_delete")]
    assert [each["tool"] for each in first["refused"]] == ["refresh_view"]
    assert gone["name"] == "gone"
    assert gone["tools"] == []
    assert refused_url in gone["error"]


def test_a_dead_server_is_told_below_and_the_others_are_listed(run: Run, demo_http: Http, refused_url: str) -> None:
    ended = run("tools", "--server", f"gone={refused_url}", "--http", demo_http.url)
    assert ended.code == 1
    assert ended.out.index("greet") < ended.out.index("Failed servers") < ended.out.index("server 'gone'")
    assert "Traceback" not in ended.out + ended.err


def test_without_any_server_reached_the_exit_code_says_so(run: Run, refused_url: str) -> None:
    assert run("tools", "--http", refused_url).code == 3


def test_a_command_that_does_not_exist_is_named(run: Run, config: Config) -> None:
    ended = run("tools", str(config(git={"command": "mcp-server-gti"})))
    assert ended.code == 3
    assert "server 'git' (mcp-server-gti)" in ended.out
    assert "Traceback" not in ended.out + ended.err
    assert "TaskGroup" not in ended.out + ended.err


def test_a_website_is_no_server(run: Run, website: str) -> None:
    ended = run("tools", "--server", f"site={website}")
    assert ended.code == 3
    assert f"server 'site' ({website}):" in ended.out
    assert "Traceback" not in ended.out + ended.err
    assert "TaskGroup" not in ended.out + ended.err


def test_a_program_that_speaks_no_mcp_is_told_with_its_last_words(run: Run) -> None:
    program = f"{sys.executable} -c \"import sys; sys.exit('I am no server')\""
    ended = run("tools", "--server", f"odd=stdio:{program}")
    assert ended.code == 3
    assert "server 'odd'" in ended.out
    assert "I am no server" in ended.out
    assert "TaskGroup" not in ended.out + ended.err


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({"comand": "uvx"}, "command"),
        ({"command": "uvx", "args": "mcp-server-git"}, "args"),
        ({"command": "uvx", "env": {"TOKEN": "${TOOLGRAFT_NOT_SET}"}}, "TOOLGRAFT_NOT_SET"),
    ],
)
def test_a_slip_in_a_config_file_names_file_server_and_field(
    entry: dict[str, object], field: str, run: Run, config: Config
) -> None:
    path = config(git=entry)
    ended = run("tools", str(path))
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.startswith("error: ")
    assert str(path) in ended.err
    assert "git" in ended.err
    assert field in ended.err
    assert "Traceback" not in ended.err


def test_the_usual_config_file_is_found_in_order_and_named(run: Run, config: Config, demo_http: Http) -> None:
    config(".vscode/mcp.json", second={"command": "no-such-command"})
    config(".mcp.json", first={"type": "http", "url": demo_http.url})
    ended = run("tools", "--trust-found")
    assert ended.code == 0
    assert ended.err == "servers of .mcp.json\n"
    assert "first" in ended.out


def test_without_servers_it_says_where_it_looked(run: Run) -> None:
    ended = run("tools")
    assert ended.code == 2
    assert ".mcp.json, .vscode/mcp.json, .cursor/mcp.json" in ended.err
    assert "--http" in ended.err


def test_a_bare_word_is_never_run(run: Run, tmp_path: Path) -> None:
    ended = run("tools", "--server", f"touch {tmp_path / 'touched'}")
    assert ended.code == 2
    assert "stdio: touch" in ended.err
    assert not (tmp_path / "touched").exists()


def test_a_named_command_without_its_kind_is_told_in_the_form_that_works(run: Run) -> None:
    ended = run("tools", "--server", "demo=python -m toolgraft.testing")
    assert ended.code == 2
    assert "write 'demo=stdio: python -m toolgraft.testing'" in ended.err


def test_a_number_that_json_has_not_is_none_in_it(run: Run) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    ended = run("tools", "--json", "--server", f"hostile=stdio:{HOSTILE}")
    (server,) = json.loads(ended.out, parse_constant=refuse)["servers"]
    assert server["tools"][0]["output_schema"] == {"type": "object", "default": None}


def test_nothing_a_server_writes_commands_the_terminal(run: Run) -> None:
    for words in (("tools",), ("tools", "--json"), ("tools", "--verbose"), ("demo",)):
        ended = run(*words, "--server", f"hostile=stdio:{HOSTILE}")
        assert ended.code in (0, 1)
        assert "wipe" in ended.out
        assert not {"\x1b", "\x07", "\x9b", "\u202e", "\ud800"} & set(ended.out + ended.err)
        assert "[bold]" in ended.out or "bold" in ended.out


@pytest.mark.faults("P2")
def test_what_a_second_call_would_do_is_told_with_who_says_so(run: Run, config: Config, demo_http: Http) -> None:
    rules = {
        "safety": {"add": "read_only"},
        "without": ["gre*", "x*"],
        "unknown_tools": "warn",
        "only": ["ad", "add", "fail"],
    }
    file = str(config(demo={"url": demo_http.url, **rules}))
    table, told = run("tools", file).out, json.loads(run("tools", "--json", file).out)
    assert "by safety=" in table
    assert "lists no tool 'ad' named in only" in " ".join(table.split())
    (server,) = told["servers"]
    assert [(each["name"], each["safety"]) for each in server["tools"]] == [
        ("add", "read_only"),
        ("fail", "side_effect"),
    ]
    assert server["tools"][0]["safety_reason"] == {"by": "safety", "sentence": "`safety` says so of 'add'"}
    assert server["tools"][0]["destructive"] is False
    assert len(server["warnings"]) == 2
