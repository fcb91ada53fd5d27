"""Keyword arguments that a declaration does not take, said with what was probably meant.

Users come from other libraries (langchain-mcp-adapters, openai-agents, fastmcp, langchain.mcp); their names are known
here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

_SIGNING: Final = "auth=Bearer(token), or auth=OAuth(...) to sign in"
_PREFIX: Final = "prefix=True, prefix='word' or prefix=function"
_ERA: Final = 'era="auto", "legacy" or "2026-07-28"'
_LEAVE: Final = "leave the declaration out"
_INLINE: Final = "what is in it are arguments of their own: Stdio(command, *args, env=...) or Http(url, headers=...)"
_FILTER: Final = "only= and without= take names, * patterns and filters"
_LIMIT: Final = "timeout= is the limit of a call, connect_timeout= that of the start, both in seconds"
_GRAFT: Final = "it is for the whole: graft(..., {name}=...)"
_KIND: Final = "the class says it: Stdio, Http or Sse"
_LISTS: Final = "tool lists are kept, and taken anew when the server says that they changed; leave it out"
_RETRY: Final = "repeatable=[...] names tools that may be sent again; lost connections are opened again by themselves"
_EVENTS: Final = "graft(..., on_event=function) is told of what happens"
_UTF8: Final = "MCP is UTF-8; leave it out"
_NOT_OFFERED: Final = "it is not offered to servers; leave it out"

MEANT: Final[Mapping[str, str]] = {
    **dict.fromkeys(("header", "extra_headers", "http_headers", "default_headers"), "headers={...}"),
    **dict.fromkeys(("token", "bearer", "bearer_token", "api_key", "authorization", "oauth", "credentials"), _SIGNING),
    **dict.fromkeys(("httpx_client_factory", "http_client_factory", "client_factory", "client"), "http_client=factory"),
    **dict.fromkeys(("elicitation", "elicitation_callback", "elicitation_handler"), "elicit=function"),
    **dict.fromkeys(("environment", "environ", "envs", "env_vars"), "env={...}"),
    **dict.fromkeys(("working_dir", "directory", "workdir"), "cwd=path"),
    **dict.fromkeys(("ssl", "ssl_verify", "verify_ssl", "ssl_context"), "verify="),
    **dict.fromkeys(("ca", "ca_bundle", "ca_cert", "cafile", "ca_file"), "verify=path"),
    **dict.fromkeys(("client_cert", "mtls", "certificate"), "cert=(certificate, key)"),
    **dict.fromkeys(("tool_name_prefix", "tool_prefix"), _PREFIX),
    **dict.fromkeys(("mode", "protocol_version"), _ERA),
    **dict.fromkeys(("inherit", "inherit_environment", "pass_env"), "inherit_env=[...]"),
    **dict.fromkeys(("require_approval", "approval", "needs_approval"), 'approve="always"'),
    "on_elicitation": "elicit=function",
    "cookies": 'headers={"Cookie": "..."}',
    "proxies": "proxy=url",
    "failure_error_function": 'errors="model" or errors="raise"',
    "raise_on_error": 'errors="raise"',
    "log_file": 'stderr=Path(...) or "log", "inherit", "discard"',
}
"""By name in other libraries: the field that is ours."""

TOLD: Final[Mapping[str, str]] = {
    **dict.fromkeys(("params", "server_params"), _INLINE),
    **dict.fromkeys(("transport", "type"), _KIND),
    **dict.fromkeys(
        (
            *("client_session_timeout_seconds", "read_timeout_seconds", "read_timeout", "sse_read_timeout"),
            *("request_timeout", "timeout_seconds", "tool_timeout", "init_timeout", "startup_timeout"),
        ),
        _LIMIT,
    ),
    **dict.fromkeys(("cache_tools_list", "cache_mode"), _LISTS),
    **dict.fromkeys(("max_retry_attempts", "retry_backoff_seconds_base", "retry", "retries", "max_retries"), _RETRY),
    **dict.fromkeys(
        (
            *("tool_filter", "tool_filters", "tools", "allowed_tools", "include_tools", "exclude_tools"),
            *("include", "exclude", "allow", "deny", "only_tools"),
        ),
        _FILTER,
    ),
    **dict.fromkeys(("message_handler", "progress_handler", "log_handler"), _EVENTS),
    **dict.fromkeys(("encoding", "encoding_error_handler"), _UTF8),
    **dict.fromkeys(("disabled", "enabled", "is_enabled"), _LEAVE),
    **dict.fromkeys(("sampling_callback", "sampling", "roots", "list_roots_callback", "log_level"), _NOT_OFFERED),
    "follow_redirects": "redirects within a server's own origin are followed, others never; leave it out",
    "query": "it stands in the URL: Http('https://host/mcp?...')",
    "session_kwargs": "its settings are arguments of their own: timeout=, elicit=, client_info=",
    "session_id": "sessions are opened and kept by themselves; leave it out",
    "keep_alive": "a connection lasts as long as its `with`; leave it out",
    "terminate_on_close": "a session is always ended; leave it out",
    "shell": 'no shell is used: Stdio("sh", "-c", "...") starts one',
}
"""By name in other libraries: why there is no such field."""

_COMMAND: Final = "a server that is started has it, Stdio(command, *args, ...)"
_ADDRESS: Final = "a server that is reached by its URL has it, Http(url, ...) or Sse(url, ...)"
_OF_ANOTHER: Final[Mapping[str, str]] = {
    **dict.fromkeys(("command", "args", "env", "inherit_env", "cwd", "stderr"), _COMMAND),
    **dict.fromkeys(("url", "headers", "auth", "verify", "cert", "proxy", "http_client", "identity"), _ADDRESS),
    "max_sse_event_size": "Http(url, ...) has it",
    "server": "InProcess(server) has it",
    "transport_factory": "Custom(transport_factory) has it",
}
"""Fields that only some kinds of server have."""

_OF_GRAFT: Final = (
    *(
        "strict",
        "model",
        "live",
        "approver",
        "policies",
        "middleware",
        "taken",
        "plugins",
        "discover_plugins",
        "description_limit",
    ),
    *("at_once", "on_event", "control_flow"),
)


def unexpected(kind: str, name: str, known: Collection[str]) -> TypeError:
    """Make the error for an argument that a declaration does not take.

    Args:
        kind: Name of the class.
        name: The argument.
        known: What the class takes.
    """
    return TypeError(f"{kind}() got an unexpected keyword argument {name!r}{_hint(name, known)}")


def _hint(name: str, known: Collection[str]) -> str:
    meant = MEANT.get(name, "")
    field = meant.partition("=")[0] or name
    if meant and field in known:
        return f"; did you mean {meant}?"
    if field in _OF_ANOTHER:
        return f": {meant}{'; ' if meant else ''}{_OF_ANOTHER[field]}"
    if name in TOLD:
        return f": {TOLD[name]}"
    if name in _OF_GRAFT:
        return f": {_GRAFT.format(name=name)}"
    from difflib import get_close_matches  # here, for a light import

    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; it takes {', '.join(sorted(known))}"
