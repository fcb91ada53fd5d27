"""What one identity has of one server: the tokens that its requests are signed with, and how others are got."""

from __future__ import annotations

import time
from typing import Final

from toolgraft.errors import OAuthError
from toolgraft.oauth.challenge import Challenge
from toolgraft.oauth.flights import Flights, PersonTime
from toolgraft.oauth.renewal import Asked, Renewal
from toolgraft.oauth.values import SignedIn

QUIET: Final = 30.0
"""Seconds after a person was asked in vain in which nobody is asked again: calls come in numbers, as pages would."""


class Account:
    """The tokens of one identity, in one connection. Calls that have a good one never wait for those that have not."""

    def __init__(self, renewal: Renewal, flights: Flights, person_time: PersonTime) -> None:
        self._renewal = renewal
        self._flights = flights
        self._person_time = person_time
        self._now: SignedIn | None = None
        self._failed: OAuthError | None = None
        self._failed_at = 0.0
        self._withheld: set[str] = set()

    async def ready(self) -> SignedIn | None:
        """What a request is signed with; None where nobody has signed in, which the server is to say first.

        Raises:
            OAuthError: It is expired, and cannot be renewed now.
        """
        if self._now is None or not self._now.tokens.usable:
            self._now = await self._renewal.stored()
        now = self._now
        if now is None or now.tokens.usable:
            return now
        if now.tokens.refresh is None and self._renewal.grant.attended:
            return None
        return await self._got(Asked(now))

    async def after(self, refused: SignedIn | None, challenge: Challenge, *, renewable: bool) -> SignedIn:
        """What is used in place of a token that was refused, or of none.

        Raises:
            OAuthError: Nothing is to be had.
        """
        return await self._got(Asked(refused, challenge, renewable))

    async def with_scope(self, refused: SignedIn, challenge: Challenge) -> SignedIn:
        """What is used where scopes are missing (RFC 6750 section 3.1): those of before, and the missing.

        Raises:
            OAuthError: They have been granted already, or are not to be had.
        """
        missing = challenge.scope
        if missing is None or missing in self._withheld or refused.tokens.covers(missing):
            named = f"the scope {missing!r}" if missing else "a scope that it does not name"
            done = (
                "was asked for and is not granted" if missing in self._withheld else "the token has what can be asked"
            )
            reason = f"it wants {named} for this: {done}"
            raise OAuthError(self._renewal.means.fetch.name, "scope_missing", reason)
        got = await self._got(Asked(refused, challenge, renewable=False, scope=missing))
        if not got.tokens.covers(missing):
            self._withheld.add(missing)
        return got

    async def _got(self, asked: Asked) -> SignedIn:
        now = self._now
        known = asked.before.tokens.access if asked.before is not None else None
        if now is not None and now.tokens.usable and now.tokens.access != known and now.tokens.covers(asked.scope):
            return now
        self._stay_quiet()
        flight = self._flights.of(self._renewal.identity, lambda flight: self._renewal.run(asked, flight))
        try:
            self._now = await flight.joined(self._person_time)
        except OAuthError as error:
            if self._renewal.grant.attended and error.problem in _ASKED:
                self._failed, self._failed_at = error, time.monotonic()
            raise
        return self._now

    def _stay_quiet(self) -> None:
        failed = self._failed
        if failed is None or time.monotonic() - self._failed_at > QUIET:
            return
        raise OAuthError(failed.server, failed.problem, f"{failed.reason} (nobody is asked again for {QUIET:g} s)")


_ASKED: Final = ("not_answered", "access_denied", "authorization_refused", "nobody_to_ask")
