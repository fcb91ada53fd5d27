"""Where a server may send us, and what its refusals say."""

from __future__ import annotations

from ipaddress import ip_address

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as some
from toolgraft.errors import OAuthError
from toolgraft.oauth.challenge import NONE, Challenge, challenge_in
from toolgraft.oauth.wire.addresses import Guard, reach_of

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("address", "reach"),
    [
        ("93.184.216.34", "public"),
        ("2606:2800:220:1::1", "public"),
        ("10.1.2.3", "private"),
        ("172.31.0.1", "private"),
        ("192.168.1.1", "private"),
        ("100.64.0.1", "private"),
        ("fd00::1", "private"),
        ("127.8.8.8", "loopback"),
        ("::1", "loopback"),
        ("169.254.169.254", "link-local"),
        ("fe80::1", "link-local"),
        ("::ffff:10.0.0.1", "private"),
        ("::ffff:127.0.0.1", "loopback"),
        ("64:ff9b::a9fe:a9fe", "link-local"),
        ("2002:7f00:0001::", "loopback"),
        ("0.0.0.0", "no"),
        ("224.0.0.1", "no"),
        ("255.255.255.255", "no"),
        ("::", "no"),
        ("ff02::1", "no"),
    ],
)
def test_who_can_be_met_at_an_address(address: str, reach: str) -> None:
    assert reach_of(ip_address(address)) == reach


ALLOWED = [
    ("https://93.184.216.34/mcp", "https://1.1.1.1/", True),
    ("https://93.184.216.34/mcp", "https://10.0.0.1/", False),
    ("https://93.184.216.34/mcp", "https://127.0.0.1/", False),
    ("https://93.184.216.34/mcp", "https://169.254.169.254/", False),
    ("https://10.0.0.1/mcp", "https://10.0.0.2/", True),
    ("https://10.0.0.1/mcp", "https://127.0.0.1/", False),
    ("https://10.0.0.1/mcp", "https://169.254.169.254/", False),
    ("http://127.0.0.1:1/mcp", "http://127.0.0.1:2/", True),
    ("http://127.0.0.1:1/mcp", "https://10.0.0.1/", True),
    ("http://127.0.0.1:1/mcp", "https://169.254.169.254/", False),
    ("http://localhost:1/mcp", "http://localhost:2/", True),
    ("https://169.254.1.1/mcp", "https://169.254.1.1/", True),
    ("https://169.254.1.1/mcp", "https://169.254.1.2/", False),
    ("https://93.184.216.34/mcp", "https://localhost/", False),
]


@pytest.mark.parametrize(("server", "url", "allowed"), ALLOWED)
async def test_a_server_sends_us_to_no_place_that_it_is_not_on_itself(server: str, url: str, allowed: bool) -> None:
    guard = Guard("it", server, ())
    if allowed:
        assert await guard.addresses(guard.checked(url, "x"), "x")
    else:
        with pytest.raises(OAuthError, match="trusted_hosts=") as refused:
            await guard.addresses(guard.checked(url, "x"), "x")
        assert refused.value.problem == "address_refused"
        trusting = Guard("it", server, [httpx2.URL(url).host])
        assert await trusting.addresses(trusting.checked(url, "x"), "x")


async def test_a_name_that_a_proxy_resolves_is_not_ours_to_look_up() -> None:
    guard = Guard("it", "https://mcp.invalid/", (), lambda url: True)
    assert await guard.addresses(guard.checked("https://login.invalid/", "x"), "x") == ()
    for url in ("https://10.0.0.1/", "https://169.254.169.254/"):
        with pytest.raises(OAuthError, match="trusted_hosts="):
            await guard.addresses(guard.checked(url, "x"), "x")


@pytest.mark.parametrize("url", ["http://as.example/", "http://10.0.0.1/", "HTTP://AS.example/x"])
def test_only_loopback_may_speak_no_tls(url: str) -> None:
    with pytest.raises(OAuthError, match="speaks no TLS") as refused:
        Guard("it", "https://h/mcp", ()).checked(url, "x")
    assert refused.value.problem == "not_https"
    assert Guard("it", "https://h/mcp", [httpx2.URL(url).host]).checked(url, "x")


@pytest.mark.parametrize(
    "url", ["", "x", "//h/", "ftp://h/", "javascript:x", "https://u:p@h/", "https:///x", "https://h/#f"]
)
def test_what_is_no_address_of_a_web_server_is_none(url: str) -> None:
    with pytest.raises(OAuthError) as refused:
        Guard("it", "https://h/mcp", ()).checked(url, "x")
    assert refused.value.problem == "metadata_invalid"
    assert "u:p" not in str(refused.value)


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        ([], NONE),
        (["Basic realm=x"], NONE),
        (["Bearer"], Challenge("bearer")),
        (['Bearer resource_metadata="https://h/x", scope="a b"'], Challenge("bearer", "https://h/x", "a b")),
        (["bearer scope=a,resource_metadata=https://h/x"], Challenge("bearer", "https://h/x", "a")),
        (['Basic realm="a, Bearer scope=\\"x\\"", Bearer scope="y"'], Challenge("bearer", None, "y")),
        (
            ["Negotiate abc==", 'Bearer error="insufficient_scope"'],
            Challenge("bearer", None, None, "insufficient_scope"),
        ),
        (['DPoP algs="ES256", error="use_dpop_nonce"'], Challenge("dpop", None, None, "use_dpop_nonce")),
        (['Bearer x_scope="a"'], Challenge("bearer")),
        (['Bearer scope="a\tb"'], Challenge("bearer")),
        (['Bearer scope="a", scope="b"'], Challenge("bearer", None, "a")),
    ],
)
def test_a_challenge_is_read(headers: list[str], found: Challenge) -> None:
    assert challenge_in(headers) == found


@given(some.lists(some.text(max_size=200), max_size=4))
def test_whatever_a_refusal_says_it_is_read_or_nothing(headers: list[str]) -> None:
    assert isinstance(challenge_in(headers), Challenge)
