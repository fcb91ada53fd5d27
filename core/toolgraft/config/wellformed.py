"""What the fields of a declaration must look like, said with the field's name and never with a secret value."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from toolgraft.config.redact import redact_words
from toolgraft.config.takes import named
from toolgraft.errors import ConfigError
from toolgraft.filters import Filter
from toolgraft.host_loop import in_a_loop
from toolgraft.spec import Safety

_HOST_AND_PORT = re.compile(r"[\w.-]+(:\d+)?(/[^\s@]*)?\Z")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")  # RFC 9110 section 5.6.2, token
_HEADER_VALUE = re.compile(r"[!-~](?:[\t -~]*[!-~])?\Z")
_PROXIES = ("http", "https", "socks5", "socks5h")


def names(field: str, value: Iterable[str]) -> tuple[str, ...]:
    """Return a list of names as a tuple; a single string is refused, because it would be read letter by letter."""
    if isinstance(value, str):
        raise ConfigError(f"{field} is a list of names, not a string: write {field}=[{value!r}]")
    if not hasattr(value, "__iter__"):
        instead = "; what is decided by a function is a policy: graft(..., policies=[...])" if callable(value) else ""
        raise ConfigError(f"{field} is a list of names, not {named(value)}{instead}")
    listed = tuple(value)
    for each in listed:
        if not isinstance(each, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"{field} is a list of names, and there is {named(each)} in it")
    return listed


def chosen(field: str, value: Any) -> tuple[str | Filter, ...]:
    """Return names, patterns and filters as a tuple; one filter may stand for itself."""
    if isinstance(value, Filter):
        return (value,)
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        if callable(value):
            instead = f"{field}=where(function), or a policy: graft(..., policies=[...])"
            raise ConfigError(f"{field} is a list of names and filters, not {named(value)}; write {instead}")
        return names(field, value)  # refuses it
    listed = tuple(value)
    for each in listed:
        if not isinstance(each, str | Filter):
            hint = "; write where(function)" if callable(each) else ""
            raise ConfigError(f"{field} is a list of names and filters, and there is {named(each)} in it{hint}")
    return listed


def safety(field: str, value: object) -> Safety:
    """Return a word for what sending a call twice would do as what it stands for."""
    words = [each.value for each in Safety]
    if isinstance(value, Safety) or (isinstance(value, str) and value in words):
        return Safety(value)
    raise ConfigError(f"{field} is one of {', '.join(map(repr, words))}, not {str(value)[:40]!r}")


def names_of_tools(field: str, value: Iterable[Any]) -> tuple[str, ...]:
    """Return names as a tuple; a tool of any framework stands for its name, and a function for its own."""
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return names(field, value)  # refuses it
    found: list[str] = []
    for each in value:
        name = each if isinstance(each, str) else getattr(each, "name", None) or getattr(each, "__name__", None)
        if not isinstance(name, str) or isinstance(each, type):
            raise ConfigError(f"{field} is a list of names or of tools that have one, and there is {named(each)} in it")
        found.append(name)
    return tuple(found)


def arguments(field: str, value: Iterable[str]) -> tuple[str, ...]:
    """Return command-line arguments as a tuple of strings; paths are taken too."""
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        given = "one string" if isinstance(value, str) else named(value)
        raise ConfigError(f"{field} is a list of strings, one for each argument, not {given}")
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


def path(field: str, value: object) -> Path:
    """Return a path as such, with `~` at its beginning as the home folder."""
    if isinstance(value, str | os.PathLike):
        return Path(cast("str | os.PathLike[str]", value)).expanduser()
    raise ConfigError(f"{field} is a path, not {named(value)}")


def folder(field: str, value: object) -> object:
    """Return a working directory as it was given, a string or a path, with `~` as the home folder; None leaves it."""
    given = None if value is None else path(field, value)
    return str(given) if isinstance(value, str) else given


def standard_error(field: str, value: object) -> object:
    """Return where a child's standard error goes: a word, or the path of a file. A string is never taken for a path."""
    if isinstance(value, Path):
        return value.expanduser()
    if value in ("log", "inherit", "discard"):
        return value
    instead = f"Path({value!r})" if isinstance(value, str) else "Path(...)"
    raise ConfigError(f"{field} is one of 'log', 'inherit', 'discard', or the path of a file, {field}={instead}")


def environment(field: str, value: Mapping[str, str]) -> dict[str, str]:
    """Return a copy of environment variables."""
    if not isinstance(value, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        listed: list[object] = list(value) if isinstance(value, list | tuple) else []  # type: ignore[unreachable]
        names = [each.partition("=")[0] for each in listed if isinstance(each, str) and "=" in each]
        shown = ", ".join(f'"{name}": "..."' for name in names[:5] if name.isprintable()) or '"NAME": "value"'
        raise ConfigError(f"{field} is a dict, not {named(value)}: write {field}={{{shown}}}")
    copied = dict(value)
    for name, each in copied.items():
        if not isinstance(name, str) or not name or "=" in name or "\0" in name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"{field} has a name that no environment variable can have")
        if not isinstance(each, str) or "\0" in each:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"{field}[{name!r}] is a string without zero bytes, not {type(each).__name__}")
    return copied


def url(field: str, value: str) -> str:
    """Return an HTTP URL. Nothing of it is shown, because what is wrong may be a secret in the wrong place."""
    if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConfigError(f"{field} is a string, not {named(value)}: write {field}=str(...)")
    if not value.lower().startswith(("http://", "https://")):
        raise ConfigError(f"{field} must begin with http:// or https://{_scheme_hint(value)}")
    _host(field, value)
    return value


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
    """Return a copy of HTTP headers. Values are never shown."""
    if not isinstance(value, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConfigError(f"{field} is a dict or a function of the call's context, not {named(value)}")
    copied = dict(value)
    for name, each in copied.items():
        if not isinstance(name, str) or not _HEADER_NAME.match(name):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"{field} has a name that no HTTP header can have")
        if not isinstance(each, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"{field}[{name!r}] is a string, not {named(each)}")
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


def name_and_version(field: str, value: object) -> object:
    """Return what we introduce ourselves with, or None for our own."""
    if value is None:
        return None
    pair = tuple(cast("tuple[object, ...]", value)) if isinstance(value, tuple | list) else ()
    if len(pair) == 2 and all(each and isinstance(each, str) for each in pair):
        return pair
    raise ConfigError(f'{field} is a name and a version, as in {field}=("my-app", "1.0"), not {named(value)}')


def proxy(field: str, value: object) -> str | None:
    """Return a proxy's URL. Nothing of it is shown: it may hold a password."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise ConfigError(f"{field} is one URL for all requests, e.g. 'http://localhost:3128', not {named(value)}")
    scheme, found, _ = value.partition("://")
    if not found or scheme.lower() not in _PROXIES:
        raise ConfigError(f"{field} is a URL that begins with http://, https:// or socks5://, as in 'http://host:3128'")
    _host(field, value)
    return value


def trusted(field: str, value: object) -> object:
    """Return what says which certificates are trusted: a flag, a path with `~` as the home folder, or an SSL context.

    The context is told by its class's name, because `ssl` is not imported for a declaration.
    """
    if isinstance(value, str | os.PathLike):
        return home(cast("str | os.PathLike[str]", value))
    if isinstance(value, bool) or any(each.__name__ == "SSLContext" for each in type(value).__mro__):
        return value
    raise ConfigError(f"{field} is False, the path of a CA bundle, or an ssl.SSLContext, not {named(value)}")


def certificate(field: str, value: object) -> object:
    """Return the path of a client certificate, or of it and its key, with `~` as the home folder."""
    if value is None:
        return value
    paths = cast("tuple[object, ...]", value if isinstance(value, tuple) else (value,))
    if not 1 <= len(paths) <= 2 or not all(isinstance(each, str | os.PathLike) for each in paths):
        raise ConfigError(f"{field} is a path, or a tuple of two: certificate and key, not {named(value)}")
    homes = tuple(home(cast("str | os.PathLike[str]", each)) for each in paths)
    return homes if len(homes) == 2 else homes[0]
