"""Files as the hosts' own documentation shows them, read as what they mean there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from toolgraft.config import AnyServer, Http, Stdio, load
from toolgraft.config.documents.preview import preview
from toolgraft.errors import ConfigError

ZED = """
// Zed settings
{
  "theme": "One Dark",
  "languages": {"Python": {"tab_size": 4}},
  "context_servers": {
    "local": {"source": "custom", "enabled": true, "command": "some-command", "args": ["arg-1"], "env": {"A": "1"}},
    "older": {"command": {"path": "/path/to/server", "args": ["run"], "env": {}}, "settings": {"enable": true}},
    "remote": {"url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${KEY}"}},
    "off": {"source": "extension", "enabled": false, "settings": {}},
  },
}
"""
OPENCODE = """
{
  "$schema": "https://opencode.ai/config.json",
  "theme": "opencode",
  "mcp": {
    "local": {
      "type": "local", "command": ["npx", "-y", "my-mcp-command"], "enabled": true,
      "environment": {"MY_ENV_VAR": "{env:KEY}"}, "timeout": 20000
    },
    "remote": {
      "type": "remote", "url": "https://my-mcp-server.com", "enabled": true, "oauth": false,
      "headers": {"Authorization": "Bearer {env:KEY}"}
    },
    "off": {"type": "remote", "url": "https://off.example", "enabled": false}
  }
}
"""
CODEX = """
model = "gpt-5"
approval_policy = "on-request"

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
env_vars = ["LOCAL_TOKEN"]
cwd = "/srv"
startup_timeout_sec = 20
tool_timeout_sec = 45
enabled_tools = ["resolve"]

[mcp_servers.context7.env]
MY_ENV_VAR = "MY_ENV_VALUE"

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "KEY"
http_headers = { "X-Figma-Region" = "us-east-1" }
env_http_headers = { "X-Key" = "KEY" }
startup_timeout_ms = 1500

[mcp_servers.off]
url = "http://localhost:3000/mcp"
enabled = false
"""
GOOSE: dict[str, Any] = {
    "GOOSE_PROVIDER": "anthropic",
    "extensions": {
        "developer": {"enabled": True, "type": "builtin", "name": "developer", "timeout": 300, "bundled": True},
        "memory": {"enabled": True, "config": {"type": "platform", "name": "memory"}},
        "github": {
            "enabled": True,
            "type": "stdio",
            "name": "GitHub",
            "cmd": "npx",
            "args": ["-y", "server-github"],
            "envs": {"A": "1"},
            "env_keys": ["GITHUB_TOKEN"],
            "timeout": 1200,
            "available_tools": ["search"],
        },
        "far": {"enabled": True, "type": "streamable_http", "uri": "https://h/mcp", "headers": {"X": "1"}},
        "off": {"enabled": False, "type": "stdio", "cmd": "off"},
    },
}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "secret")


def servers_of(tmp_path: Path, name: str, text: str) -> dict[str, AnyServer]:
    (tmp_path / name).write_text(text)
    loaded = load(tmp_path / name)
    assert not loaded.warnings
    assert loaded.disabled == ("off",)
    return {server.name: server for server in loaded}


def stdio(server: AnyServer) -> tuple[str, tuple[str, ...], dict[str, str]]:
    assert isinstance(server, Stdio)
    return server.command, tuple(server.args), dict(server.env)


def http(server: AnyServer) -> tuple[str, dict[str, str]]:
    assert isinstance(server, Http)
    assert not callable(server.headers)
    return server.url, dict(server.headers)


def test_zed_s_settings(tmp_path: Path) -> None:
    found = servers_of(tmp_path, "settings.json", ZED)
    assert stdio(found["local"]) == ("some-command", ("arg-1",), {"A": "1"})
    assert stdio(found["older"]) == ("/path/to/server", ("run",), {})
    assert http(found["remote"]) == ("https://example.com/mcp", {"Authorization": "Bearer secret"})


def test_opencode_s_config(tmp_path: Path) -> None:
    found = servers_of(tmp_path, "opencode.json", OPENCODE)
    assert stdio(found["local"]) == ("npx", ("-y", "my-mcp-command"), {"MY_ENV_VAR": "secret"})
    assert found["local"].connect_timeout == 20
    assert http(found["remote"]) == ("https://my-mcp-server.com", {"Authorization": "Bearer secret"})


def test_opencode_s_newer_config_has_its_servers_one_level_below(tmp_path: Path) -> None:
    config = {"mcp": {"servers": {"my-server": {"type": "local", "command": ["npx", "-y", "example"]}}}}
    (server,) = load(config)
    assert stdio(server) == ("npx", ("-y", "example"), {})


def test_codex_s_config(tmp_path: Path) -> None:
    found = servers_of(tmp_path, "config.toml", CODEX)
    local = found["context7"]
    assert stdio(local) == ("npx", ("-y", "@upstash/context7-mcp"), {"MY_ENV_VAR": "MY_ENV_VALUE"})
    assert isinstance(local, Stdio)
    assert (local.inherit_env, str(local.cwd), local.only) == (("LOCAL_TOKEN",), "/srv", ("resolve",))
    assert (local.connect_timeout, local.timeout) == (20, 45)
    sent = {"X-Figma-Region": "us-east-1", "X-Key": "secret", "Authorization": "Bearer secret"}
    assert http(found["figma"]) == ("https://mcp.figma.com/mcp", sent)
    assert found["figma"].connect_timeout == 1.5


@pytest.mark.parametrize(
    "settings",
    [
        {"mcp": {"servers": "SERVERS", "inputs": "INPUTS"}},
        {"mcp.servers": "SERVERS", "mcp.inputs": "INPUTS"},
        {"customizations": {"vscode": {"mcp": {"servers": "SERVERS", "inputs": "INPUTS"}}}},
    ],
    ids=["nested", "dotted", "a dev container's"],
)
def test_vs_code_s_settings(settings: dict[str, Any]) -> None:
    servers = {"perplexity": {"type": "stdio", "command": "npx", "args": ["-y", "x"], "env": {"K": "${input:k}"}}}
    text = json.dumps({"editor.fontSize": 12, **settings})
    text = text.replace('"SERVERS"', json.dumps(servers)).replace('"INPUTS"', json.dumps([{"id": "k"}]))
    (server,) = load(json.loads(text), inputs={"k": "typed"})
    assert stdio(server) == ("npx", ("-y", "x"), {"K": "typed"})


def test_goose_s_config_once_it_is_a_dict() -> None:
    loaded = load(GOOSE)
    assert loaded.disabled == ("developer", "memory", "off")
    github, far = loaded
    assert stdio(github) == ("npx", ("-y", "server-github"), {"A": "1"})
    assert isinstance(github, Stdio)
    assert (github.inherit_env, github.timeout, github.only) == (("GITHUB_TOKEN",), 1200, ("search",))
    assert http(far) == ("https://h/mcp", {"X": "1"})


def test_continue_s_list_of_servers() -> None:
    (server,) = load({"models": [], "mcpServers": [{"name": "SQLite MCP", "command": "npx", "args": ["mcp-sqlite"]}]})
    assert server.name == "SQLite MCP"
    assert stdio(server) == ("npx", ("mcp-sqlite",), {})


@pytest.mark.faults("T43")
@pytest.mark.parametrize(
    ("config", "told"),
    [
        (
            {"context_servers": {"pg": {"settings": {"url": "x"}}}},
            "context_servers.pg: is an extension of Zed",
        ),
        ({"context_servers": {"it": {"command": {"path": 3}}}}, "context_servers.it.command: must be a string"),
        (
            {"mcp": {"it": {"type": "remote", "url": "https://h", "headers": {"A": "{file:./key}"}}}},
            "'{file:…}'",
        ),
        ({"mcp": {"it": {"type": "local", "command": []}}}, "mcp.it.command: must be a string, not a list"),
        ({"mcp_servers": {"it": {"command": "x", "tools": {"a": {"approval_mode": "prompt"}}}}}, "write 'approve'"),
        ({"mcp_servers": {"it": {"url": "https://h", "bearer_token_env_var": "NOT_SET"}}}, "NOT_SET is not set"),
        ({"mcp_servers": {"it": {"command": "x", "env_vars": [{"name": "A"}]}}}, "inherit_env[0]: must be a string"),
        ({"mcpServers": [{"command": "x"}]}, "mcpServers[0]: must have a name"),
        ({"mcpServers": [{"name": "a", "command": "x"}] * 2}, "stands under 'mcpServers' too"),
        ({"extensions": {"it": {"type": "stdio", "cmd": "x", "sandbox": True}}}, "not run in a sandbox"),
        (
            {"models": [], "theme": "dark"},
            "there is 'models', 'theme'; read are also 'mcp.servers' ",
        ),
        ({}, "there is nothing"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_a_host_means_and_we_cannot_is_told_where_it_stands(config: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(config)
    assert told in str(raised.value)


@pytest.mark.parametrize("name", ["mcp", "context_servers", "mcp_servers", "extensions"])
def test_a_server_may_have_a_host_s_key_for_its_name(name: str) -> None:
    (server,) = load({name: {"command": "x"}})
    assert server.name == name


def test_yaml_and_broken_toml_say_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("extensions: {}\n")
    with pytest.raises(ConfigError, match=r"is YAML, which is not read here; give .* load\(yaml.safe_load\(text\)\)"):
        load(tmp_path / "config.yaml")
    (tmp_path / "config.toml").write_text("[mcp_servers\n")
    with pytest.raises(ConfigError, match="is no TOML: "):
        load(tmp_path / "config.toml")


def test_what_a_host_s_config_would_start_is_told_and_covered(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text("1")
    path = tmp_path / "opencode.json"
    path.write_text('{"mcp": {"it": {"type": "local", "command": ["python", "server.py"]}}}')
    found = preview(path, {})
    assert "starts: python server.py" in found.text(hide=False)
    assert str(tmp_path / "server.py") in found.contents.digests
