"""A person's time is not counted: what waits for somebody to log in says so here, and the clocks above it stop."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from toolgraft.config.oauth import Bearer, OAuthGrant
from toolgraft.connection.wire.clock import Clock
from toolgraft.connection.wire.in_flight import CURRENT

if TYPE_CHECKING:
    import httpx2

    from toolgraft.calls import Deadline
    from toolgraft.config.servers import Auth


class Attempt:
    """One connecting: its clock, and the clocks of the calls that wait for it. They stop and go together."""

    def __init__(self) -> None:
        self._stopped: dict[Clock, ExitStack] = {}
        self._pauses = 0

    @asynccontextmanager
    async def within(self, limit: Deadline) -> AsyncGenerator[None]:
        """Raise `TimeoutError` when the time is up."""
        token = CONNECTING.set(self)
        try:
            async with Clock(limit) as clock:
                with self.holding(clock):
                    yield
        finally:
            CONNECTING.reset(token)

    @contextmanager
    def holding(self, clock: Clock) -> Generator[None]:
        """Have a clock stop with the others, while the block runs."""
        with ExitStack() as stopped:
            self._stopped[clock] = stopped
            if self._pauses:
                stopped.enter_context(clock.paused())
            try:
                yield
            finally:
                del self._stopped[clock]

    @contextmanager
    def paused(self) -> Generator[None]:
        """Do not count the time spent in this block."""
        self._pauses += 1
        if self._pauses == 1:
            for clock, stopped in self._stopped.items():
                stopped.enter_context(clock.paused())
        try:
            yield
        finally:
            self._pauses -= 1
            if not self._pauses:
                for stopped in self._stopped.values():
                    stopped.close()


CONNECTING: Final[ContextVar[Attempt | None]] = ContextVar("toolgraft_connecting", default=None)


@contextmanager
def waiting_for_a_person() -> Generator[None]:
    """Stop the clocks of the call or the connecting that this code serves, while the block runs.

    For an `httpx2.Auth` of your own that waits for somebody to log in. It does nothing where nothing is counted.
    """
    in_flight, attempt = CURRENT.get(), CONNECTING.get()
    with ExitStack() as stopped:
        if in_flight is not None and in_flight.clock is not None:
            stopped.enter_context(in_flight.clock.paused())
        if attempt is not None:
            stopped.enter_context(attempt.paused())
        yield


def uncounted(auth: Auth) -> httpx2.Auth | None:
    """Have the SDK's OAuth provider stop the clocks while it shows its page and waits for the answer.

    What is a declaration of ours is no `httpx2.Auth`: requests are signed elsewhere.
    """
    if auth is None or isinstance(auth, OAuthGrant | Bearer | str):
        return None
    from mcp.client.auth import OAuthClientProvider

    if isinstance(auth, OAuthClientProvider):
        context = auth.context
        context.redirect_handler = _uncounted(context.redirect_handler)
        context.callback_handler = _uncounted(context.callback_handler)
    return auth


class _Uncounted:
    """A handler, with the clocks stopped."""

    def __init__(self, handler: Callable[..., Awaitable[Any]]) -> None:
        self._handler = handler

    async def __call__(self, *arguments: Any) -> Any:
        with waiting_for_a_person():
            return await self._handler(*arguments)


def _uncounted(handler: Callable[..., Awaitable[Any]] | None) -> Callable[..., Awaitable[Any]] | None:
    return handler if handler is None or isinstance(handler, _Uncounted) else _Uncounted(handler)
