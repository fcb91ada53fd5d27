"""Where we may be sent: over TLS, and to no address of ours or of our network that the server is not on itself.

A server names URLs that we then request (its metadata, its authorization server, that one's endpoints). One that is
out in the world must not have us ask the machine that we run on, our network, or a cloud's metadata service.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final, Literal, TypeAlias

import httpx2

from toolgraft.errors import OAuthError

Address: TypeAlias = IPv4Address | IPv6Address

Reach: TypeAlias = Literal["public", "private", "loopback", "link-local", "no"]
"""Who can be met at an address; `no` stands for those that nobody has, or everybody."""

_NAT64: Final = IPv6Network("64:ff9b::/96")
_LOOPBACK_NAMES: Final = ("localhost",)
_FROM: Final[dict[Reach, frozenset[Reach]]] = {
    "public": frozenset({"public"}),
    "private": frozenset({"public", "private"}),
    "loopback": frozenset({"public", "private", "loopback"}),
    "link-local": frozenset({"public", "private"}),
    "no": frozenset(),
}
"""By where the server is: where it may send us. Its own host it may always."""

MOST_ADDRESSES: Final = 4


class Guard:
    """Says of URLs that a server names whether we go there.

    Args of its making: the server's name and URL, hosts that are trusted in any case, and what says of a URL whether a
    proxy is asked for it, which then resolves its name, so that addresses are not ours to look up.
    """

    def __init__(
        self,
        name: str,
        server: str,
        trusted_hosts: Iterable[str],
        by_proxy: Callable[[str], bool] = lambda url: False,
    ) -> None:
        self._name = name
        self._server = server
        self._host = httpx2.URL(server).host
        self._trusted = frozenset(host.lower() for host in trusted_hosts)
        self._by_proxy = by_proxy
        self._allowed: frozenset[Reach] | None = None

    def of(self, url: str) -> Guard:
        """The same for what another URL sends us to."""
        return Guard(self._name, url, self._trusted, by_proxy=self._by_proxy)

    def checked(self, url: str, what: str) -> httpx2.URL:
        """A URL, as it may be requested or shown to a browser.

        Raises:
            OAuthError: It is no HTTP URL, or speaks no TLS.
        """
        try:
            parsed = httpx2.URL(url)
        except (httpx2.InvalidURL, ValueError):
            raise OAuthError(self._name, "metadata_invalid", f"{what} is no URL") from None
        host = parsed.host
        if parsed.scheme not in ("http", "https") or not host or parsed.userinfo or parsed.fragment:
            raise OAuthError(self._name, "metadata_invalid", f"{what} is no URL of a web server: {_shown(parsed)}")
        if parsed.scheme == "http" and not is_loopback(host) and host not in self._trusted:
            remedy = f"it must begin with https://; trusted_hosts=[{host!r}] lets it be"
            raise OAuthError(self._name, "not_https", f"{what} speaks no TLS, {_shown(parsed)}: {remedy}")
        return parsed

    async def addresses(self, url: httpx2.URL, what: str) -> tuple[str, ...]:
        """The addresses of its host that we may connect to; empty where a proxy looks them up.

        Raises:
            OAuthError: There is one that it must not have us ask, or none at all.
        """
        host = url.host
        trusted = host in self._trusted or host == self._host
        literal = _literal(host)
        if self._by_proxy(str(url)) and (literal is None or trusted):
            return ()
        found = (literal,) if literal is not None else await self._resolved(host, what)
        if not trusted:
            allowed = await self._reachable()
            for address in found:
                if (reach := reach_of(address)) not in allowed:
                    where = f"{_shown(url)}, which is {_WHERE[reach]}"
                    remedy = f"trusted_hosts=[{host!r}] allows it"
                    reason = f"{what} is at {where} that the server is not on itself: {remedy}"
                    raise OAuthError(self._name, "address_refused", reason)
        return () if self._by_proxy(str(url)) else tuple(str(address) for address in found[:MOST_ADDRESSES])

    async def _reachable(self) -> frozenset[Reach]:
        if self._allowed is None:
            literal = _literal(self._host)
            if literal is None and self._by_proxy(self._server):
                own: tuple[Address, ...] = ()  # who can be met there is not known: nobody but in public
            else:
                own = (literal,) if literal is not None else await self._resolved(self._host, "the server")
            self._allowed = _FROM["public"].union(*(_FROM[reach_of(address)] for address in own))
        return self._allowed

    async def _resolved(self, host: str, what: str) -> tuple[Address, ...]:
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            reason = f"the host of {what} is not known: {host}"
            raise OAuthError(self._name, "unavailable", reason) from error
        return tuple(dict.fromkeys(ip_address(str(each[4][0]).partition("%")[0]) for each in found if each[4]))


_WHERE: Final[dict[Reach, str]] = {
    "public": "a public address",
    "private": "a private address",
    "loopback": "the machine that this runs on",
    "link-local": "a link-local address",
    "no": "an address of nobody's,",
}


def is_loopback(host: str) -> bool:
    """Whether a host is the machine that this runs on, as far as its name says."""
    literal = _literal(host)
    if literal is not None:
        return reach_of(literal) == "loopback"
    return host in _LOOPBACK_NAMES or host.endswith(".localhost")


def reach_of(address: Address) -> Reach:
    """Who can be met at an address; IPv4 inside of IPv6 is taken for what it is."""
    address = _inner(address)
    if address.is_loopback:
        return "loopback"
    if address.is_link_local:
        return "link-local"
    if address.is_unspecified or address.is_multicast or address.is_reserved:
        return "no"
    return "public" if address.is_global else "private"


def _inner(address: Address) -> Address:
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host.partition("%")[0])
    except ValueError:
        return None


def _shown(url: httpx2.URL) -> str:
    return str(url.copy_with(userinfo=b"", query=None, fragment=None))[:200]
