"""The event loop that a program runs: whether there is one here, and what to do where ours cannot run."""

from __future__ import annotations

import sys

from toolgraft.errors import ClosedError


def in_a_loop() -> bool:
    """Whether this thread runs an asyncio loop, which may not be held up."""
    import asyncio  # here, for a light import

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def require_asyncio() -> None:
    """See to it that an asyncio loop runs here.

    Raises:
        ClosedError: Another library's does, such as trio's, or none.
    """
    if not in_a_loop():
        raise ClosedError(
            "toolgraft runs on asyncio, and there is no asyncio loop here: start the program by asyncio.run(...); "
            "under trio, use the plain `with` in a thread, trio.to_thread.run_sync(...)"
        )


def require_no_gevent() -> None:
    """See to it that a plain `with` gets a thread of its own.

    Raises:
        ClosedError: gevent has put its own in the place of Python's threads.
    """
    patched = getattr(sys.modules.get("gevent.monkey"), "is_module_patched", None)
    if patched is not None and patched("threading"):
        raise ClosedError(
            "a plain `with` needs a thread of its own, and gevent has patched threads: write `async with graft(...)` "
            "under asyncio.run(...), or use a worker that is not gevent's (gunicorn's gthread, uvicorn's)"
        )
