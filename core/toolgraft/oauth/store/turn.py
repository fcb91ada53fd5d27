"""Whose turn it is to get tokens: one at a time over tasks, threads, processes and machines that share a store.

A turn is an entry of the store that one wins by compare-and-set. It lasts for seconds only and is prolonged as long as
its owner lives, so that nobody waits long for one who died.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from toolgraft.config.token_store import Kept, TokenKey, TokenStore

LASTS: Final = 15.0
PROLONGED: Final = 5.0
_SOONEST, _LATEST = 0.02, 0.25
"""Seconds between looks."""

_log: Final = logging.getLogger("toolgraft")


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn, as it is written down.

    Attributes:
        owner: Who has it; empty for nobody.
        until: Unix time in seconds.
        asks: Its owner asks a person meanwhile.
        failed: What came of asking a person, when nothing did: the word and the sentence of an `OAuthError`.
        failed_at: Unix time in seconds.
    """

    owner: str = ""
    until: float = 0.0
    asks: bool = False
    failed: tuple[str, str] | None = None
    failed_at: float = 0.0

    @property
    def taken(self) -> bool:
        """Whether somebody has it."""
        return bool(self.owner) and self.until > time.time()


class MyTurn:
    """A turn that is ours, until the block of `turn` ends.

    Attributes:
        before: The one before it.
    """

    def __init__(self, store: TokenStore, key: TokenKey, mine: Turn, before: Turn) -> None:
        self.before = before
        self._store = store
        self._key = key
        self._mine = mine

    async def asks(self, asking: bool) -> None:
        """Say that a person is asked, or is not any more, so that the clocks of others who wait stop."""
        self._mine = replace(self._mine, asks=asking)
        await self.prolong()

    def failed(self, problem: str, reason: str) -> None:
        """Say what came of asking, so that who waits for this turn does not ask again."""
        self._mine = replace(self._mine, failed=(problem, reason), failed_at=time.time())

    def failed_before(self) -> None:
        """Say again what came of asking in the turn before, to the others who have waited since."""
        self._mine = replace(self._mine, failed=self.before.failed, failed_at=self.before.failed_at)

    async def prolong(self) -> None:
        """Keep it for longer."""
        self._mine = replace(self._mine, until=time.time() + LASTS)
        await self._write(_written(self._mine))

    async def end(self) -> None:
        """Leave it to others."""
        ended = replace(self._mine, owner="", until=0.0, asks=False)
        await self._write(_written(ended) if ended.failed else None)

    async def _write(self, value: str | None) -> None:
        found = await self._store.read(self._key)
        if found is not None and _read(found).owner == self._mine.owner:
            await self._store.swap(self._key, found.version, value)


@asynccontextmanager
async def turn(
    store: TokenStore, key: TokenKey, on_asking: Callable[[], AbstractContextManager[None]]
) -> AsyncGenerator[MyTurn]:
    """Wait for a turn and have it.

    Args:
        store: What is shared.
        key: Whose tokens it is about.
        on_asking: Entered while another one asks a person and is waited for.
    """
    ours = await _taken(store, key, on_asking)
    prolonging = asyncio.get_running_loop().create_task(_prolong(ours))
    try:
        yield ours
    finally:
        prolonging.cancel()
        await asyncio.wait([prolonging])
        await _to_the_end(_ended(ours))


async def _taken(store: TokenStore, key: TokenKey, on_asking: Callable[[], AbstractContextManager[None]]) -> MyTurn:
    owner, pause = secrets.token_hex(8), _SOONEST
    while True:
        found = await store.read(key)
        before = _read(found)
        if not before.taken:
            mine = replace(before, owner=owner, until=time.time() + LASTS, asks=False)
            if await store.swap(key, found.version if found else None, _written(mine)):
                return MyTurn(store, key, replace(mine, failed=None), before)
            continue
        if before.asks:
            with on_asking():
                await asyncio.sleep(_LATEST)
            continue
        await asyncio.sleep(pause * random.uniform(0.5, 1.0))
        pause = min(_LATEST, pause * 1.5)


async def _prolong(ours: MyTurn) -> None:
    while True:
        await asyncio.sleep(PROLONGED)
        try:
            await ours.prolong()
        except Exception as error:
            _log.debug("a turn at getting tokens was not prolonged: %s", type(error).__name__)


async def _ended(ours: MyTurn) -> None:
    try:
        await ours.end()
    except Exception as error:  # it ends by itself; what was got in it is worth more
        _log.debug("a turn at getting tokens was not given back: %s", type(error).__name__)


async def _to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Do what has to be done also when who does it is cancelled meanwhile."""
    doing = asyncio.ensure_future(work)
    try:
        await asyncio.shield(doing)
    except asyncio.CancelledError:
        await asyncio.wait([doing])
        raise


_TURN: Final = TypeAdapter(Turn)


def _written(each: Turn) -> str:
    return _TURN.dump_json(each).decode()


def _read(found: Kept | None) -> Turn:
    try:
        return _TURN.validate_json(found.value) if found else Turn()
    except ValidationError:
        return Turn()
