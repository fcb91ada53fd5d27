"""Signing in to a server, tied to its connection: its TLS settings and proxy, and the clocks of its calls."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from toolgraft.config.oauth import OAuthGrant
from toolgraft.connection.wire.http.client import http_client
from toolgraft.connection.wire.http.proxies import proxy_of
from toolgraft.connection.wire.person_time import waiting_for_a_person
from toolgraft.oauth.signing import Signing
from toolgraft.oauth.wire.addresses import Guard
from toolgraft.oauth.wire.fetching import Fetch

if TYPE_CHECKING:
    from toolgraft.config.servers import Remote


def signing(config: Remote) -> Signing | None:
    """What signs the requests of a connection; None where no tokens are granted for it."""
    declared = config.auth
    if not isinstance(declared, OAuthGrant):
        return None
    return Signing(declared, config.url, fetch(config, declared.trusted_hosts), waiting_for_a_person)


def fetch(config: Remote, trusted_hosts: Iterable[str] = ()) -> Fetch:
    """What makes requests to the authorization servers that a server names."""
    guard = Guard(config.name, config.url, trusted_hosts, lambda url: bool(proxy_of(config, url)))
    pinned = config.http_client is None  # somebody else's client may go by names
    return Fetch(config.name, guard, partial(http_client, config, ours=False), pinned=pinned)
