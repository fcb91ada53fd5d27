"""A rule with a misspelt name never leaves the real tool open: every field of every kind is here, or the test fails."""

from __future__ import annotations

import importlib
from dataclasses import fields
from typing import Any, cast

import pytest
from toolgraft import (
    Approval,
    Custom,
    Filter,
    Held,
    Http,
    InProcess,
    Limits,
    Options,
    Server,
    Sse,
    Stdio,
    connect,
    tagged,
)
from toolgraft.config.approval import ApprovalRequest
from toolgraft.errors import ConfigError

from tests.approval.test_gate import Files

pytestmark = [pytest.mark.anyio, pytest.mark.faults("D7")]

NAMING: dict[str, list[Any]] = {
    "only": [["read", "delet"], tagged("x") | "delet"],
    "without": [["delet"], tagged("x") | "delet"],
    "safety": [{"delet": "side_effect"}],
    "tool_timeouts": [{"delet": 5.0}],
    "tool_limits": [{"delet": Limits()}],
    "repeatable": [["delet"]],
    "approve": [["delet"], {"delet": "always", "*": "never"}, Approval(["delet"]), {"*": Approval(["delet"])}],
    "bind": [{"delet": 1}],
}
"""The fields of servers that name a tool, or an argument of one; each with every way to name one wrongly."""

NAMING_NONE = {
    *("name", "required", "trust", "visible", "unknown_tools", "prefix", "timeout", "progress_cap", "connect_timeout"),
    *("era", "meta", "errors", "checks", "limits", "list_limits", "provenance", "output_check", "permission", "elicit"),
    *("follow_links", "client_info", "resources"),
    *("command", "args", "env", "inherit_env", "cwd", "stderr", "env_file"),
    *("url", "headers", "identity", "auth", "verify", "cert", "proxy", "http_client", "max_sse_event_size"),
    *("server", "transport_factory", "client"),
}
"""Those that name none."""

FOR_ALL: dict[str, list[Any]] = {"approve": NAMING["approve"]}
"""What is told to a whole graft and names a tool of its servers."""

FOR_ALL_NAMING_NONE = {
    *("strict", "model", "live", "approver", "policies", "visible", "middleware", "plugins", "discover_plugins"),
    *("description_limit", "at_once", "on_event", "control_flow"),
    "taken",  # names of tools that are no server's
}

WAYS = ("toolgraft", "toolgraft_langchain", "toolgraft_openai_agents")

EACH = [(field, at) for field, given in NAMING.items() for at in range(len(given))]


def agrees(request: ApprovalRequest) -> bool:
    return True


def opened(way: str, *servers: Any, **options: Any) -> Any:
    module = importlib.import_module(way)
    return module.connect(*servers, **options) if way == "toolgraft" else module.graft(*servers, **options)


def test_every_field_is_held_to_it_or_names_no_tool() -> None:
    kinds: tuple[type[Server], ...] = (Stdio, Http, Sse, InProcess, Custom, Held)
    told = {field.name for kind in kinds for field in fields(kind)}
    unknown = told - set(NAMING) - NAMING_NONE
    assert not unknown, f"say of {sorted(unknown)} how a misspelt name in it is refused, or that it names no tool"
    unknown = {field.name for field in fields(Options)} - set(FOR_ALL) - FOR_ALL_NAMING_NONE
    assert not unknown, f"say the same of {sorted(unknown)}"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("field", "at"), EACH)
async def test_a_misspelt_name_in_a_rule_of_a_server_starts_nothing(way: str, field: str, at: int) -> None:
    files = Files()
    with pytest.raises(ConfigError, match="'delet'") as caught:
        async with opened(way, files.declared(**{field: NAMING[field][at]}), approver=agrees):
            pass
    assert field in str(caught.value)
    assert "'files'" in str(caught.value)
    assert files.ran == []


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("at", range(len(FOR_ALL["approve"])))
async def test_so_does_one_in_a_rule_for_all_servers(way: str, at: int) -> None:
    files = Files()
    with pytest.raises(ConfigError, match="no server lists a tool 'delet' named in approve"):
        async with opened(way, files.declared(), approve=FOR_ALL["approve"][at], approver=agrees):
            pass
    assert files.ran == []


def right(field: str, given: Any) -> Any:
    """A rule with the name that was meant."""
    if isinstance(given, dict):
        meant, rules = "path" if field == "bind" else "delete", cast("dict[str, Any]", given)
        return {meant if key == "delet" else key: right(field, each) for key, each in rules.items()}
    if isinstance(given, list | tuple):
        return ["delete" if each == "delet" else each for each in cast("list[Any]", given)]
    return Approval(right(field, given.rule)) if isinstance(given, Approval) else given


@pytest.mark.parametrize("field", NAMING)
async def test_the_name_that_was_meant_is_taken(field: str) -> None:
    for given in NAMING[field]:
        if isinstance(given, Filter):
            continue
        async with connect(Files().declared(**{field: right(field, given)})) as toolbox:
            assert toolbox.tools
