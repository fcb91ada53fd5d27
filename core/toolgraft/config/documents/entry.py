"""One entry of an `mcp.json` → one server. Knows how the hosts spell their fields; the spellings are listed here.

Fields that all entries take, beside those of a `Stdio` or `Http` server:

    disabled, enabled                              left out altogether
    only, includeTools, enabledTools, tools, …     → only (there, an empty list serves no tool, as in the hosts)
    without, excludeTools, disabledTools, …        → without
    prefix, required, trust, era, errors           → the same
    approve, permission, safety, unknown_tools     → the same
    provenance, resources                          → the same
    timeout                                        → timeout; see `_seconds`
    connect_timeout, startup_timeout               → connect_timeout, in seconds
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from toolgraft.config import wellformed
from toolgraft.config.documents.envfile import read_env_file
from toolgraft.config.documents.expand import Scope
from toolgraft.config.documents.fields import Fields, called, closest, object_of, printable
from toolgraft.config.documents.hosts import refuse_adapters_timeout, refuse_what_changes_meaning
from toolgraft.config.documents.signing_in import sign_in
from toolgraft.config.redact import redact_text
from toolgraft.config.servers import AnyServer, Http, Server, ServerOptions, Sse, Stdio
from toolgraft.errors import ConfigError

_TRANSPORTS = {"stdio": Stdio, "local": Stdio, "http": Http, "streamablehttp": Http, "sse": Sse}
_URL = ("url", "httpUrl", "serverUrl")
_ONLY = (
    *("only", "include", "includeTools", "include_tools", "enabledTools", "enabled_tools"),
    *("allowedTools", "allowed_tools", "tools"),
)
_WITHOUT = (
    *("without", "exclude", "excludeTools", "exclude_tools", "disabledTools", "disabled_tools"),
    *("blockedTools", "blocked_tools"),
)
# For people, or about things that toolgraft leaves to the host: nothing is lost, so nothing is said.
_ABOUT = ("$schema", "description", "title", "displayName", "icon", "version", "gallery", "registry", "id", "name")
_SILENT = (*_ABOUT, "dev", "alwaysLoad", "comment", "_comment", "//")
_CONNECT = ("connect_timeout", "connectTimeout", "startup_timeout", "startup_timeout_sec")
_SECONDS = ("timeout_seconds", "tool_timeout_sec")
_STDIO_ONLY = ("command", "args", "env", "envFile", "env_file", "cwd", "inherit_env")
_HTTP_ONLY = (*_URL, "headers")
_COMMON = ("type", "transport", "disabled", "enabled", "prefix", "required", "trust", "era", "errors", "timeout")
_RULES = ("approve", "permission", "safety", "unknown_tools", "provenance", "resources")
_KNOWN = (*_RULES, *_STDIO_ONLY, *_HTTP_ONLY, *_COMMON, *_ONLY, *_WITHOUT, *_CONNECT, *_SECONDS)


@dataclass(frozen=True, repr=False)
class Entry:
    """What became of one entry.

    Attributes:
        server: The server, or None when the entry is disabled.
        warnings: What was not taken from it, a sentence each.
    """

    server: AnyServer | None
    warnings: tuple[str, ...] = ()


def read_entry(name: str, raw: object, scope: Scope, where: str) -> Entry:
    """Make the server of one entry.

    Args:
        name: The entry's key: the server's name.
        raw: The entry as read.
        scope: What its references stand for.
        where: File and entry, for errors.

    Raises:
        ConfigError: A field is wrong, a variable not set, or the entry says neither command nor URL.
    """
    if not name.strip() or not name.isprintable() or len(name) > 128:
        raise ConfigError("a server's name must be 1 to 128 printable characters", where=where)
    if isinstance(raw, Server):
        hint = f"graft({type(raw).__name__}(..., name={printable(name)!r}))"
        raise ConfigError(f"is a server that is declared in code: give it as it is, {hint}", where=where)
    fields = Fields(object_of(raw, 'an object like {"command": …} or {"url": …}', where), where, scope.expand)
    if fields.flag("disabled") or fields.flag("enabled") is False:
        return Entry(None)
    kind = _transport(fields)
    refuse_adapters_timeout(fields)
    warnings: list[str] = []
    options = _options(name, fields, warnings)
    try:
        server = _stdio(fields, scope, options, warnings) if kind is Stdio else _remote(kind, fields, options)
    except ConfigError as error:
        raise error if error.where else ConfigError(str(error), where=where) from error
    refuse_what_changes_meaning(fields, type(server).__name__, warnings)
    return Entry(server, (*_unknown(fields, type(server).__name__), *warnings))


def _transport(fields: Fields) -> type[Stdio | Http | Sse] | None:
    """Decide how the server is reached: by its `type`, or by what it has; None leaves it to the URL."""
    field, said = fields.value("type", "transport")
    has_command, url_field = "command" in fields, next((name for name in _URL if name in fields), None)
    if has_command and url_field:
        raise ConfigError(f"has both 'command' and '{url_field}'; keep one", where=fields.where)
    if not has_command and url_field is None:
        near_to = ((printable(name), _slip(name)) for name in fields.raw)
        slips = [f"'{name}' looks like '{near}'" for name, near in near_to if near in ("command", *_URL)]
        hint = f" ({', '.join(slips)})" if slips else ""
        raise ConfigError(f"has neither 'command' nor 'url'{hint}", where=fields.where)
    if said is None:
        return Stdio if has_command else None
    kind = _TRANSPORTS.get(said.lower().replace("-", "").replace("_", "")) if isinstance(said, str) else None
    if kind is None:
        known = "stdio, http (or streamable-http) and sse"
        raise ConfigError(f"{str(said)[:40]!r} is no transport that MCP has; there are {known}", where=fields.at(field))
    if (kind is Stdio) is not has_command:
        wanted = "'command'" if kind is Stdio else "'url'"
        raise ConfigError(f"says {said}, so that the entry needs {wanted}", where=fields.at(field))
    return kind


def _options(name: str, fields: Fields, warnings: list[str]) -> ServerOptions:
    options: dict[str, Any] = {"name": name}
    only, without = fields.words(*_ONLY), fields.words(*_WITHOUT)
    _, prefix = fields.value("prefix")
    if prefix is not None and not isinstance(prefix, bool | str):
        raise ConfigError(f"must be true, false or a string, not {called(prefix)}", where=fields.at("prefix"))
    taken = {
        "only": only,
        "without": ("*",) if only == () else without,
        "prefix": prefix,
        "required": fields.flag("required"),
        "trust": fields.flag("trust"),
        "approve": fields.value("approve")[1],
        "permission": fields.word("permission"),
        "safety": fields.table("safety") or None,
        "unknown_tools": fields.word("unknown_tools"),
        "provenance": fields.flag("provenance"),
        "resources": fields.flag("resources"),
        "era": fields.word("era"),
        "errors": fields.word("errors"),
        "timeout": _seconds(fields, warnings),
        "connect_timeout": fields.number(*_CONNECT)[1],
    }
    options |= {key: value for key, value in taken.items() if value is not None}
    return cast("ServerOptions", options)


def _seconds(fields: Fields, warnings: list[str]) -> float | None:
    """Take the limit of a call, whose unit the hosts do not agree on.

    Claude Code, Gemini CLI, FastMCP and Copilot CLI write milliseconds, Cline and Roo write seconds up to an hour.
    Nobody means a part of a second, so from 1,000 on it is milliseconds and below it is seconds. Where that leaves a
    doubt, a warning says how it was read; `timeout_seconds` leaves none.
    """
    _, exact = fields.number(*_SECONDS)
    _, timeout = fields.number("timeout")
    if exact is not None or timeout is None:
        return exact
    if timeout < 1000:
        return timeout
    if timeout <= 3600:
        doubt = f"{timeout:g} is read as milliseconds, {timeout / 1000:g} s; write 'timeout_seconds' if it is seconds"
        warnings.append(f"{fields.at('timeout')}: {doubt}")
    return timeout / 1000


def _stdio(fields: Fields, scope: Scope, options: ServerOptions, warnings: list[str]) -> Stdio:
    command = fields.text("command") or ""
    if words := wellformed.words_of_line(command):
        remedy = f'write "command": "{redact_text(words[0])}" and the rest in "args"'
        raise ConfigError(f"is a command line; {remedy}", where=fields.at("command"))
    args = fields.texts("args") or ()
    env_file, cwd = fields.text("envFile", "env_file"), fields.text("cwd")
    env = read_env_file(scope.path(env_file), fields.at("envFile"), warnings) if env_file else {}
    inherit: Any = fields.value("inherit_env")[1]
    if not isinstance(inherit, bool | None):
        inherit = fields.words("inherit_env")
    return Stdio(
        command,
        *args,
        **options,
        env=env | fields.table("env"),
        cwd=scope.path(cwd) if cwd else None,
        inherit_env=inherit or False,
    )


def _remote(kind: type[Stdio | Http | Sse] | None, fields: Fields, options: ServerOptions) -> Http | Sse:
    field = next(name for name in _URL if name in fields)
    url = fields.text(*_URL) or ""
    if not url.lower().startswith(("http://", "https://")):
        scheme = redact_text(url.partition("://")[0])[:20]
        instead = f", not {scheme}://; sockets and pipes are not reached" if "://" in url else ""
        raise ConfigError(f"must begin with http:// or https://{instead}", where=fields.at(field))
    headers = fields.table("headers")
    auth = sign_in(fields)
    path = url.partition("?")[0].partition("#")[0].partition("://")[2].rstrip("/")
    is_sse = kind is Sse or (kind is None and field != "httpUrl" and path.endswith("/sse"))
    return (Sse if is_sse else Http)(url, **options, headers=headers, auth=auth)


def _slip(name: str) -> str | None:
    return closest(name, _KNOWN)


def _unknown(fields: Fields, kind: str) -> list[str]:
    """Say which fields have no effect, and what they may be slips of."""
    said: list[str] = []
    for name in fields.left_over():
        if name in _SILENT:
            continue
        near = _slip(name)
        if name in _KNOWN:
            reason = f"has no effect on a server that is reached by {kind}"
        elif near is not None:
            reason = f"is not known; did you mean '{near}'?"
        else:
            reason = "is not known and has no effect"
        said.append(f"{fields.where}: field '{printable(name)}' {reason}")
    return said
