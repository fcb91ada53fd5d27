"""Fields of other hosts and libraries that change what a server does or may do, and that toolgraft reads otherwise.

To leave one out in silence would call a server without its sign-in, outside its sandbox, or with tools that its owner
switched off. Each is an error that says what to write instead, or a warning where nothing is loosened.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields as fields_of
from typing import Final

from toolgraft.config.documents.fields import Fields, closest, printable
from toolgraft.config.servers import Http, Server, Sse, Stdio
from toolgraft.errors import ConfigError

_BEARER: Final = 'write "headers": {"Authorization": "Bearer ${TOKEN}"}'
_IN_CODE: Final = "declare the server in code, Http(url, auth=...)"
_FILTERS: Final = 'write "only" and "without" with the names of the tools'
_LIMIT: Final = "write 'timeout_seconds' for the limit of a call and 'connect_timeout' for the start, both in seconds"
_ASKING: Final = "write 'approve' with 'always', or with the names of the tools that are asked about"

_TLS: Final = (
    "declare the server in code, Http(url, verify=..., cert=..., proxy=...); HTTPS_PROXY and SSL_CERT_FILE are read"
)
_LAYERS: Final = "a config file has no functions: graft(..., middleware=[...]), or in code Http(url, elicit=function)"
_USER: Final = "programs are started as the user that you are; start it by one that changes to another, e.g. sudo -u"

REMEDIES: Final[Mapping[str, str]] = {
    "auth": f'write "auth": "oauth" to sign in; {_BEARER}, or {_IN_CODE}',
    "oauth": f"only a server that is reached by its URL is signed in to; {_BEARER}",
    "headersHelper": f"no command is run for headers; {_BEARER}, or in code Http(url, headers=function)",
    "authProviderType": f"{_BEARER}, or {_IN_CODE}",
    "authorization": _BEARER,
    "authorization_token": _BEARER,
    "apiKey": _BEARER,
    "api_key": _BEARER,
    "bearer_token": _BEARER,
    "bearer_token_env_var": 'write "headers": {"Authorization": "Bearer ${NAME_OF_THE_VARIABLE}"}',
    "http_headers": "write 'headers'",
    "env_http_headers": "write 'headers' with ${VARIABLES} in it",
    "requestOptions": "write 'headers'; TLS settings are those of Http(url, verify=...) in code",
    "httpx_client_factory": "declare the server in code, Http(url, http_client=factory)",
    "http_client": "declare the server in code, Http(url, http_client=factory)",
    "session_kwargs": "write its settings as fields of a server in code, e.g. Stdio(..., timeout=, elicit=)",
    "sse_read_timeout": _LIMIT,
    "read_timeout": _LIMIT,
    "read_timeout_seconds": _LIMIT,
    "client_session_timeout_seconds": _LIMIT,
    "defaultToolTimeout": _LIMIT,
    "user": _USER,
    "uid": _USER,
    "gid": _USER,
    "shell": 'no shell is used; write "command": "sh" and "args": ["-c", "..."]',
    "params": "write what is in it as fields of the entry itself",
    "requestInit": "write 'headers' with those that are in it",
    "eventSourceInit": "write 'headers' with those that are in it",
    "encoding": "MCP is UTF-8; remove the field",
    "environment": "write 'env'",
    "envs": "write 'env'",
    "env_vars": "write 'inherit_env' with the names of the variables",
    "env_keys": "write 'inherit_env' with the names of the variables",
    "include_tags": _FILTERS,
    "exclude_tags": _FILTERS,
    "tool_filter": _FILTERS,
    "tool_filters": _FILTERS,
    "sandbox": "servers are not run in a sandbox; start it by one of your own and remove the field",
    "sandboxEnabled": "servers are not run in a sandbox; start it by one of your own and remove the field",
    "require_approval": _ASKING,
    "requireApproval": _ASKING,
    "require_confirmation": _ASKING,
    "approval_mode": _ASKING,
    "ui_visibility": _FILTERS,
}
"""What to write in place of a field."""

LIKENESSES: Final[Mapping[str, str]] = {
    r"token$|secret|passw|credential|auth|bearer|cookie|api_?key|client_?id|login|username": REMEDIES["auth"],
    r"header": "write 'headers'",
    r"tls|ssl|cert(?!ified)|verify|insecure|proxy|proxies|unauthorized|^ca_?(bundle|file|cert)?$": _TLS,
    r"interceptor|middleware|callback|elicit|hook$|hooks$": _LAYERS,
    r"sandbox|isolat|container|permission|network": REMEDIES["sandbox"],
    r"approv|confirm|consent|ask_?user": _ASKING,
    r"time_?out": _LIMIT,
}
"""The same for what a name looks like, in lower case and by pattern, since nobody knows the names of all hosts."""

UNASKED: Final = ("autoApprove", "alwaysAllow", "autoAllow", "auto_approve", "always_allow")
"""Lists of tools that a host does not ask about; the others it does."""

_KINDS: Final[Mapping[str, type[Server]]] = {"Stdio": Stdio, "Http": Http, "Sse": Sse}
_OURS: Final = {
    each.name: each.default
    for each in (*fields_of(Http), *fields_of(Stdio))
    if each.name not in ("name", "auth", "url", "headers", "command", "args", "env", "cwd", "inherit_env")
}
"""Fields of ours that an entry does not take, so that only code can set them, and their defaults."""

_STRICT: Final = (
    "disabled",
    "enabled",
    "headers",
    "only",
    "without",
    "approve",
    "includeTools",
    "excludeTools",
    "disabledTools",
)
"""Fields whose slip would loosen something."""

_OFF: Final[tuple[object, ...]] = (None, False, "never", "none", "auto_approve", {}, [], ())


def refuse_what_changes_meaning(fields: Fields, kind: str, warnings: list[str]) -> None:
    """Take the fields of other hosts that may not be left out in silence.

    Args:
        fields: The entry's fields, after our own were taken.
        kind: The class of the server.
        warnings: Gets a sentence for each that loosens nothing.

    Raises:
        ConfigError: One would change what the server does, and stands in a form that means nothing here.
    """
    for name in fields.left_over():
        value = fields.raw[name]
        if name in _OURS:
            fields.taken.add(name)
            if value not in (None, {}, [], (), _OURS[name]):
                raise ConfigError(f"is not read from a config; {_in_code(kind, name)}", where=fields.at(name))
        elif name in UNASKED:
            fields.taken.add(name)
            if value:
                warnings.append(f"{fields.at(name)}: not read; 'approve' says which calls wait for a person's yes")
        elif remedy := _remedy(name, value):
            fields.taken.add(name)
            if value not in _OFF and not _switched_off(value):
                raise ConfigError(f"is not known here; {remedy}", where=fields.at(name))
        elif name not in _STRICT and (near := closest(name, _STRICT)) is not None:
            reason = f"field '{printable(name)}' is not known; did you mean '{near}'?"
            raise ConfigError(f"{reason} It is not left out, because that may loosen something", where=fields.where)


def _remedy(name: str, value: object) -> str | None:
    """Say what to write in place of a field that nobody may leave out in silence, or None for any other."""
    if name in REMEDIES or name in _STRICT:
        return REMEDIES.get(name)
    if callable(value):
        return _LAYERS
    if isinstance(value, int | float):  # counts and switches of a host's own, e.g. maxTokens
        return None
    return next((told for likeness, told in LIKENESSES.items() if re.search(likeness, name.lower())), None)


def _in_code(kind: str, name: str) -> str:
    owner = kind if name in (each.name for each in fields_of(_KINDS[kind])) else "Http"
    example = f"{owner}({'command, *args' if owner == 'Stdio' else 'url'}, {name}=...)"
    return f"declare the server in code, {example}"


def _switched_off(value: object) -> bool:
    return isinstance(value, Mapping) and value.get("enabled") is False  # pyright: ignore[reportUnknownMemberType]


def refuse_adapters_timeout(fields: Fields) -> None:
    """Refuse `timeout` in a connection of langchain-mcp-adapters: there it is the limit of one HTTP connection."""
    value = fields.raw.get("timeout")
    known_by = "transport" in fields and "type" not in fields
    if "command" in fields or not known_by or value is None or (isinstance(value, int | float) and value >= 1000):
        return
    meant = "with 'transport', the 'timeout' of a URL means the HTTP connection in langchain-mcp-adapters, not a call"
    raise ConfigError(f"{meant}; {_LIMIT}", where=fields.at("timeout"))
