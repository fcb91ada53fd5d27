"""The proxy that requests to a server go through."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from toolgraft.config.redact import redact_url

if TYPE_CHECKING:
    from toolgraft.config.servers import Remote


def proxy_of(config: Remote, url: str | None = None) -> str:
    """The proxy that requests go through, without secrets; empty where they go straight.

    Args:
        config: The server.
        url: Another URL than its own, that it sends us to.
    """
    if config.proxy is not None:
        return redact_url(config.proxy)
    split = urlsplit(url or config.url)
    proxies = getproxies()
    found = proxies.get(split.scheme) or proxies.get("all")
    if not found or (split.hostname and proxy_bypass(split.hostname)):
        return ""
    return redact_url(found if "://" in found else f"http://{found}")
