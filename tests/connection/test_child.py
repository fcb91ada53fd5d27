"""What a server's process gets of ours, and what is told of its last words."""

from __future__ import annotations

import logging
import sys
from typing import Any

import pytest
from toolgraft.config import Stdio
from toolgraft.connection.connection import Connection
from toolgraft.connection.wire.stdio.child import Child
from toolgraft.connection.wire.stdio.environment import environment
from toolgraft.errors import ConnectError

PASSED = {
    "SSL_CERT_FILE": "/ca.pem",
    "NODE_EXTRA_CA_CERTS": "/ca.pem",
    "REQUESTS_CA_BUNDLE": "/ca.pem",
    "HTTPS_PROXY": "http://user:hush-proxy@proxy:3128",
    "no_proxy": "localhost",
    "UV_DEFAULT_INDEX": "https://index.invalid/simple",
    "npm_config_registry": "https://npm.invalid/",
    "NPM_CONFIG_CAFILE": "/ca.pem",
    "LC_ALL": "C.UTF-8",
    "TZ": "Europe/Zurich",
    "XDG_CACHE_HOME": "/cache",
}
KEPT = {
    "GITHUB_TOKEN": "t0k3n-of-ours",
    "UV_PUBLISH_TOKEN": "hush-publish",
    "UV_INDEX_URL": "https://user:hush-index@index.invalid/simple",
    "PIP_EXTRA_INDEX_URL": "https://index.invalid/simple?auth_token=hush-index",
    "NPM_CONFIG__AUTH": "hush-auth",
    "npm_config_//registry/:_authToken": "hush-auth",
}


@pytest.mark.faults("T26")
def test_certificates_proxies_registries_and_languages_are_passed_on_and_secrets_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {**PASSED, **KEPT}.items():
        monkeypatch.setenv(name, value)
    given = environment(Stdio("x", env={"TZ": "UTC"}))
    assert {name: given.get(name) for name in PASSED} == {**PASSED, "TZ": "UTC"}
    assert not KEPT.keys() & given.keys()


def _told(config: Stdio, *lines: str) -> str:
    child = Child(config)
    for line in lines:
        child.take(line.encode())
    return child.story()


@pytest.mark.faults("T26")
def test_a_variable_that_it_asks_for_and_that_we_have_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "t0k3n-of-ours")
    monkeypatch.delenv("OTHER_TOKEN", raising=False)
    words = "GITHUB_TOKEN or OTHER_TOKEN is required, HOME is fine"
    assert "GITHUB_TOKEN is set here but not passed on: inherit_env=['GITHUB_TOKEN']" in _told(Stdio("x"), words)
    assert "passed on" not in _told(Stdio("x", inherit_env=["GITHUB_TOKEN"]), words)
    assert "passed on" not in _told(Stdio("x", env={"GITHUB_TOKEN": "another"}), words)


SECRETS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "env": ({"env": {"KEY": "hush-a"}}, ("hush-a",)),
    "env of several lines": ({"env": {"PEM": "-----BEGIN\nhush-b1\nhush-b2\n"}}, ("hush-b1", "hush-b2")),
    "inherit_env": ({"inherit_env": ["OURS"]}, ("hush-c",)),
    "an argument after its name": ({"args": ["--api-key", "hush-d"]}, ("hush-d",)),
    "an argument with its name": ({"args": ["--token=hush-e", "API_KEY=hush-f"]}, ("hush-e", "hush-f")),
    "a header": ({"args": ["--header", "Authorization: Bearer hush-r"]}, ("Bearer hush-r", "hush-r")),
    "a header in short": ({"args": ["-H", "X-Api-Key:hush-s"]}, ("hush-s",)),
    "an argument after a short name": ({"args": ["-k", "hush-t"]}, ("hush-t",)),
    "a short one": ({"args": ["--password", "abc1"]}, ("abc1",)),
    "the login of a proxy": ({}, ("hush-g",)),
    "the login of a URL": ({"args": ["postgres://user:hush-h@db/x"]}, ("hush-h",)),
    "quoted in a URL": ({"env": {"KEY": "hush i/j"}}, ("hush%20i%2Fj", "hush i/j")),
    "the path of a registry": ({}, ("hush1l",)),
    "the query of an index": ({}, ("hush-m", "hush/n", "hush%2Fn")),
    "the path and the query of a URL": ({"args": ["--at=https://x.invalid/hush1o/mcp?hush-p"]}, ("hush1o", "hush-p")),
    "a URL of ours": ({"inherit_env": True}, ("hush1q",)),
    "all of ours": ({"inherit_env": True}, ("hush-k",)),
}


@pytest.mark.faults("T10")
@pytest.mark.parametrize("name", SECRETS)
def test_last_words_and_log_hide_what_the_server_was_told_in_confidence(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OURS", "hush-c")
    monkeypatch.setenv("SOME_TOKEN", "hush-k")
    monkeypatch.setenv("HTTPS_PROXY", "http://user:hush-g@proxy:3128")
    monkeypatch.setenv("npm_config_registry", "https://npm.invalid/repository/hush1l/npm/")
    monkeypatch.setenv("UV_INDEX_URL", "https://index.invalid/simple?for=hush-m&of=hush%2Fn")
    monkeypatch.setenv("SOME_PLACE", "https://x.invalid/hush1q")
    settings, secrets = SECRETS[name]
    config = Stdio("x", name="quiet", **settings)
    with caplog.at_level(logging.DEBUG):
        story = _told(config, *(f"refused: '{secret}'" for secret in secrets))
    assert "refused" in story
    for secret in secrets:
        assert secret not in story
        assert secret not in caplog.text


@pytest.mark.faults("T29")
def test_what_a_server_writes_to_its_standard_error_commands_no_terminal(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="toolgraft.server.loud"):
        story = _told(
            Stdio("x", name="loud"), "\x1b[2J\x1b]0;owned\x07 \u202eabc\u2028 \r fake: ok \x9b31m Zürich 👩‍👩‍👧"
        )
    for text in (story, caplog.messages[0]):
        assert not set("\x1b\x07\u202e\u2028\r\x9b\n") & set(text)
        assert r"\x1b[2J" in text
        assert "Zürich 👩‍👩‍👧" in text


@pytest.mark.anyio
@pytest.mark.faults("T26")
async def test_a_runner_that_takes_long_is_said_to_install(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    runner = tmp_path / "npx"
    runner.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(60)\n")
    runner.chmod(0o755)
    with pytest.raises(ConnectError, match=r"npx may still be installing it: raise connect_timeout"):
        await Connection(Stdio(str(runner), "-y", "some-server", name="cold", connect_timeout=0.5)).open()


@pytest.mark.anyio
@pytest.mark.faults("T6")
async def test_a_flood_on_standard_error_holds_up_nobody(tmp_path: Any) -> None:
    code = "import os\nwhile True: os.write(2, b'x\\n' * 30000)"
    connection = Connection(Stdio(sys.executable, "-c", code, name="chatty", connect_timeout=1))
    with pytest.raises(ConnectError, match="1 s"):
        await connection.open()
    await connection.close()
