from __future__ import annotations

import pytest
from toolgraft.cli.sources import Sources, parse_server
from toolgraft.cli.words import read_arguments
from toolgraft.config import Http, Sse, Stdio
from toolgraft.errors import ConfigError


def test_a_server_is_a_url_or_says_what_it_is() -> None:
    http = parse_server("https://example.com/mcp?x=stdio:y")
    assert isinstance(http, Http)
    assert http.url == "https://example.com/mcp?x=stdio:y"
    sse = parse_server("sse: https://example.com/sse")
    assert isinstance(sse, Sse)
    assert sse.url == "https://example.com/sse"
    stdio = parse_server("stdio: uvx 'mcp server' --flag")
    assert isinstance(stdio, Stdio)
    assert (stdio.command, stdio.args) == ("uvx", ("mcp server", "--flag"))


def test_a_server_may_be_given_a_name() -> None:
    assert parse_server("docs=https://example.com/mcp").name == "docs"
    assert parse_server("git=stdio:uvx mcp-server-git").name == "git"


@pytest.mark.parametrize("value", ["uvx mcp-server-git", "", "stdio:", "stdio: 'open", "ftp://example.com", "sse:x"])
def test_what_is_no_server_is_refused(value: str) -> None:
    with pytest.raises(ConfigError, match="--server"):
        parse_server(value)


def test_a_secret_in_a_slip_is_not_repeated() -> None:
    with pytest.raises(ConfigError) as error:
        parse_server("ftp://user:hunter2@example.com/mcp")
    assert "hunter2" not in str(error.value)


def test_servers_of_one_name_are_numbered() -> None:
    servers = Sources(
        stdio=["python server.py", "python server.py"], http=["https://a.com", "https://a.com/b"]
    ).servers()
    assert [server.name for server in servers] == ["server", "server-2", "a.com", "a.com-2"]


def test_a_key_that_stands_twice_is_a_list() -> None:
    assert read_arguments(["tag=a", "x=", "tag=b", "tag=c=d"], None) == {"tag": ["a", "b", "c=d"], "x": ""}


@pytest.mark.parametrize("word", ["a", "=1", ""])
def test_a_word_without_key_or_value_is_refused(word: str) -> None:
    with pytest.raises(ConfigError, match="key=value"):
        read_arguments([word], None)
