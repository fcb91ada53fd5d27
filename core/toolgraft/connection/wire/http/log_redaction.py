"""Secrets of our URLs, kept out of the logs of the HTTP libraries that are given them."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from typing import Final

import httpx2

from toolgraft.config.redact import redact_url

_LOGGERS: Final = ("httpx2", "httpcore2", "mcp.client.auth.oauth2")
_URL: Final = re.compile(r"https?://[^\s\"'<>]+", re.IGNORECASE)


class Redacting(logging.Filter):
    """Hides user info and query of URLs of known hosts in what a logger says; it says the same of others.

    Attributes:
        hosts: Those of the connections that are open, with their number.
    """

    def __init__(self) -> None:
        super().__init__()
        self.hosts: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through, with the URLs in it redacted."""
        said = record.getMessage()
        shown = _URL.sub(lambda found: self._shown(found[0]), said)
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
