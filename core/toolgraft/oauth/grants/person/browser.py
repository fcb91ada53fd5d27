"""Shows a URL to the person: in a browser, or in print."""

from __future__ import annotations

import asyncio
import sys
import webbrowser
from typing import Final

_SECONDS: Final = 10.0
"""A browser that has not opened by then is not waited for: some programs return when they are closed."""


async def show(url: str, server: str, *, in_browser: bool) -> None:
    """Open a URL, or print it where that is not wanted or there is no browser.

    Args:
        url: An http or https URL, checked and escaped: it goes to another program.
        server: Name of the server that is signed in to.
        in_browser: Whether a browser is to be opened.
    """
    if in_browser and await _opened(url):
        print(f"Sign in to '{server}' in the browser that has opened. If none has, open:\n  {url}", file=sys.stderr)
    else:
        print(f"To sign in to '{server}', open:\n  {url}", file=sys.stderr)
    sys.stderr.flush()


async def _opened(url: str) -> bool:
    opening = asyncio.get_running_loop().run_in_executor(None, _open, url)
    done, _ = await asyncio.wait([opening], timeout=_SECONDS)
    return opening.result() if done else True


def _open(url: str) -> bool:
    try:
        return webbrowser.open(url)
    except (webbrowser.Error, OSError):
        return False
