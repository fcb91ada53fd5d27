"""A third party's distribution, installed, takes effect in a real graft; broken ones are reported and the rest load."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from toolgraft.errors import PluginError
from toolgraft.plugins.discovery import adapter_names, load_adapter

from tests.plugins.conftest import Site

RAW = Path(__file__).parent.parent / "servers" / "raw.py"

GOOD = """
from dataclasses import replace

import httpx2

from toolgraft.hookspecs import hookimpl
from toolgraft.result import Text


class Key(httpx2.Auth):
    def auth_flow(self, request):
        request.headers["Authorization"] = "plugin-key"
        yield request


@hookimpl
def toolgraft_policies(server):
    def without_die(specs):
        return [replace(spec, title="seen by plugin") for spec in specs if spec.ref.tool != "die"]

    return [without_die]


@hookimpl
def toolgraft_middleware(server):
    async def stamp(call, proceed):
        result = await proceed(call)
        return replace(result, parts=(*result.parts, Text(f"stamped {call.spec.ref}")))

    return [stamp]


@hookimpl
def toolgraft_part(block):
    return Text("a hologram") if block["type"] == "hologram" else None


@hookimpl
def toolgraft_auth(server):
    return Key()
"""

# Each is broken in a way of its own.
BROKEN = {
    "broken_import": "import a_package_that_is_not_there",
    "broken_exit": "raise SystemExit(3)",
    "broken_empty": "",
    "broken_spelling": "from toolgraft.hookspecs import hookimpl\n@hookimpl\ndef toolgraft_prat(block): ...",
    "broken_answer": "from toolgraft.hookspecs import hookimpl\n@hookimpl\ndef toolgraft_policies(server): return 7",
    "broken_policy": (
        "from toolgraft.hookspecs import hookimpl\n@hookimpl\n"
        "def toolgraft_policies(server): return [lambda specs: 1 / 0]"
    ),
}

GRAFT = """
import asyncio, json, sys, threading

import uvicorn
from mcp.server import MCPServer
from toolgraft import Http, Options, Stdio, connect


def app(plain):
    async def guarded(scope, receive, send):
        if scope["type"] == "http" and dict(scope["headers"]).get(b"authorization") != b"plugin-key":
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body", "body": b""})
        else:
            await plain(scope, receive, send)

    return guarded


async def one(servers, options):
    async with connect(*servers, options=Options(**options)) as box:
        said = {
            "failures": {name: str(error) for name, error in box.failures.items()},
            "tools": {str(tool.spec.ref): tool.spec.title for tool in box.tools},
            "odd": [getattr(part, "text", "") for part in (await box.call("raw.odd", {})).parts],
        }
        if "closed" not in box.failures:
            said["ping"] = [part.text for part in (await box.call("closed.ping", {})).parts]
        said["problems"] = [[each.plugin, each.hook, each.reason] for each in box.plugin_problems]
        return said


async def main():
    server = MCPServer("closed")

    @server.tool()
    def ping() -> str:
        return "pong"

    web = uvicorn.Server(uvicorn.Config(app(server.streamable_http_app()), port=0, log_level="error"))
    serving = asyncio.create_task(web.serve())
    while not web.started:
        await asyncio.sleep(0.01)
    port = web.servers[0].sockets[0].getsockname()[1]
    servers = [Stdio(sys.executable, RAW, "stdio", name="raw"), Http(f"http://127.0.0.1:{port}/mcp", name="closed")]
    said = [await one(servers, options) for options in OPTIONS]
    web.should_exit = True
    await serving
    print(json.dumps(said))


asyncio.run(asyncio.wait_for(main(), 50))
"""
OPTIONS: list[dict[str, Any]] = [
    {},
    {"discover_plugins": False},
    {"discover_plugins": False, "plugins": ["acme"]},
]


@pytest.fixture(scope="module")
def grafts(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What grafts saw of the same two servers under each of `OPTIONS`, with a good and broken plugins installed."""
    site = Site(tmp_path_factory.mktemp("grafts"))
    site.install("acme-toolgraft", {"acme_toolgraft": GOOD}, "[toolgraft]\nacme = acme_toolgraft\n")
    points = "\n".join(f"{module.replace('_', '-')} = {module}" for module in BROKEN)
    site.install("broken-toolgraft", BROKEN, f"[toolgraft]\n{points}\nbroken-attribute = broken_empty:nothing\n")
    return json.loads(site.run(f"RAW = {str(RAW)!r}\nOPTIONS = {OPTIONS}\n{GRAFT}"))


def test_an_installed_plugin_takes_effect_in_a_real_graft(grafts: list[dict[str, Any]]) -> None:
    said = grafts[0]
    assert said["failures"] == {}
    assert "raw.echo" in said["tools"]
    assert "raw.die" not in said["tools"]
    assert set(said["tools"].values()) == {"seen by plugin"}
    assert "a hologram" in said["odd"]
    assert said["odd"][-1] == "stamped raw.odd"
    assert said["ping"] == ["pong", "stamped closed.ping"]


def test_broken_plugins_are_reported_while_the_rest_load(grafts: list[dict[str, Any]]) -> None:
    problems = {plugin: (hook, reason.partition(":")[0]) for plugin, hook, reason in grafts[0]["problems"]}
    assert problems == {
        "broken-import": ("", "ModuleNotFoundError"),
        "broken-exit": ("", "SystemExit"),
        "broken-empty": ("", "TypeError"),
        "broken-spelling": ("", "TypeError"),
        "broken-attribute": ("", "AttributeError"),
        "broken-answer": ("toolgraft_policies", "TypeError"),
        "broken-policy": ("toolgraft_policies", "ZeroDivisionError"),
    }


def test_without_discovery_only_what_was_asked_for_takes_part(grafts: list[dict[str, Any]]) -> None:
    _, none, asked = grafts
    assert "raw.die" in none["tools"]
    assert "stamped raw.odd" not in none["odd"]
    assert list(none["failures"]) == ["closed"]
    assert "raw.die" not in asked["tools"]
    assert asked["ping"] == ["pong", "stamped closed.ping"]
    assert none["problems"] == asked["problems"] == []


ASK = """
from toolgraft.errors import PluginError
from toolgraft.plugins import load_plugins
try:
    load_plugins(["{name}"])
except PluginError as error:
    print(error)
"""


def test_a_broken_plugin_that_was_asked_for_is_an_error(site: Site) -> None:
    points = "\n".join(f"{module} = {module}" for module in BROKEN)
    site.install("broken-toolgraft", BROKEN, f"[toolgraft]\n{points}\n")
    asked = ("broken_import", "broken_exit", "broken_empty", "nowhere")
    said = site.run("".join(ASK.format(name=name) for name in asked))
    assert said.splitlines() == [
        "plugin 'broken_import' does not load: ModuleNotFoundError: No module named 'a_package_that_is_not_there'",
        "plugin 'broken_exit' does not load: SystemExit: 3",
        "plugin 'broken_empty': TypeError: it has no hooks; mark its functions with @toolgraft.hookspecs.hookimpl",
        f"no plugin 'nowhere' is installed; installed are: {', '.join(sorted(BROKEN))}",
    ]


def test_an_installed_plugin_that_is_also_handed_in_takes_part_once(site: Site) -> None:
    site.install("acme-toolgraft", {"acme_toolgraft": GOOD}, "[toolgraft]\nacme = acme_toolgraft\n")
    said = site.run(
        "import pickle, acme_toolgraft\n"
        "from toolgraft.plugins import load_plugins\n"
        "for plugins in (load_plugins([acme_toolgraft]), load_plugins(['acme']), load_plugins()):\n"
        "    print(plugins.names, plugins.problems, pickle.loads(pickle.dumps(plugins)).names)\n"
    )
    assert said.splitlines() == [
        "('acme_toolgraft',) () ('acme_toolgraft',)",
        "('acme',) () ('acme',)",
        "('acme',) () ('acme',)",
    ]


def test_two_packages_with_a_plugin_of_one_name_are_told_apart(site: Site) -> None:
    site.install("acme-a", {"acme_a": GOOD}, "[toolgraft]\nacme = acme_a\n")
    site.install("acme-b", {"acme_b": GOOD}, "[toolgraft]\nacme = acme_b\n")
    said = site.run("from toolgraft.plugins import load_plugins\nprint(*load_plugins().problems)")
    assert said == "plugin 'acme': ValueError: another installed package has a plugin of this name\n"


ADAPTERS = {
    "adapters_a": """
class Mine:
    name = "mine"
    def to_tool(self, bound): return bound
ADAPTER = Mine()
NO_ADAPTER = object()
""",
    "adapters_b": "import a_package_that_is_not_there",
    "adapters_c": "import adapters_c.not_there",
    "adapters_d": "raise RuntimeError('boom')",
}
ADAPTER_POINTS = """[toolgraft.adapters]
mine = adapters_a:ADAPTER
my_none = adapters_a:NO_ADAPTER
my_class = adapters_a:Mine
missing_package = adapters_b:ADAPTER
missing_own = adapters_c:ADAPTER
failing = adapters_d:ADAPTER
"""
LOAD_ADAPTERS = """
from toolgraft.plugins import adapter_names, load_adapter
print(*adapter_names())
for name in adapter_names():
    if name in ("langchain", "openai_agents"):
        continue
    try:
        print(name, type(load_adapter(name.replace("_", "-"))).__name__)
    except Exception as error:
        print(name, type(error).__name__, error)
"""


def test_a_third_framework_has_only_to_register(site: Site) -> None:
    site.install("acme-adapters", ADAPTERS, ADAPTER_POINTS)
    names, *lines = site.run(LOAD_ADAPTERS).splitlines()
    assert names == "failing langchain mine missing_own missing_package my_class my_none openai_agents"
    does_not_load = "of acme-adapters does not load"
    assert lines == [
        f"failing PluginError adapter 'failing' {does_not_load}: RuntimeError: boom",
        "mine Mine",
        f"missing_own PluginError adapter 'missing_own' {does_not_load}: "
        "No module named 'adapters_c.not_there'; 'adapters_c' is not a package",
        "missing_package MissingExtraError pip install 'acme-adapters'",
        "my_class PluginError adapter 'my_class' of acme-adapters is no toolgraft.adapter.Adapter instance",
        "my_none PluginError adapter 'my_none' of acme-adapters is no toolgraft.adapter.Adapter instance",
    ]


def test_a_missing_framework_names_its_extra(site: Site) -> None:
    said = site.run(
        "import sys\nfrom toolgraft.plugins import load_adapter\n"
        "for name, module in (('langchain', 'langchain_core'), ('openai-agents', 'agents')):\n"
        "    sys.modules[module] = None\n"
        "    try:\n        load_adapter(name)\n"
        "    except ImportError as error:\n        print(error)\n"
    )
    assert said.splitlines() == ["pip install 'toolgraft[langchain]'", "pip install 'toolgraft[openai-agents]'"]


@pytest.mark.parametrize("name", ["langchain", "openai-agents"])
def test_the_adapters_of_the_house_load_by_name(name: str) -> None:
    assert load_adapter(name).name == name.replace("-", "_")


def test_an_unknown_adapter_lists_the_known() -> None:
    with pytest.raises(PluginError, match=r"no adapter 'crew' is installed; installed are: .*langchain, openai_agents"):
        load_adapter("crew")
    assert {"langchain", "openai_agents"} <= set(adapter_names())
