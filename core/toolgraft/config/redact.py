"""What a command line or URL may show of itself in errors, logs and reprs: never a secret."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit, urlunsplit

HIDDEN = "***"
_SECRET_WORD = re.compile(r"(?i)(token|secret|passw|api[-_]?key|credential|auth|bearer|private[-_]?key|cookie)")
_URL = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*://")


def redact_url(url: str) -> str:
    """Return the URL without user info, query and fragment, each of which may carry a token."""
    try:
        split = urlsplit(url)
    except ValueError:
        return HIDDEN
    host = split.netloc.rpartition("@")[2]
    return urlunsplit((split.scheme, host, split.path, f"{HIDDEN}" if split.query else "", ""))


def redact_command(command: str, args: Iterable[str]) -> str:
    """Return the command line with the values of secret-looking options hidden."""
    shown = [command]
    hide_next = False
    for arg in args:
        shown.append(HIDDEN if hide_next else _redact_argument(arg))
        hide_next = arg.startswith("-") and "=" not in arg and bool(_SECRET_WORD.search(arg))
    return " ".join(shown)


def _redact_argument(arg: str) -> str:
    name, equals, _ = arg.partition("=")
    if equals and not _URL.match(arg) and _SECRET_WORD.search(name):
        return f"{name}={HIDDEN}"
    if _SECRET_WORD.search(arg) and (":" in arg and not _URL.match(arg)):  # "Authorization: Bearer ..."
        return f"{arg.partition(':')[0]}: {HIDDEN}"
    return redact_url(arg) if _URL.match(arg) else arg
