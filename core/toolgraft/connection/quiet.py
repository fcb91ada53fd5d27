"""Secrets of our URLs, kept out of the logs of the libraries that are given them."""

from __future__ import annotations

import logging
from functools import cache
from typing import Final

from toolgraft.config.redact import redact_url

_LOGGERS: Final = ("httpx2", "mcp.client.streamable_http", "mcp.client.sse")


class Redacting(logging.Filter):
    """Hides user info and query of known URLs in what a logger says; it says the same else."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: dict[str, str] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through, with the URLs in it redacted."""
        said = record.getMessage()
        for secret, shown in self.shown.items():
            if secret in said:
                said = said.replace(secret, shown)
                record.msg, record.args = said, None
        return True


def keep_out_of_logs(url: str) -> None:
    """Have the libraries below us show a URL without what may be a secret in it."""
    shown = redact_url(url)
    if shown != url:
        _filter().shown[url] = shown


@cache
def _filter() -> Redacting:
    redacting = Redacting()
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(redacting)
    return redacting
