"""A transport of the user's own, entered where its mistakes are told as those of one server."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from inspect import iscoroutine
from typing import TYPE_CHECKING, cast

from toolgraft.config.takes import named

if TYPE_CHECKING:
    from toolgraft.config.servers import Custom
    from toolgraft.connection.wire.opener import Streams


@asynccontextmanager
async def custom(config: Custom) -> AsyncGenerator[Streams]:
    """The streams of the transport that the user's function makes.

    Raises:
        TypeError: It made something else, or a transport that was used before.
    """
    made = cast("object", config.transport_factory())
    if not hasattr(made, "__aenter__"):
        if iscoroutine(made):
            made.close()  # one that is dropped warns
        wanted = "a transport, which is an async context manager of a read and a write stream"
        raise TypeError(f"its transport_factory made {named(made)}, where it makes {wanted}")
    entered = False
    try:
        async with cast("AbstractAsyncContextManager[Streams]", made) as streams:
            entered = True
            yield streams
    except (AttributeError, RuntimeError) as error:
        if entered or config.transport_factory() is not made:
            raise
        raise TypeError("its transport_factory made the same transport twice; make a new one each time") from error
