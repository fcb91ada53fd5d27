"""The shapes that hosts write, read into servers."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from toolgraft.config import AnyServer, Http, Loaded, Sse, Stdio, load
from toolgraft.errors import ConfigError

ENVIRON = {"TOKEN": "t0k3n", "EMPTY": ""}


def write(folder: Path, text: str, name: str = "mcp.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def one(entry: dict[str, Any], **more: Any) -> AnyServer:
    (server,) = load({"mcpServers": {"it": entry}}, environ=ENVIRON, **more)
    return server


def warnings_of(entry: dict[str, Any]) -> tuple[str, ...]:
    return load({"mcpServers": {"it": entry}}, environ=ENVIRON).warnings


def test_a_claude_desktop_file(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        '{"globalShortcut": "", "mcpServers":'
        ' {"git": {"command": "uvx", "args": ["mcp-server-git"], "env": {"A": "b"}}}}',
    )
    loaded = load(path)
    assert loaded.servers == (Stdio("uvx", "mcp-server-git", name="git", env={"A": "b"}),)
    assert not loaded.warnings
    assert load(str(path)) == loaded
    assert load(json.loads(path.read_text())) == loaded


def test_a_claude_code_file_with_remote_servers_and_defaults() -> None:
    loaded = load(
        {
            "mcpServers": {
                "api": {
                    "type": "http",
                    "url": "${BASE:-https://api.example.com}/mcp",
                    "headers": {"Authorization": "Bearer ${TOKEN}"},
                    "timeout": 600_000,
                    "alwaysLoad": True,
                },
                "events": {"type": "sse", "url": "https://example.com/events"},
            }
        },
        environ=ENVIRON,
    )
    assert loaded.servers == (
        Http("https://api.example.com/mcp", name="api", headers={"Authorization": "Bearer t0k3n"}, timeout=600),
        Sse("https://example.com/events", name="events"),
    )
    assert not loaded.warnings
    assert "t0k3n" not in repr(loaded)


def test_a_cursor_file_with_its_variables_and_env_file(tmp_path: Path) -> None:
    write(tmp_path, 'A=from-file\nB="two words"\nexport C=3 # note\nD=$literal${TOKEN}\n', ".env")
    path = write(
        tmp_path,
        json.dumps(
            {
                "mcpServers": {
                    "it": {
                        "type": "stdio",
                        "command": "${workspaceFolder}/bin/serve",
                        "args": ["--home", "${userHome}", "${env:TOKEN}", 3],
                        "env": {"A": "from-entry"},
                        "envFile": "${workspaceFolder}/.env",
                    }
                }
            }
        ),
        ".cursor/mcp.json",
    )
    (server,) = load(path, environ=ENVIRON)
    assert isinstance(server, Stdio)
    assert server.command == f"{tmp_path}/bin/serve"
    assert server.args == ("--home", str(Path.home()), "t0k3n", "3")
    assert server.env == {"A": "from-entry", "B": "two words", "C": "3", "D": "$literal${TOKEN}"}


def test_a_vscode_file_with_comments_trailing_commas_and_inputs(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        {
          // asked for once
          "inputs": [{"type": "promptString", "id": "api-key", "description": "Key", "password": true,},],
          /* two ways
             to reach one */
          "servers": {
            "local": {"type": "stdio", "command": "npx", "args": ["-y", "pkg"], "env": {"KEY": "${input:api-key}",},},
            "remote": {"type": "http", "url": "https://h/mcp//x", "headers": {"X-Key": "${input:api-key}"}},
          },
        }
        """,
        ".vscode/mcp.json",
    )
    local, remote = load(path, inputs={"api-key": "k3y"})
    assert local == Stdio("npx", "-y", "pkg", name="local", env={"KEY": "k3y"})
    assert remote == Http("https://h/mcp//x", name="remote", headers={"X-Key": "k3y"})


def test_vscode_user_settings_and_a_bare_map() -> None:
    entry = {"command": "x"}
    assert load({"editor.fontSize": 3, "mcp": {"servers": {"it": entry}, "inputs": []}}).servers == (
        Stdio("x", name="it"),
    )
    assert load({"it": entry, "server": {"url": "http://h/mcp"}}).servers == (
        Stdio("x", name="it"),
        Http("http://h/mcp", name="server"),
    )


@pytest.mark.parametrize("key", ["type", "transport"])
@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("http", Http),
        ("streamable-http", Http),
        ("streamable_http", Http),
        ("streamableHttp", Http),
        ("sse", Sse),
        ("SSE", Sse),
    ],
)
def test_every_spelling_of_a_remote_transport(key: str, said: str, kind: type) -> None:
    assert type(one({key: said, "url": "https://h/sse"})) is kind


@pytest.mark.parametrize("said", ["stdio", "local"])
def test_every_spelling_of_a_local_transport(said: str) -> None:
    assert type(one({"type": said, "command": "x"})) is Stdio


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://h/sse", Sse),
        ("https://h/a/sse/", Sse),
        ("https://h/sse?x=1", Sse),
        ("https://h/mcp", Http),
        ("https://h/assess", Http),
        ("https://h/mcp?next=/sse", Http),
        ("https://sse", Http),
    ],
)
def test_without_a_type_the_path_tells_the_transport(url: str, kind: type) -> None:
    assert type(one({"url": url})) is kind


def test_other_names_of_the_url() -> None:
    assert one({"httpUrl": "https://h/sse"}) == Http("https://h/sse", name="it")
    assert one({"serverUrl": "https://h/sse"}) == Sse("https://h/sse", name="it")


@pytest.mark.parametrize("switch", [{"disabled": True}, {"enabled": False}])
def test_a_disabled_server_is_left_out_and_needs_no_variables(switch: dict[str, bool]) -> None:
    loaded = load({"mcpServers": {"off": {"command": "${NOT_SET}", **switch}, "on": {"command": "x"}}}, environ={})
    assert [server.name for server in loaded] == ["on"]
    assert loaded.disabled == ("off",)


@pytest.mark.parametrize(
    ("entry", "field", "value"),
    [
        ({"only": ["a", "b*"]}, "only", ("a", "b*")),
        ({"includeTools": ["a"]}, "only", ("a",)),
        ({"tools": ["*"]}, "only", ("*",)),
        ({"enabled_tools": ["a"]}, "only", ("a",)),
        ({"without": ["a"]}, "without", ("a",)),
        ({"excludeTools": ["a"]}, "without", ("a",)),
        ({"disabledTools": ["a"]}, "without", ("a",)),
        ({"tools": []}, "without", ("*",)),
        ({"prefix": True}, "prefix", True),
        ({"prefix": "gh"}, "prefix", "gh"),
        ({"required": True}, "required", True),
        ({"trust": True}, "trust", True),
        ({"provenance": True}, "provenance", True),
        ({"resources": True}, "resources", True),
        ({"era": "legacy"}, "era", "legacy"),
        ({"errors": "raise"}, "errors", "raise"),
        ({"timeout": 60}, "timeout", 60),
        ({"timeout": 30_000}, "timeout", 30),
        ({"timeout": 1800}, "timeout", 1.8),
        ({"timeout": 1800, "timeout_seconds": 1800}, "timeout", 1800),
        ({"connect_timeout": 7}, "connect_timeout", 7),
        ({"startup_timeout": 7}, "connect_timeout", 7),
    ],
    ids=str,
)
def test_a_field_of_the_entry_becomes_a_field_of_the_server(entry: dict[str, Any], field: str, value: object) -> None:
    assert getattr(one({"command": "x", **entry}), field) == value


def test_a_time_limit_of_doubtful_unit_is_read_in_one_way_and_says_so() -> None:
    assert "read as milliseconds, 1.8 s; write 'timeout_seconds'" in warnings_of({"command": "x", "timeout": 1800})[0]
    assert warnings_of({"command": "x", "timeout": 60}) == ()
    assert warnings_of({"command": "x", "timeout": 60_000}) == ()


def test_fields_of_a_child_process(tmp_path: Path) -> None:
    entry = {"command": "x", "cwd": "sub", "inherit_env": ["HTTP_PROXY"], "env": {"N": 3, "GONE": None}}
    server = one(entry, workspace=tmp_path)
    assert server == Stdio("x", name="it", cwd=tmp_path / "sub", inherit_env=("HTTP_PROXY",), env={"N": "3"})


def test_an_unknown_field_is_reported_once_with_what_it_may_be(caplog: pytest.LogCaptureFixture) -> None:
    config: dict[str, Any] = {
        "mcpServers": {
            "git": {"command": "x", "evn": {"A": "b"}, "sandpit": {}, "headers": {}, "description": "fine"},
            "api": {"url": "https://h/mcp", "env": {}},
        },
        "input": [],
    }
    with caplog.at_level(logging.WARNING, logger="toolgraft.config"):
        loaded = load(config)
    assert loaded.warnings == (
        "servers: 'input' is not known; did you mean 'inputs'?",
        "servers: mcpServers.git: field 'evn' is not known; did you mean 'env'?",
        "servers: mcpServers.git: field 'sandpit' is not known and has no effect",
        "servers: mcpServers.git: field 'headers' has no effect on a server that is reached by Stdio",
        "servers: mcpServers.api: field 'env' has no effect on a server that is reached by Http",
    )
    assert [record.getMessage() for record in caplog.records] == ["\n".join(loaded.warnings)]


def test_a_host_s_own_settings_beside_the_servers_are_no_news() -> None:
    assert load({"mcpServers": {}, "theme": "dark", "projects": {}, "numStartups": 7}) == Loaded(())


def test_the_repr_of_what_was_loaded_shows_no_secret() -> None:
    entry = {"command": "x", "args": ["--token", "${TOKEN}"], "env": {"A": "${TOKEN}"}}
    remote = {"url": "https://h/mcp?key=${TOKEN}", "headers": {"A": "${TOKEN}"}}
    loaded = load({"a": entry, "b": remote}, environ=ENVIRON)
    assert "t0k3n" in str([server.__dict__ for server in loaded])
    assert "t0k3n" not in f"{loaded!r}{loaded}"


def test_odd_names_are_kept() -> None:
    names = ["my server", "größe", "a.b/c", "@scope/x"]
    assert [server.name for server in load({"mcpServers": {name: {"command": "x"} for name in names}})] == names


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\0b", "x" * 129, "\u202eevil"])
def test_a_name_that_cannot_be_shown_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="1 to 128 printable characters"):
        load({"mcpServers": {name: {"command": "x"}}})


def test_a_config_says_which_calls_wait_for_a_persons_yes() -> None:
    (one,) = load({"it": {"command": "x", "approve": {"delete_*": "always", "*": "never"}, "permission": "ask"}})
    assert one.approve == {"delete_*": "always", "*": "never"}
    (two,) = load({"it": {"command": "x", "approve": ["a"]}})
    assert two.approve == ("a",)
    with pytest.raises(ConfigError, match="approve"):
        load({"it": {"command": "x", "approve": "sometimes"}})
    with pytest.raises(ConfigError, match="permission"):
        load({"it": {"command": "x", "permission": "maybe"}})
