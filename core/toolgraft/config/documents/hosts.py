"""Fields of other hosts and libraries that change what a server does or may do, and that toolgraft reads otherwise.

To leave one out in silence would call a server without its sign-in, outside its sandbox, or with tools that its owner
switched off. Each is an error that says what to write instead, or a warning where nothing is loosened.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolgraft.config.documents.fields import Fields, closest, printable
from toolgraft.errors import ConfigError

_BEARER: Final = 'write "headers": {"Authorization": "Bearer ${TOKEN}"}'
_IN_CODE: Final = "declare the server in code, Http(url, auth=...)"
_FILTERS: Final = 'write "only" and "without" with the names of the tools'
_LIMIT: Final = "write 'timeout_seconds' for the limit of a call and 'connect_timeout' for the start, both in seconds"
_ASKING: Final = 'asking before a call is the host\'s part; leave the tools out by "without"'

REMEDIES: Final[Mapping[str, str]] = {
    "auth": f"{_BEARER}, or {_IN_CODE}",
    "oauth": f"signing in is not done from a config file; {_BEARER}, or {_IN_CODE}",
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

UNASKED: Final = ("autoApprove", "alwaysAllow", "autoAllow", "auto_approve", "always_allow")
"""Lists of tools that a host does not ask about; the others it does."""

_STRICT: Final = ("disabled", "enabled", "headers", "only", "without", "includeTools", "excludeTools", "disabledTools")
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
        if name in REMEDIES:
            fields.taken.add(name)
            if value not in _OFF and not _switched_off(value):
                raise ConfigError(f"is not known here; {REMEDIES[name]}", where=fields.at(name))
        elif name in UNASKED:
            fields.taken.add(name)
            if value:
                warnings.append(f"{fields.at(name)}: no call is asked about here, whether its tool is listed or not")
        elif name not in _STRICT and (near := closest(name, _STRICT)) is not None:
            reason = f"field '{printable(name)}' is not known; did you mean '{near}'?"
            raise ConfigError(f"{reason} It is not left out, because that may loosen something", where=fields.where)
    _check_adapters_timeout(fields, kind)


def _switched_off(value: object) -> bool:
    return isinstance(value, Mapping) and value.get("enabled") is False  # pyright: ignore[reportUnknownMemberType]


def _check_adapters_timeout(fields: Fields, kind: str) -> None:
    """Refuse `timeout` in a connection of langchain-mcp-adapters: there it is the limit of one HTTP connection."""
    value = fields.raw.get("timeout")
    known_by = "transport" in fields and "type" not in fields
    if kind == "Stdio" or not known_by or value is None or (isinstance(value, int | float) and value >= 1000):
        return
    meant = "with 'transport', the 'timeout' of a URL means the HTTP connection in langchain-mcp-adapters, not a call"
    raise ConfigError(f"{meant}; {_LIMIT}", where=fields.at("timeout"))


def http_auth(value: Any) -> Any:
    """Return `auth` where a dict made in code holds an `httpx2.Auth`; anything else is not for a config."""
    return value if hasattr(value, "async_auth_flow") else None
