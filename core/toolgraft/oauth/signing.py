"""Signs the requests of one connection, each with the token of its identity, and understands how they are refused."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import httpx2

from toolgraft.config.oauth import OAuthGrant
from toolgraft.oauth.account import Account
from toolgraft.oauth.challenge import challenge_in
from toolgraft.oauth.flights import Flights, PersonTime
from toolgraft.oauth.grants.grant import Means
from toolgraft.oauth.grants.kinds import grant_of, presentation_of
from toolgraft.oauth.renewal import Renewal
from toolgraft.oauth.store.opened import opened
from toolgraft.oauth.store.watched import WatchedStore
from toolgraft.oauth.values import SignedIn
from toolgraft.oauth.wire.discovery import canonical
from toolgraft.oauth.wire.fetching import Fetch

Send: TypeAlias = Callable[[httpx2.Request], Awaitable[httpx2.Response]]

SENDS: Final = 5
"""How often one request is sent in all, each but the last having been refused (401, 403)."""

_ACCOUNTS: Final = 1000
"""Identities whose tokens are held at once; those of others are read from the store again."""


class Signing:
    """Signs requests to one server.

    Args of its making: how tokens are granted, the server's URL, what makes requests to authorization servers, and what
    stops the clocks of a call while a person is asked.
    """

    def __init__(self, declared: OAuthGrant, server: str, fetch: Fetch, person_time: PersonTime) -> None:
        self._grant = grant_of(declared, fetch.name)
        self._presentation = presentation_of(declared)
        store = WatchedStore(opened(declared.store), fetch.name)
        self._means = Means(canonical(server), fetch, store, self._presentation)
        self._person_time = person_time
        self._flights = Flights()
        self._accounts: OrderedDict[str, Account] = OrderedDict()

    async def send(self, request: httpx2.Request, identity: str, send: Send) -> httpx2.Response:
        """Send a request with a token; one that is refused is sent again with a better one, which does nothing twice.

        Raises:
            OAuthError: There is no better one.
        """
        account, began = self.account(identity), time.time()
        signed = await account.ready()
        sent = 0
        while True:
            if signed is not None:
                self._presentation.show(request, signed.tokens)
            response, sent = await send(request), sent + 1
            shown_otherwise = self._presentation.learns(response)
            if response.status_code not in (401, 403) or sent == SENDS:
                return response
            challenge = challenge_in(response.headers.get_list("www-authenticate"))
            if shown_otherwise:
                await response.aclose()
            elif challenge.error in self._presentation.problems:
                return response  # of the proof, not of the token: another token is refused in the same way
            elif response.status_code == 401 and (signed is None or signed.since < began):
                await response.aclose()
                signed = await account.after(signed, challenge, renewable=not _renewed_since(signed, began))
            elif response.status_code == 403 and signed is not None and challenge.error == "insufficient_scope":
                await response.aclose()
                signed = await account.with_scope(signed, challenge)
            else:
                return response

    def account(self, identity: str) -> Account:
        """What an identity has."""
        account = self._accounts.get(identity)
        if account is None:
            renewal = Renewal(identity, self._means, self._grant)
            account = self._accounts[identity] = Account(renewal, self._flights, self._person_time)
        self._accounts.move_to_end(identity)
        if len(self._accounts) > _ACCOUNTS:
            self._accounts.popitem(last=False)
        return account

    async def end(self) -> None:
        """End what is on its way."""
        await self._flights.end()


def _renewed_since(signed: SignedIn | None, began: float) -> bool:
    """Whether a token has just been got, so that getting another in the same way changes nothing."""
    return signed is not None and signed.tokens.granted_at >= began
