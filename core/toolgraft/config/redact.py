"""What a command line or URL may show of itself in errors, logs and reprs: never a secret.

Nobody can tell every secret from every word, so this errs on the side of hiding: it only ever costs a reader a detail.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit, urlunsplit

HIDDEN = "***"
_SHOWN = 200
_READ = 2_000
_WORDS = "token|secret|passw|pwd|passphrase|(?:api|private|access)[-_]?key|credential|auth|bearer|cookie"
_SECRET_WORD = re.compile(rf"(?i){_WORDS}|(?<![a-z])(pass|pat|key|dsn)(?![a-z])")
_ASSIGNED = re.compile(rf"(?i)(?:{_WORDS}|(?<![a-z])(?:pass|pat|key|dsn))[\w.-]{{0,64}}[\"']?\s{{0,8}}[:=]")
_BEARER = re.compile(r"(?i)\b(bearer|basic|dpop)\s+\S+")
_URL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{0,40}://\S*")
_SHORT_OPTIONS = frozenset({"-k", "-t", "-H"})
"""Key, token and header, as many programs have them."""
# Keys as their makers issue them, and any long run of letters and digits, as in a path that is itself the secret.
_ISSUED = re.compile(
    r"\b(sk-|pk-|rk_|gh[opsur]_|github_pat_|glpat-|xox[a-z]-|ya29\.|AKIA|AIza|hf_|npm_|eyJ)[\w./+=-]{6,}"
)
_LONG_RUN = re.compile(r"(?<![\w-])(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[A-Za-z])[\w-]{20,}={0,2}")


def redact_url(url: str) -> str:
    """Return the URL without user info, query, fragment and key-like path segments, each of which may be a secret."""
    try:
        split = urlsplit(url)
        _ = split.port  # raises where a password with a slash in it was taken for a host and port
    except ValueError:
        return HIDDEN
    host = split.netloc.rpartition("@")[2]
    path = _hide_keys(split.path) if split.netloc and len(url) <= _READ else HIDDEN
    return urlunsplit((split.scheme, host, path, HIDDEN if split.query else "", ""))


def redact_text(text: str) -> str:
    """Return one argument or sentence with what looks like a secret hidden, and shortened when it is long."""
    if len(text) > _READ:
        return f"({len(text)} characters)"
    assigned = _ASSIGNED.search(text)
    if assigned and not _URL.match(text):
        text = text[: assigned.end()] + HIDDEN
    text = _hide_keys(_BEARER.sub(rf"\1 {HIDDEN}", _URL.sub(lambda found: redact_url(found[0]), text)))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def is_secret(name: str) -> bool:
    """Whether a variable, option or field of this name holds a secret, as far as a name tells."""
    return bool(_SECRET_WORD.search(name))


def names_secret(option: str) -> bool:
    """Whether what follows this option on a command line is a secret, as far as the option tells."""
    return option in _SHORT_OPTIONS or (option.startswith("-") and "=" not in option and is_secret(option))


def redact_command(command: str, args: Iterable[str]) -> str:
    """Return the command line with what looks like a secret hidden."""
    return " ".join(redact_words([command, *args]))


def redact_words(words: Iterable[str]) -> list[str]:
    """Return the words of a command line, each with what looks like a secret hidden."""
    shown: list[str] = []
    hide_next = False
    for word in words:
        shown.append(HIDDEN if hide_next else redact_text(word))
        hide_next = names_secret(word)
    return shown


def _hide_keys(text: str) -> str:
    return _LONG_RUN.sub(HIDDEN, _ISSUED.sub(HIDDEN, text))
