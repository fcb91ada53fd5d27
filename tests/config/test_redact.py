"""What of a command line or URL is shown: enough to know it by, and no secret."""

from __future__ import annotations

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from toolgraft.config import Http, Stdio
from toolgraft.config.redact import redact_command, redact_text, redact_url

SECRET = "hunter2x"
LONG = "NDg4YzA0ZjUtMTIzNC00NTY3"


@pytest.mark.parametrize(
    "args",
    [
        ["--token", SECRET],
        ["--api-key", SECRET],
        [f"--api-key={SECRET}"],
        [f"--apikey={SECRET}"],
        ["-p", "8080", "--password", SECRET],
        ["--pat", SECRET],
        ["--key", SECRET],
        ["--header", f"Authorization: Bearer {SECRET}"],
        ["--header", f"Authorization:{SECRET}"],
        ["-H", f"X-Api-Key: {SECRET}"],
        ["-H", f"Custom: Bearer {SECRET}"],
        ["-e", f"GITHUB_TOKEN={SECRET}"],
        ["-e", f"DATABASE_URL=postgres://user:{SECRET}@host/db"],
        [f"--db=postgres://user:{SECRET}@host/db"],
        [f"postgres://user:pa/{SECRET}@host/db"],
        [f"https://h/mcp?key={SECRET}"],
        [f"https://h/mcp#{SECRET}"],
        [f"https://mcp.example.com/s/{LONG}/mcp"],
        [f"Server=h;Password={SECRET};Pooling=true"],
        [f'{{"token": "{SECRET}"}}'],
        [f"{{'password': '{SECRET}'}}"],
        ["ghp_" + SECRET * 4],
        ["sk-" + SECRET],
        [LONG],
    ],
    ids=str,
)
def test_a_secret_on_a_command_line_is_hidden(args: list[str]) -> None:
    shown = repr(Stdio("serve", *args, name="x"))
    assert SECRET not in shown
    assert LONG not in shown
    assert "serve" in shown


@pytest.mark.parametrize(
    "args",
    [
        ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"],
        ["mcp-server-git", "--repository", "."],
        ["-m", "mcp_server_time", "--local-timezone=Europe/Berlin"],
        ["run", "-i", "--rm", "mcp/fetch:1.2"],
        ["--keyboard", "us", "--monkey", "x"],
        ["http://localhost:3000/mcp"],
    ],
    ids=str,
)
def test_a_command_line_without_secrets_is_shown_as_it_is(args: list[str]) -> None:
    assert redact_command("serve", args) == " ".join(["serve", *args])


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://user:pw@h:8443/mcp?x=1#y", "https://h:8443/mcp?***"),
        ("https://[::1]:80/mcp", "https://[::1]:80/mcp"),
        ("https://h/@scope/pkg", "https://h/@scope/pkg"),
        ("http://[broken", "***"),
        (f"http://user:{SECRET}/x@h", "***"),
    ],
)
def test_a_url_is_shown_by_host_and_path(url: str, shown: str) -> None:
    assert redact_url(url) == shown
    if shown != "***":
        assert Http(url, name="x").target == shown


words = st.text(alphabet=string.ascii_letters, min_size=1, max_size=12)


@given(user=words, host=words, path=words)
def test_user_info_and_query_never_show_wherever_the_url_stands(user: str, host: str, path: str) -> None:
    secret = "zq7zq7"
    url = f"https://{user}:{secret}@{host}/{path}?{user}={secret}#{secret}"
    for shown in (redact_url(url), redact_text(url), redact_text(f"--x={url}"), redact_text(f"see {url} there")):
        assert secret not in shown


@given(st.text(max_size=300))
@example("token" * 400)
@example("a" * 100_000)
@example("http://" * 300)
@example("key " * 500)
@example("a1-" * 600)
def test_any_text_is_taken_and_kept_short(text: str) -> None:
    assert len(redact_text(text)) <= 201
    assert isinstance(redact_url(text), str)
    assert isinstance(redact_command(text, [text, text]), str)
