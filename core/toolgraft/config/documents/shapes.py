"""Where the hosts keep their servers in their own files, and an entry of each in the shape that all others have.

    {"mcpServers": {name: entry}}, or a list of entries with a name      Claude, Cursor and most others; Continue
    {"servers": {name: entry}}, also within "mcp", "mcp.servers" …       VS Code, its settings, dev containers
    {"context_servers": {name: entry}}                                   Zed
    {"mcp": {name: {"type": "local" | "remote", …}}}                     opencode
    [mcp_servers.name]                                                   Codex, in TOML
    {"extensions": {name: {"type": "stdio", "cmd": …}}}                  goose, whose file is YAML

What an entry says is not judged here: a field that is wrong stays as it is, and reading it tells where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias, cast

from toolgraft.config.documents.fields import object_of, printable
from toolgraft.errors import ConfigError

ROOTS: Final = ("mcpServers", "servers")
"""The keys that may stand side by side, and that a slip is compared with."""

OTHERS: Final = "'mcp.servers' (VS Code's settings), 'context_servers' (Zed), 'mcp_servers' (Codex), 'mcp' (opencode)"
"""Further keys that are read, with the hosts that write them, for errors."""

Entry: TypeAlias = Mapping[str, Any]

_OPENCODE_VARIABLE: Final = re.compile(r"(?<!\$)\{env:(\w+)\}")


def root_of(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the object that has the servers: the whole, or VS Code's settings of MCP in it."""
    if any(key in document for key in ROOTS):
        return document
    for path in (("mcp",), ("customizations", "vscode", "mcp")):
        found: Any = document
        for key in path:
            found = cast("Entry", found).get(key) if isinstance(found, Mapping) else None
        if isinstance(found, Mapping) and "servers" in found:
            return cast("Entry", found)
    dotted: dict[str, Any] = {name: document[key] for key, name in _DOTTED.items() if key in document}
    return dotted if any(key in dotted for key in ROOTS) else document


_DOTTED: Final = {"mcp.servers": "servers", "mcp.inputs": "inputs", "amp.mcpServers": "mcpServers"}


def sections(root: Mapping[str, Any], where: str) -> list[tuple[str, list[tuple[str, object]]]]:
    """Return the sections of servers in a root, by their keys, as names and entries in the common shape.

    Raises:
        ConfigError: A section is no map of servers.
    """
    keys = [key for key in ROOTS if key in root] or [key for key in _OF_HOSTS if _is_section(root.get(key))][:1]
    return [(key, list(_listed(root[key], _OF_HOSTS.get(key, _as_it_is), f"{where}: {key}"))) for key in keys]


def _is_section(value: object) -> bool:
    """Whether it is a map of entries, and not an entry of a server that has a host's key for its name."""
    if not isinstance(value, Mapping):
        return False
    return all(isinstance(each, Mapping) for each in cast("Mapping[object, object]", value).values())


def _listed(section: object, shaped: Callable[[Entry], Entry], where: str) -> Iterator[tuple[str, object]]:
    listed = cast("list[object]", section) if isinstance(section, list) else []
    if listed:
        for index, each in enumerate(listed):
            entry = object_of(each, "an object with a name", f"{where}[{index}]")
            if not isinstance(entry.get("name"), str):
                raise ConfigError("must have a name that is a string", where=f"{where}[{index}]")
            yield entry["name"], _common(entry)
        return
    for name, each in object_of(cast("object", section), "an object of servers by name", where).items():
        try:
            yield name, _common(shaped(cast("Entry", each))) if isinstance(each, Mapping) else each
        except ConfigError as error:
            raise ConfigError(str(error), where=f"{where}.{printable(name, 128)}") from error


def _as_it_is(entry: Entry) -> Entry:
    return entry


def _common(entry: Entry) -> Entry:
    """Bring what opencode writes to the common shape, under whichever key it stands."""
    if entry.get("type") not in ("local", "remote"):
        return entry
    renamed = _renamed(entry, {"environment": "env"})
    made = {name: each for name, each in renamed.items() if name not in ("type", "timeout")}
    command = entry.get("command")
    if isinstance(command, list) and command:
        made |= {"command": command[0], "args": command[1:]}
    if isinstance(entry.get("timeout"), int | float):  # of starting and listing, in milliseconds
        made["connect_timeout"] = entry["timeout"] / 1000
    return cast("Entry", _with_variables(made))


def _with_variables(value: object) -> object:
    if isinstance(value, str):
        if "{file:" in value:
            raise ConfigError("'{file:…}' is not read here; put the value into a variable, and write {env:NAME}")
        return _OPENCODE_VARIABLE.sub(r"${\1}", value)
    if isinstance(value, Mapping):
        return {name: _with_variables(each) for name, each in cast("Entry", value).items()}
    return [_with_variables(each) for each in cast("list[object]", value)] if isinstance(value, list) else value


def _zed(entry: Entry) -> Entry:
    """`command` may be an object of `path`, `args` and `env`; what an extension starts is not in the file."""
    command = entry.get("command")
    extended = entry.get("source") == "extension" or "settings" in entry
    if extended and command is None and "url" not in entry and entry.get("enabled") is not False:
        raise ConfigError("is an extension of Zed, which knows what to start; write its command here")
    made = {name: each for name, each in entry.items() if name not in ("source", "settings")}
    if isinstance(command, Mapping):
        del made["command"]
        made |= _renamed(cast("Entry", command), {"path": "command"})
    return made


def _codex(entry: Entry) -> Entry:
    headers: dict[str, Any] = {}
    for field, text in (("http_headers", "{}"), ("env_http_headers", "${{{}}}")):
        given = entry.get(field)
        if isinstance(given, Mapping):
            headers |= {name: text.format(each) for name, each in cast("Entry", given).items()}
    if isinstance(token := entry.get("bearer_token_env_var"), str):
        headers["Authorization"] = f"Bearer ${{{token}}}"
    taken = ("http_headers", "env_http_headers", "bearer_token_env_var", "startup_timeout_ms")
    made = _renamed(entry, {"env_vars": "inherit_env", "tools": "approval_mode"}, without=taken)
    if isinstance(entry.get("startup_timeout_ms"), int | float):
        made["connect_timeout"] = entry["startup_timeout_ms"] / 1000
    return made | {"headers": headers} if headers else made


def _goose(entry: Entry) -> Entry:
    inner = entry.get("config")
    entry = {**cast("Entry", inner), "enabled": entry.get("enabled")} if isinstance(inner, Mapping) else entry
    if entry.get("type") in ("builtin", "platform", "frontend", "inline_python"):
        return {"disabled": True}  # a part of goose, and no server
    names = {"cmd": "command", "envs": "env", "uri": "url", "env_keys": "inherit_env", "timeout": "timeout_seconds"}
    return _renamed(entry, {**names, "available_tools": "only"}, without=("bundled",))


def _renamed(entry: Entry, names: Mapping[str, str], without: Iterable[str] = ()) -> dict[str, Any]:
    left_out = (*without, *(name for name in names if entry.get(name) is None))
    return {names.get(name, name): each for name, each in entry.items() if name not in left_out}


_OF_HOSTS: Final[Mapping[str, Callable[[Entry], Entry]]] = {
    "context_servers": _zed,
    "mcp_servers": _codex,
    "mcp": _as_it_is,
    "extensions": _goose,
}
"""By the key of a section: how its entries are brought to the common shape."""
