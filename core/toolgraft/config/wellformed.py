"""What the fields of a declaration must look like, said with the field's name and never with a secret value."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, get_args
from urllib.parse import urlsplit

from toolgraft.config.redact import redact_words
from toolgraft.errors import ConfigError
from toolgraft.host_loop import in_a_loop

V = TypeVar("V")

_HOST_AND_PORT = re.compile(r"[\w.-]+(:\d+)?(/[^\s@]*)?\Z")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")  # RFC 9110 section 5.6.2, token
_HEADER_VALUE = re.compile(r"[!-~](?:[\t -~]*[!-~])?\Z")
_PROXIES = ("http", "https", "socks5", "socks5h")


def one_of(field: str, value: object, literal: Any) -> None:
    """Check a value against a `Literal`."""
    allowed = get_args(literal)
    if value not in allowed:
        raise ConfigError(f"{field} is one of {', '.join(repr(each) for each in allowed)}, not {str(value)[:40]!r}")


def seconds(field: str, value: object, *, none: str = "") -> None:
    """Check a time limit; `none` says what None would mean, where it may be None."""
    if value is None and none:
        return
    if not isinstance(value, int | float) or isinstance(value, bool) or not value > 0:  # not NaN either
        raise ConfigError(f"{field} is a number of seconds above 0{f', or None for {none}' if none else ''}")


def kind(field: str, value: object, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Check what a value is; it is not shown, because it may be a secret in the wrong place."""
    if not isinstance(value, kinds):
        raise ConfigError(f"{field} is {wanted}, not {'None' if value is None else f'a {type(value).__name__}'}")


def names(field: str, value: Iterable[str]) -> tuple[str, ...]:
    """Return a list of names as a tuple; a single string is refused, because it would be read letter by letter."""
    if isinstance(value, str):
        raise ConfigError(f"{field} is a list of names, not a string: write {field}=[{value!r}]")
    listed = tuple(value)
    for each in listed:
        if not isinstance(each, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"{field} is a list of names, and there is a {type(each).__name__} in it")
    return listed


def arguments(field: str, value: Iterable[str]) -> tuple[str, ...]:
    """Return command-line arguments as a tuple of strings; paths are taken too."""
    if isinstance(value, str):
        raise ConfigError(f"{field} is a list of strings, one for each argument, not one string")
    return tuple(argument(f"{field}[{index}]", each) for index, each in enumerate(value))


def argument(field: str, value: str | os.PathLike[str]) -> str:
    """Return one word of a command line as a string."""
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else value  # pyright: ignore[reportUnnecessaryIsInstance]
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConfigError(f"{field} is a string, not {type(value).__name__}")
    if "\0" in text:
        raise ConfigError(f"{field} has a zero byte in it, which no command line can carry")
    return text


def program(command: str) -> str:
    """Return a program's name or path, with `~` as the home folder; a whole command line is refused.

    Raises:
        ConfigError: It is empty, a URL, or a command line; the text shows the words apart, secrets hidden.
    """
    if not command.strip() or "\n" in command:
        raise ConfigError("command is empty or not a program's name")
    if command.lower().startswith(("http://", "https://")):
        raise ConfigError("command is a URL; a server that is reached by one is Http(url)")
    if words := words_of_line(command):
        apart = ", ".join(f'"{word}"' for word in redact_words(words))
        raise ConfigError(f"command is a whole command line, and no shell splits it: write Stdio({apart})")
    return home(command)


def words_of_line(command: str) -> list[str]:
    """Return the words of what is a command line; nothing for a program, whose path may have spaces in it.

    A file is looked for only where there is no event loop to hold up; there, the path is taken at its word.
    """
    first, *more = command.split() or [""]
    if not more:
        return []
    if any(mark in first for mark in "/\\") and (in_a_loop() or os.path.exists(home(command))):
        return []
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


def home(path: str | os.PathLike[str]) -> str:
    """Return a path as a string, with `~` at its beginning as the home folder."""
    return os.path.expanduser(os.fspath(path))


def environment(field: str, value: Mapping[str, str]) -> dict[str, str]:
    """Return a copy of environment variables."""
    if not isinstance(value, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        listed: list[object] = list(value) if isinstance(value, list | tuple) else []  # type: ignore[unreachable]
        names = [each.partition("=")[0] for each in listed if isinstance(each, str) and "=" in each]
        shown = ", ".join(f'"{name}": "..."' for name in names[:5] if name.isprintable()) or '"NAME": "value"'
        raise ConfigError(f"{field} is a dict, not a {type(value).__name__}: write {field}={{{shown}}}")
    copied = dict(value)
    for name, each in copied.items():
        if not isinstance(name, str) or not name or "=" in name or "\0" in name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"{field} has a name that no environment variable can have")
        if not isinstance(each, str) or "\0" in each:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"{field}[{name!r}] is a string without zero bytes, not {type(each).__name__}")
    return copied


def url(field: str, value: str) -> None:
    """Check an HTTP URL. Nothing of it is shown, because what is wrong may be a secret in the wrong place."""
    if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConfigError(f"{field} is a string, not {type(value).__name__}")
    if not value.lower().startswith(("http://", "https://")):
        raise ConfigError(f"{field} must begin with http:// or https://{_scheme_hint(value)}")
    _host(field, value)


def _host(field: str, value: str) -> None:
    """Check that a URL names a host, and a port that is one."""
    try:
        split = urlsplit(value)
        host, _ = split.hostname, split.port
    except ValueError:
        escapes = "in a password, ':', '/' and '@' are written %3A, %2F, %40"
        raise ConfigError(f"{field} has no host, or a port that is no number; {escapes}") from None
    if not host or any(character.isspace() or not character.isprintable() for character in value):
        raise ConfigError(f"{field} has no host, or white space in it")


def _scheme_hint(value: str) -> str:
    if _HOST_AND_PORT.match(value):
        return ", as in http://localhost:8000/mcp"
    if value.lower().startswith(("ws://", "wss://")):
        return "; WebSocket is no transport of MCP, most servers have an HTTP address too"
    return "; a command is declared as Stdio(command, *args)" if " " in value.strip() else ""


def headers(field: str, value: Mapping[str, str]) -> dict[str, str]:
    """Return a copy of HTTP headers."""
    kind(field, value, Mapping, "a dict or a function of the call's context")
    copied = dict(value)
    for name, each in copied.items():
        if not isinstance(name, str) or not _HEADER_NAME.match(name):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"{field} has a name that no HTTP header can have")
        if not isinstance(each, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"{field}[{name!r}] is a string, not {'None' if each is None else type(each).__name__}")
        if not sendable(each):
            raise ConfigError(f"{field}[{name!r}] {_why_not_sendable(each)}")
    return copied


def sendable(value: str) -> bool:
    """Whether a header can have this value (RFC 9110 section 5.5), without the obsolete bytes above 127."""
    return not value or _HEADER_VALUE.match(value) is not None


def _why_not_sendable(value: str) -> str:
    if "\n" in value or "\r" in value:
        return "has a line break in it, as that of a file that it was read from; strip it"
    if value != value.strip():
        return "has white space at an end; strip it"
    if not value.isascii():
        return "has a character outside ASCII in it, which no HTTP header carries; encode it"
    return "has a control character in it"


def proxy(field: str, value: object) -> None:
    """Check a proxy's URL. Nothing of it is shown: it may hold a password."""
    kind(field, value, str, "a URL as a string, e.g. 'http://localhost:3128'")
    scheme, found, _ = str(value).partition("://")
    if not found or scheme.lower() not in _PROXIES:
        raise ConfigError(f"{field} is a URL that begins with http://, https:// or socks5://")
    _host(field, str(value))


def copied(field: str, value: Mapping[str, V]) -> dict[str, V]:
    """Return a copy of a mapping by name, so that nobody's later change reaches a declaration."""
    if not isinstance(value, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConfigError(f"{field} is a mapping by name, not {type(value).__name__}")
    return dict(value)
