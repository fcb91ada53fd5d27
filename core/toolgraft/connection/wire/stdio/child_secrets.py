"""What must not be repeated of what a server's process was told, when the process repeats it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

from toolgraft.config.redact import is_secret, names_secret
from toolgraft.connection.wire.stdio.environment import PROXIES, environment, login_in, queried

if TYPE_CHECKING:
    from toolgraft.config.servers import Stdio

HIDDEN: Final = "***"
_LONG: Final = 6
"""Characters from which any value counts; a shorter one would hide words like `info`."""
_SHORT: Final = 3
"""Characters from which the value of a secret's name counts."""
_URL: Final = re.compile(r"(?!file:)[A-Za-z][A-Za-z0-9+.-]*://[^\s,]+")
_WORD: Final = re.compile(r"[a-z._~@-]*")
"""What a segment of a URL's path looks like that is no key."""
_LOGIN: Final = re.compile(r"(?<=://)[^/\s@]*:[^/\s@]*@")


class Secrets:
    """Values of variables and arguments of one server, which are often keys."""

    def __init__(self, config: Stdio) -> None:
        values = {each for value in _values(config) for each in _forms(value)}
        self._values = sorted(values, key=len, reverse=True)

    def hidden(self, text: str) -> str:
        """The text without them, and without the logins in its URLs."""
        for value in self._values:
            text = text.replace(value, HIDDEN)
        return _LOGIN.sub(f"{HIDDEN}@", text)


def _values(config: Stdio) -> Iterator[str]:
    yield from _of_variables(config.env.items())
    if config.inherit_env is True:
        yield from _of_variables((name, value) for name, value in os.environ.items() if is_secret(name))
    else:
        yield from _of_variables((name, os.environ.get(name, "")) for name in config.inherit_env or ())
    for name in PROXIES:
        yield from _login(os.environ.get(name, ""))
    yield from _of_arguments(config.args)
    for told in (*environment(config).values(), *config.args):
        for url in _URL.findall(told):
            yield from _of_url(url)


def _of_variables(variables: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, value in variables:
        if len(value) >= (_SHORT if is_secret(name) else _LONG):
            yield value
        yield from _login(value)


def _of_arguments(arguments: Iterable[str]) -> Iterator[str]:
    """What follows `--api-key`, what stands after `--token=`, `TOKEN=` or `Authorization:`, and logins in URLs."""
    named = False
    for argument in arguments:
        name, assigned, value = argument.partition("=")
        if named and len(argument) >= _SHORT:
            yield argument
        elif assigned and is_secret(name) and len(value) >= _SHORT:
            yield value
        yield from _login(argument)
        header, parted, content = argument.partition(":")
        if parted and is_secret(header):
            yield from (each for each in (content.strip(), *content.split()) if len(each) >= _LONG)
        named = names_secret(argument)


def _login(url: str) -> Iterator[str]:
    if "://" in url and (login := login_in(url)):
        yield login
        password = login.partition(":")[2]
        if len(password) >= _SHORT:
            yield password


def _of_url(url: str) -> Iterator[str]:
    """What may be a key in a URL: values of its query, and segments of its path that are no words."""
    place, _, query = url.partition("?")
    for name, value in queried(url):
        if len(value) >= (_SHORT if is_secret(name) else _LONG):
            yield from (value, unquote(value))
    if query and "=" not in query and len(query) >= _LONG:
        yield query
    for segment in place.split("/")[3:]:
        if len(segment) >= _LONG and not _WORD.fullmatch(segment):
            yield segment


def _forms(value: str) -> Iterator[str]:
    """A value, the lines of one that has several, and how it stands in a URL and in a quoted string."""
    lines = [line.strip() for line in value.splitlines()]
    yield from (value, *(line for line in lines if len(line) >= _LONG))
    yield quote(value, safe="")
    yield value.encode("unicode_escape").decode()
