"""Gets tokens in place of others: by a refresh token, else by the grant; one at a time, wherever it runs."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from toolgraft.config.token_store import TokenKey
from toolgraft.errors import OAUTH_PROBLEMS, OAuthError, OAuthProblem
from toolgraft.oauth.challenge import NONE, Challenge
from toolgraft.oauth.flights import Flight
from toolgraft.oauth.grants.grant import Grant, Means, Wanted
from toolgraft.oauth.grants.registrations import UNKNOWN, forget
from toolgraft.oauth.store.turn import MyTurn, turn
from toolgraft.oauth.values import SignedIn, joined_scopes, read, written
from toolgraft.oauth.wire.token_endpoint import Refused

_PAUSES: Final = (0.1, 0.4, 1.5)
"""Seconds between tries to keep tokens: the refresh token that was spent for them is of no use any more."""

_SERVICE: Final = "service:"
_PERSON: Final = "person:"

_log: Final = logging.getLogger("toolgraft")


@dataclass(frozen=True, slots=True)
class Asked:
    """Why tokens are wanted.

    Attributes:
        before: What was shown to the server, or nothing.
        challenge: How it was refused; nothing where it is known to be expired.
        renewable: A refresh token may do; not where one that has just been renewed is refused, or scopes are missing.
        scope: Scopes that are missing.
    """

    before: SignedIn | None = None
    challenge: Challenge = NONE
    renewable: bool = True
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class Renewal:
    """Gets tokens for one identity of one server.

    Attributes:
        identity: Whose they are.
        means: What it is done with.
        grant: How they are got where nothing can be renewed.
    """

    identity: str
    means: Means
    grant: Grant

    async def stored(self) -> SignedIn | None:
        """What is signed in, by the store; of several authorization servers, where it was last."""
        found = await self._found()
        return found[0] if found else None

    async def run(self, asked: Asked, flight: Flight) -> SignedIn:
        """Get tokens.

        Raises:
            OAuthError: There are none to be had.
        """
        began = time.time()
        key = TokenKey("turn", self.means.server, "", self._owner)
        async with turn(self.means.store, key, flight.asks) as mine:
            if mine.before.failed is not None and mine.before.failed_at >= began:
                mine.failed_before()
                raise self._failed_elsewhere(mine.before.failed)
            found = _or_newer(await self._found(), asked.before)
            if found is not None and _answers(found[0], asked):
                return found[0]
            try:
                return await self._got(asked, found, mine, flight)
            except OAuthError as error:
                mine.failed(error.problem, error.reason)
                raise

    async def _got(self, asked: Asked, found: Found | None, mine: MyTurn, flight: Flight) -> SignedIn:
        before = found[0] if found else asked.before
        if found is not None and asked.renewable and found[0].tokens.refresh is not None:
            try:
                renewed = await self.means.token_endpoint(self.grant.authenticate).renew(found[0])
            except Refused as refused:
                _log.info("server '%s': what was signed in is not renewed: %s", self.means.fetch.name, refused.reason)
                if refused.code in UNKNOWN:
                    await forget(self.means, found[0].at, found[0].client)
                found = await self._kept(found[0].without_tokens(), found)
            else:
                return (await self._kept(renewed, found))[0]
        wanted = Wanted(
            asked.challenge,
            joined_scopes(before.tokens.scope if before else None, asked.scope),
            before,
            self.identity,
            lambda: _asking(mine, flight),
        )
        obtained = await self.grant.obtain(self.means, wanted)
        if found is not None and found[0].at.issuer != obtained.at.issuer:
            await self.means.store.swap(self._key(found[0]), found[1], None)  # it moved to another one
            found = None
        return (await self._kept(obtained, found))[0]

    async def _found(self) -> Found | None:
        store, newest = self.means.store, None
        for key in await store.keys(self.means.server, self._owner):
            kept = await store.read(key) if key.kind == "tokens" else None
            signed_in = read(kept.value) if kept is not None else None
            if kept is None or signed_in is None or not self.means.presentation.can_show(signed_in.tokens):
                continue
            if newest is None or signed_in.tokens.granted_at >= newest[0].tokens.granted_at:
                newest = (signed_in, kept.version)
        return newest

    async def _kept(self, signed_in: SignedIn, found: Found | None) -> Found:
        """Keep it in the place of what was found; where the store fails and goes on failing, in this process only.

        Raises:
            OAuthError: That is gone meanwhile: somebody signed out.
        """
        for pause in (*_PAUSES, None):
            try:
                return await self._put(signed_in, found)
            except OAuthError as error:
                if error.problem != "store_failed":
                    raise
                if pause is None:
                    _log.warning("%s; signed in for this process only", error)
                    break
                await asyncio.sleep(pause)
        return signed_in, found[1] if found is not None else ""

    async def _put(self, signed_in: SignedIn, found: Found | None) -> Found:
        key, store = self._key(signed_in), self.means.store
        version = found[1] if found is not None else None
        if found is None and (there := await store.read(key)) is not None:
            version = there.version  # it could not be read, or is of before a sign-in at another one
        if not await store.swap(key, version, written(signed_in)) and await store.read(key) is None:
            reason = "somebody signed out while it was renewed"
            raise OAuthError(self.means.fetch.name, "signed_out", reason)
        kept = await store.read(key)
        newest = read(kept.value) if kept else None
        return (newest, kept.version) if kept is not None and newest is not None else (signed_in, "")

    def _key(self, signed_in: SignedIn) -> TokenKey:
        return TokenKey("tokens", self.means.server, signed_in.at.issuer, self._owner)

    @property
    def _owner(self) -> str:
        """What tokens are kept by: those that a client has of its own are never taken for a person's, nor otherwise."""
        if self.grant.of:
            return f"{_SERVICE}{json.dumps([self.grant.of, self.identity])}"
        return f"{_PERSON}{self.identity}" if self.identity.startswith((_SERVICE, _PERSON)) else self.identity

    def _failed_elsewhere(self, failed: tuple[str, str]) -> OAuthError:
        problem, reason = failed
        known = cast("OAuthProblem", problem if problem in OAUTH_PROBLEMS else "not_answered")
        return OAuthError(self.means.fetch.name, known, reason)


Found: TypeAlias = tuple[SignedIn, str]
"""What the store has, with the version that it was read in."""


def _or_newer(found: Found | None, shown: SignedIn | None) -> Found | None:
    """What was found; or what was shown to the server, where that could not be kept."""
    if found is None or shown is None or shown.at.issuer != found[0].at.issuer:
        return found
    return (shown, found[1]) if shown.tokens.granted_at > found[0].tokens.granted_at else found


def _answers(found: SignedIn, asked: Asked) -> bool:
    """Whether what is in the store will do: somebody else has got it since."""
    if not found.tokens.usable or not found.tokens.covers(asked.scope):
        return False
    return asked.before is None or found.tokens.access != asked.before.tokens.access


@asynccontextmanager
async def _asking(mine: MyTurn, flight: Flight) -> AsyncGenerator[None]:
    """A person is asked: the clocks of all stop who wait for this, in whatever process."""
    with flight.asks():
        await mine.asks(True)
        try:
            yield
        finally:
            await mine.asks(False)
