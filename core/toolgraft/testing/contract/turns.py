"""One turn of the adapter's framework with the demo server, as the tests of the contract need it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, ClassVar, Final, TypeVar

from toolgraft.config import AnyServer, Http
from toolgraft.options import Options
from toolgraft.testing.demo import demo_http, demo_stdio
from toolgraft.toolbox.graft import Graft, Grafted
from toolgraft.tools.framework import Adapter
from toolgraft.tools.scripted import RunScripted, Step

T = TypeVar("T")


def run_in_a_loop(main: Callable[[], Awaitable[T]]) -> T:
    """Run a coroutine function in an event loop of its own, with a limit on the time it takes."""
    import asyncio  # here, for a light import

    async def limited() -> T:
        async with asyncio.timeout(SECONDS):
            return await main()

    return asyncio.run(limited())


QUIET: Final = Options(discover_plugins=False)
SECONDS: Final = 50


class Turns:
    """What the parts of the contract share.

    Attributes:
        adapter: The adapter under test.
        run_scripted: Its scripted run, wrapped in `staticmethod`.
        demo_http: The demo server by HTTP, running for all tests of a class.
    """

    adapter: ClassVar[Adapter[Any]]
    run_scripted: ClassVar[RunScripted[Any]]
    demo_http: ClassVar[Http]
    _running: ClassVar[ExitStack]

    @classmethod
    def setup_class(cls) -> None:
        """Start the demo server."""
        cls._running = ExitStack()
        cls.demo_http = cls._running.enter_context(demo_http())

    @classmethod
    def teardown_class(cls) -> None:
        """Stop it."""
        cls._running.close()

    @classmethod
    def both_ways(cls) -> Iterator[AnyServer]:
        """The demo server by HTTP, and as a child process."""
        yield cls.demo_http
        yield demo_stdio()

    @classmethod
    def turn(cls, *calls: tuple[str, Mapping[str, Any]], server: AnyServer | None = None) -> Sequence[Step]:
        """Run one turn in which the scripted model makes these calls."""

        async def within(tools: Grafted[Any]) -> Sequence[Step]:
            return await cls.run_scripted(tools, calls)

        return cls.grafted(within, server or cls.demo_http)

    @classmethod
    def grafted(cls, use: Callable[[Grafted[Any]], Awaitable[T]], *servers: AnyServer) -> T:
        """Run `use` with the tools of servers."""

        async def opened() -> T:
            async with Graft(cls.adapter, servers, QUIET) as tools:
                return await use(tools)

        return run_in_a_loop(opened)

    @classmethod
    def names(cls, *servers: AnyServer) -> list[str]:
        """The public names that servers' tools get."""

        async def listed(tools: Grafted[Any]) -> list[str]:
            return [str(tool.name) for tool in tools]

        return cls.grafted(partial(listed), *servers)
