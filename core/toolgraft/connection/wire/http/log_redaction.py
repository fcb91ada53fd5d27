"""Secrets of our URLs and headers, kept out of the logs of the HTTP libraries that are given them."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from typing import Final

import httpx2

from toolgraft.config.redact import HIDDEN, redact_url

_CORE: Final = tuple(f"httpcore2.{part}" for part in ("connection", "http11", "http2", "proxy", "socks"))
_LOGGERS: Final = ("httpx2", *_CORE, "mcp.client.auth.oauth2")
_URL: Final = re.compile(r"https?://[^\s\"'<>]+", re.IGNORECASE)
_SECRET: Final = re.compile(
    r"(?i)(\(b'(?:set-cookie|cookie|authorization|proxy-authorization|dpop|mcp-session-id)', b)(['\"]).*?\2(\))"
)
"""A header in a list of them, as httpcore writes it at level DEBUG."""

_REFUSED: Final = re.compile(r"(?i)(illegal header \w+).*")
"""What h11 says of a header that it does not take."""


class Redacting(logging.Filter):
    """Hides user info and query of URLs of known hosts in what a logger says, and whoever's cookies and credentials.

    Attributes:
        hosts: Those of the connections that are open, with their number.
    """

    def __init__(self) -> None:
        super().__init__()
        self.hosts: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through, with the URLs in it redacted."""
        said = record.getMessage()
        shown = _URL.sub(lambda found: self._shown(found[0]), _REFUSED.sub(rf"\1 {HIDDEN}", said))
        shown = _SECRET.sub(lambda found: f"{found[1]}{HIDDEN}{found[3]}", shown)
        if shown != said:
            record.msg, record.args = shown, None
        return True

    def _shown(self, url: str) -> str:
        return redact_url(url) if _host(url) in self.hosts else url


@contextmanager
def kept_out_of_logs(url: str) -> Generator[None]:
    """While the block runs, the libraries below show URLs of this host without what may be a secret in them."""
    hosts, host = _filter().hosts, _host(url)
    hosts[host] += 1
    try:
        yield
    finally:
        hosts[host] -= 1
        if not hosts[host]:
            del hosts[host]


def _host(url: str) -> str:
    """The host as the library below writes it: case, default port and international names are made one."""
    try:
        return httpx2.URL(url).host
    except (httpx2.InvalidURL, ValueError):
        return ""


@cache
def _filter() -> Redacting:
    redacting = Redacting()
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(redacting)
    return redacting
