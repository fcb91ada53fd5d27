"""Keyword arguments that a declaration does not take, said with what was probably meant.

Users come from other libraries (langchain-mcp-adapters, openai-agents, fastmcp, langchain.mcp); their names are known
here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

_INLINE: Final = "what is in it are arguments of their own: Stdio(command, *args, env=...) or Http(url, headers=...)"
_FILTER: Final = "only=[...] and without=[...] take names or * patterns of tools"
_LIMIT: Final = "timeout= is the limit of a call, connect_timeout= that of the start, both in seconds"
_GRAFT: Final = "it is for the whole: graft(..., {name}=...)"
_KIND: Final = "the class says it: Stdio, Http or Sse"
_LISTS: Final = "tool lists are kept, and taken anew when the server says that they changed; leave it out"
_RETRY: Final = "repeatable=[...] names tools that may be sent again; lost connections are opened again by themselves"
_TOKEN: Final = 'headers={"Authorization": "Bearer ..."}, or auth= with an httpx2.Auth'

MEANT: Final[Mapping[str, str]] = {
    "header": "headers={...}",
    "params": _INLINE,
    "server_params": _INLINE,
    "transport": _KIND,
    "type": _KIND,
    "client_session_timeout_seconds": _LIMIT,
    "read_timeout_seconds": _LIMIT,
    "read_timeout": _LIMIT,
    "sse_read_timeout": _LIMIT,
    "request_timeout": _LIMIT,
    "timeout_seconds": _LIMIT,
    "tool_timeout": _LIMIT,
    "init_timeout": _LIMIT,
    "startup_timeout": _LIMIT,
    "cache_tools_list": _LISTS,
    "cache_mode": _LISTS,
    "max_retry_attempts": _RETRY,
    "retry_backoff_seconds_base": _RETRY,
    "retries": _RETRY,
    "max_retries": _RETRY,
    "tool_filter": _FILTER,
    "tool_filters": _FILTER,
    "tools": _FILTER,
    "allowed_tools": _FILTER,
    "include_tools": _FILTER,
    "exclude_tools": _FILTER,
    "include": _FILTER,
    "exclude": _FILTER,
    "httpx_client_factory": "http_client=factory",
    "client_factory": "http_client=factory",
    "session_kwargs": "its settings are arguments of their own: timeout=, elicit=, client_info=",
    "elicitation_callback": "elicit=function",
    "elicitation_handler": "elicit=function",
    "on_elicitation": "elicit=function",
    "message_handler": "graft(..., on_event=function) is told of what happens",
    "progress_handler": "graft(..., on_event=function) is told of what happens",
    "log_file": 'stderr=Path(...) or "log", "inherit", "discard"',
    "environment": "env={...}",
    "environ": "env={...}",
    "working_dir": "cwd=path",
    "directory": "cwd=path",
    "token": _TOKEN,
    "bearer": _TOKEN,
    "api_key": _TOKEN,
    "authorization": _TOKEN,
    "ssl": "verify=",
    "ssl_verify": "verify=",
    "verify_ssl": "verify=",
    "ssl_context": "verify=",
    "proxies": "proxy=url",
    "tool_name_prefix": "prefix=True or prefix='word'",
    "tool_prefix": "prefix=True or prefix='word'",
    "failure_error_function": 'errors="model" or errors="raise"',
    "raise_on_error": 'errors="raise"',
    "mode": 'era="auto", "legacy" or "2026-07-28"',
    "protocol_version": 'era="auto", "legacy" or "2026-07-28"',
    "disabled": "leave the declaration out",
    "enabled": "leave the declaration out",
    "keep_alive": "a connection lasts as long as its `with`; leave it out",
    "terminate_on_close": "a session is always ended; leave it out",
    "encoding": "MCP is UTF-8; leave it out",
    "encoding_error_handler": "MCP is UTF-8; leave it out",
    "shell": 'no shell is used: Stdio("sh", "-c", "...") starts one',
}
"""By name: what to write instead."""

_OF_GRAFT: Final = ("strict", "live", "plugins", "discover_plugins", "description_limit", "at_once", "on_event")
_OF_GRAFT_TOO: Final = ("middleware", "policies", "taken")


def unexpected(kind: str, name: str, known: Collection[str]) -> TypeError:
    """Make the error for an argument that a declaration does not take.

    Args:
        kind: Name of the class.
        name: The argument.
        known: What the class takes.
    """
    return TypeError(f"{kind}() got an unexpected keyword argument {name!r}{_hint(name, known)}")


def _hint(name: str, known: Collection[str]) -> str:
    if name in MEANT:
        return f"; did you mean {MEANT[name]}?" if MEANT[name].split("=")[0] in known else f": {MEANT[name]}"
    if name in (*_OF_GRAFT, *_OF_GRAFT_TOO):
        return f": {_GRAFT.format(name=name)}"
    from difflib import get_close_matches  # here, for a light import

    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; it takes {', '.join(sorted(known))}"
