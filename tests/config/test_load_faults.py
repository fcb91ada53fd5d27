"""What a faulty config gets: one error that names file, server, field and remedy."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft.config import Loaded, load
from toolgraft.errors import ConfigError


def fault(config: object, **more: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        load(config, **more)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return str(caught.value)


def fault_of(entry: object) -> str:
    return fault({"mcpServers": {"it": entry}}, environ={})


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("npx foo", "'npx foo' is not a file, and is never run; declare a command as Stdio("),
        ("npx -y foo --token hunter2x", "'npx -y foo --token ***' is not a file"),
        ("https://user:hunter2x@h/mcp", "'https://h/mcp' is a URL, not a config file; declare the server as Http(url)"),
        ('{"mcpServers": {"a": {"env": {"T": "hunter2x"}}}}', "load(json.loads(text))"),
        ("no-such-file.json", "there is no file 'no-such-file.json'"),
        ("", "there is no file"),
        ("a\0b", "there is no file"),
        ("x" * 5000, "there is no file"),
    ],
    ids=lambda text: text[:20],
)
def test_a_string_that_is_no_file_is_never_run(source: str, message: str) -> None:
    said = fault(source)
    assert message in said
    assert "hunter2x" not in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'is empty; the smallest config is {"mcpServers": {}}'),
        ("  \n", "is empty"),
        ('{\n "mcpServers": {"a" {}}\n}', "line 2, column 21: is not JSON: Expecting ':' delimiter"),
        ('{\n // note\n "mcpServers": {"a" {}}\n}', "line 3, column 21: is not JSON"),
        ('{"mcpServers": {', "line 1, column 17: is not JSON"),
        ("[1, 2]", "must be an object"),
        ('"text"', "must be an object"),
        ('{"a": {"command": "x"}, "a": {"command": "y"}}', "has the key 'a' twice in one object; rename one"),
        ('{// c\n"a": {"command": "x"}, "a": {"command": "y"}}', "has the key 'a' twice in one object; rename one"),
        ('{"a": ' + "[" * 100_000, "is nested too deeply"),
        ("// c\n" + "[" * 10_000, "is nested too deeply"),
        ('{"a": ' + "9" * 5000 + "}", "Exceeds the limit"),
        ("{// " + "x" * 300_000 + "\n}", "comments are read in files up to 256 KiB"),
    ],
    ids=lambda text: text[:20],
)
def test_a_file_that_is_no_json_says_where(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(text)
    said = fault(path)
    assert str(path) in said
    assert message in said


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    assert "is not a regular file" in fault(tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "is not a regular file" in fault(pipe)
    binary = tmp_path / "binary"
    binary.write_bytes(b'{"a": "\xff\xfe"}')
    assert "is not text" in fault(binary)
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(33 * 1024 * 1024)
    assert "is larger than 32 MiB" in fault(huge)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_other_encodings_of_unicode_are_read(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{"mcpServers": {"größe": {"command": "x"}}}', encoding=encoding)
    assert load(path).servers[0].name == "größe"


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({}, "neither 'mcpServers' nor 'servers' is there"),
        ({"mcpserver": {}}, "'mcpserver' looks like 'mcpServers'"),
        ({"mcpServer": {"a": {"command": "x"}}}, "'mcpServer' looks like 'mcpServers'"),
        ({"command": "x", "args": []}, 'put it under a name, {"mcpServers": {"name": {…}}}'),
        ({"mcpServers": []}, "mcpServers: must be an object of servers by name, not a list"),
        ({"mcpServers": None}, "mcpServers: must be an object of servers by name, not null"),
        (
            {"mcpServers": {"a": {"command": "x"}}, "servers": {"a": {"command": "x"}}},
            "servers.a: a server of this name stands under 'mcpServers' too",
        ),
        ({1: {"command": "x"}}, "servers: has a key that is no string"),
        ({"servers": {1: {"command": "x"}}}, "servers: has a key that is no string"),
        ({"servers": {"it": {"command": "x", 1: 2}}}, "it: has a key that is no string"),
        ({"servers": {"it": {"command": "x", "env": {1: "2"}}}}, "it.env: has a key that is no string"),
        ({"servers": {}, "inputs": {}}, "inputs: must be a list"),
        ({"servers": {}, "inputs": [{"type": "promptString"}]}, 'inputs[0]: must be an object with an "id"'),
        ({"servers": {}, "inputs": [{"id": "a"}, {"id": "a"}]}, "inputs[1]: the id 'a' is there twice"),
    ],
    ids=str,
)
def test_a_root_that_is_none_says_what_is_missing(config: object, message: str) -> None:
    assert message in fault(config)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("npx foo", 'it: must be an object like {"command": …} or {"url": …}, not a string'),
        (None, "not null"),
        ({}, "has neither 'command' nor 'url'"),
        ({"comand": "x"}, "has neither 'command' nor 'url' ('comand' looks like 'command')"),
        ({"command": "x", "url": "http://h"}, "has both 'command' and 'url'; keep one"),
        ({"command": ["npx", "x"]}, "it.command: must be a string, not a list"),
        ({"command": ""}, "it: command is empty"),
        ({"command": "sh -c x"}, 'it.command: is a command line; write "command": "sh" and the rest in "args"'),
        (
            {"command": "x", "args": "-y pkg"},
            "it.args: must be a list of strings, not a string, each argument on its own",
        ),
        ({"command": "x", "args": ["a", True]}, 'it.args[1]: must be a string, not a boolean; write "true"'),
        ({"command": "x", "args": ["a", None]}, "it.args[1]: must be a string, not null"),
        ({"command": "x", "args": ["${NOPE}"]}, "it.args[0]: environment variable NOPE is not set; set it, or give a"),
        ({"command": "x", "env": ["A=b"]}, "it.env: must be an object of strings, not a list"),
        ({"command": "x", "env": {"A": {}}}, "it.env.A: must be a string, not an object"),
        ({"command": "x", "env": {"A=B": "c"}}, "it: env has a name"),
        ({"command": "x", "env": {"A": "${env:NOPE}"}}, "it.env.A: environment variable NOPE is not set"),
        ({"command": "x", "envFile": "no.env"}, "it.envFile: "),
        ({"command": "x", "cwd": 3}, "it.cwd: must be a string, not a number"),
        ({"command": "x", "type": "http"}, "it.type: says http, so that the entry needs 'url'"),
        ({"url": "http://h", "type": "stdio"}, "it.type: says stdio, so that the entry needs 'command'"),
        ({"url": "http://h", "type": "ws"}, "it.type: 'ws' is no transport that MCP has; there are stdio, http"),
        ({"url": "http://h", "type": 3}, "it.type: '3' is no transport"),
        ({"url": "http://h", "type": "http", "transport": "sse"}, "it.transport: contradicts 'type'"),
        ({"url": "unix:///run/x.sock"}, "it.url: must begin with http:// or https://, not unix://; sockets and pipes"),
        ({"url": "hunter2x"}, "it.url: must begin with http:// or https://"),
        ({"url": "http://"}, "it: url has no host"),
        ({"url": "http://h", "headers": {"A": "b\nc"}}, "it: headers['A'] has a line break"),
        ({"url": "http://h", "headers": "A: b"}, "it.headers: must be an object of strings, not a string"),
        ({"command": "x", "disabled": "yes"}, "it.disabled: must be true or false, not a string"),
        ({"command": "x", "only": "search"}, 'it.only: must be a list of strings, not a string; write ["search"]'),
        ({"command": "x", "tools": {"a": {"enabled": False}}}, "it.tools: must be a list of strings, not an object"),
        ({"command": "x", "only": ["a"], "tools": ["b"]}, "it.tools: contradicts 'only'; keep one of the two"),
        ({"command": "x", "timeout": "30s"}, "it.timeout: must be a number above 0"),
        ({"command": "x", "timeout": 0}, "it.timeout: must be a number above 0"),
        ({"command": "x", "timeout": True}, "it.timeout: must be a number above 0"),
        ({"command": "x", "timeout": float("inf")}, "it.timeout: must be a number above 0"),
        ({"command": "x", "era": "2024"}, "it: era is one of"),
        ({"command": "x", "prefix": 3}, "it.prefix: must be true, false or a string"),
    ],
    ids=str,
)
def test_a_wrong_entry_names_server_field_and_remedy(entry: object, message: str) -> None:
    said = fault_of(entry)
    assert "mcpServers.it" in said
    assert message in said
    assert "hunter2x" not in said


def test_all_faulty_entries_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"a": {}, "b": {"command": "x"}, "c": {"url": "${NOPE}"}}}))
    lines = fault(path, environ={}).splitlines()
    assert lines[0] == "2 entries are wrong:"
    assert lines[1].startswith(f"  - {path}: mcpServers.a: has neither")
    assert lines[2].startswith(f"  - {path}: mcpServers.c.url: environment variable NOPE is not set")


def test_an_env_file_that_is_none_says_the_line(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A=1\nthis is no line\nB=2\n")
    said = fault({"it": {"command": "x", "envFile": ".env"}}, workspace=tmp_path)
    assert f"it.envFile: {tmp_path}/.env, line 2: is no NAME=value" in said


def test_a_name_without_value_in_an_env_file_is_left_out_with_a_word(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A=1\nB\n")
    loaded = load({"it": {"command": "x", "envFile": ".env"}}, workspace=tmp_path)
    assert getattr(loaded.servers[0], "env", None) == {"A": "1"}
    assert "'B' in" in loaded.warnings[0]


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
texts = st.text(max_size=8)
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))
server_fields = ["command", "args", "env", "envFile", "cwd", "inherit_env", "url", "headers", "type", "transport"]
common_fields = ["disabled", "only", "tools", "prefix", "timeout", "timeout_seconds", "era", "trust"]
field_names = st.sampled_from([*server_fields, *common_fields])
likely = st.sampled_from(["x", "http://h", ["a"], {"A": "b"}, "stdio", 5])
entries = st.dictionaries(field_names, values | likely, max_size=5)
configs = st.fixed_dictionaries({"mcpServers": values | st.fixed_dictionaries({"it": entries})})


@given(configs | st.dictionaries(texts, values, max_size=3))
def test_whatever_stands_in_a_config_gives_servers_or_a_config_error(config: dict[str, Any]) -> None:
    try:
        loaded = load(config, environ={})
    except ConfigError:
        return
    assert isinstance(loaded, Loaded)
