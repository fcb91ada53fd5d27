"""Plugins that are handed in: what their hooks may answer, in which order, and what a faulty one gets."""

from __future__ import annotations

import inspect
import pickle
import re
import types
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import httpx2
import pluggy
import pytest
from mcp.server import MCPServer
from toolgraft import hookspecs
from toolgraft.config import Http, InProcess, OAuth, Server, Sse, Stdio
from toolgraft.errors import PluginError
from toolgraft.hookspecs import hookimpl
from toolgraft.plugins import Plugins, load_plugins
from toolgraft.policies import judged
from toolgraft.result import AnyPart, Text
from toolgraft.spec import ToolRef, ToolSpec

SERVER = Stdio("x", name="git")
HTTP = Http("http://h/mcp", name="web")
SPECS = tuple(ToolSpec(ToolRef("git", name), name, name, "", {"type": "object"}) for name in ("a", "b"))
HOOKS = [name for name in vars(hookspecs) if name.startswith("toolgraft_")]


class Key(httpx2.Auth):
    """An auth with a name."""

    def __init__(self, key: str) -> None:
        self.key = key


@dataclass
class Plugin:
    """Answers each hook with what it was made with; it cannot be hashed, as is usual for a dataclass."""

    answer: Any = None
    suffix: str = ""

    def _rename(self, specs: Sequence[ToolSpec]) -> list[ToolSpec]:
        return [replace(spec, description=spec.description + self.suffix) for spec in specs]

    @hookimpl
    def toolgraft_policies(self, server: Server) -> Any:
        return [self._rename] if self.suffix else self.answer

    @hookimpl
    def toolgraft_middleware(self) -> Any:  # a hook may leave out arguments
        return self.answer

    @hookimpl
    def toolgraft_part(self, block: Mapping[str, Any]) -> Any:
        return Text(self.suffix + block["type"]) if self.suffix else self.answer

    @hookimpl
    def toolgraft_auth(self, server: Server) -> Any:
        return Key(self.suffix + server.name) if self.suffix else self.answer


def load(*asked: object) -> Plugins:
    return load_plugins(asked, discover=False)


def run(plugins: Plugins) -> list[str]:
    return [spec.description for spec in judged(SPECS, plugins.policies(SERVER)).served]


def test_every_hook_has_a_test_and_says_what_it_is_for() -> None:
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    for hook in HOOKS:
        assert re.search(rf"def test_{hook}_", tests), f"write a test_{hook}_…"
        assert getattr(hookspecs, hook).__doc__


def test_every_hook_is_in_the_readme_with_its_arguments() -> None:
    readme = (Path(__file__).parent.parent.parent / "README.md").read_text()
    if "## Plugins" not in readme:
        pytest.skip("the README has no section on plugins")
    for hook in HOOKS:
        signature = ", ".join(inspect.signature(getattr(hookspecs, hook)).parameters)
        assert f"{hook}({signature})" in readme


def test_toolgraft_policies_are_gathered_in_the_order_asked_for() -> None:
    assert run(load(Plugin(suffix="1"), Plugin(suffix="2"), Plugin())) == ["12", "12"]
    assert load(Plugin(), Plugin([])).policies(SERVER) == ()


def test_toolgraft_middleware_is_gathered_outermost_first() -> None:
    def layer(*_: object) -> None: ...
    def other(*_: object) -> None: ...

    assert load(Plugin([layer]), Plugin(None), Plugin((other, layer))).middleware(SERVER) == (layer, other, layer)


def test_toolgraft_part_takes_the_first_answer() -> None:
    assert load(Plugin(), Plugin(suffix="1"), Plugin(suffix="2")).part({"type": "hologram"}) == Text("1hologram")
    assert load(Plugin()).part({"type": "hologram"}) is None


def test_toolgraft_auth_may_say_how_one_signs_in() -> None:
    class SignsIn:
        @hookimpl
        def toolgraft_auth(self, server: Server) -> OAuth:
            return OAuth(store="memory")

    assert isinstance(load(SignsIn()).auth(HTTP), OAuth)


def test_toolgraft_auth_takes_the_first_answer_for_http_servers_without_one() -> None:
    plugins = load(Plugin(), Plugin(suffix="1"), Plugin(suffix="2"))
    for server in (HTTP, Sse("http://h/sse", name="web")):
        auth = plugins.auth(server)
        assert isinstance(auth, Key)
        assert auth.key == "1web"
        assert plugins.auth(replace(server, auth=auth)) is None
    assert plugins.auth(SERVER) is None
    assert plugins.auth(InProcess(MCPServer("x"), name="x")) is None


def test_a_plugin_can_ask_to_be_first_or_last() -> None:
    class First:
        @hookimpl(tryfirst=True)
        def toolgraft_part(self) -> AnyPart:
            return Text("first")

    assert load(Plugin(suffix="1"), First()).part({"type": "x"}) == Text("first")


def test_a_module_can_be_a_plugin() -> None:
    module = types.ModuleType("my_plugin")
    exec("from toolgraft.hookspecs import hookimpl\n@hookimpl\ndef toolgraft_part(block): return None", vars(module))
    assert load(module).names == ("my_plugin",)


def test_two_plugins_of_one_class_can_take_part() -> None:
    assert load(Plugin(suffix="1"), Plugin(suffix="2")).names == ("Plugin", "Plugin#2")


class Misspelt:
    """Its hook does not exist."""

    @hookimpl
    def toolgraft_polices(self) -> None: ...


class Greedy:
    """Its hook wants what there is not."""

    @hookimpl
    def toolgraft_part(self, block: object, server: object) -> None: ...


class Wrapper:
    """Wants to wrap the other plugins."""

    @hookimpl(wrapper=True)
    def toolgraft_part(self) -> Generator[None, object, object]:
        return (yield)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            Misspelt(),
            "plugin 'Misspelt': TypeError: there is no hook toolgraft_polices; the hooks are toolgraft_",
        ),
        (Greedy(), "plugin 'Greedy': PluginValidationError: .*server.* declared in the hookimpl"),
        (Wrapper(), "plugin 'Wrapper': TypeError: its toolgraft_part is a hook wrapper"),
        (
            object(),
            "plugin 'object': TypeError: it has no hooks; mark its functions with @toolgraft",
        ),
        (None, "plugin 'NoneType': TypeError: it has no hooks"),
        (Plugin, "plugin 'Plugin': TypeError: it is a class; hand in an instance, Plugin\\(\\)"),
        ("no-such-plugin", "no plugin 'no-such-plugin' is installed; installed are: "),
    ],
    ids=["misspelt", "greedy", "wrapper", "object", "none", "class", "name"],
)
def test_a_plugin_that_was_asked_for_and_is_none_is_an_error(asked: object, message: str) -> None:
    with pytest.raises(PluginError, match="(?s)" + message):
        load(asked)


def test_one_plugin_given_twice_is_an_error() -> None:
    plugin = Plugin(suffix="1")
    with pytest.raises(PluginError, match="it is there already"):
        load(plugin, plugin)


@pytest.mark.parametrize(
    ("hook", "answer", "message"),
    [
        ("policies", len, "it must return a list of functions, not builtin_function_or_method"),
        ("policies", ["name"], "it must return a list of functions, and there is str in it"),
        ("policies", {"a": len}, "a list of functions, not dict"),
        ("middleware", "name", "a list of functions, not str"),
        ("middleware", [None], "there is NoneType in it"),
        ("auth", ("user", "password"), "an httpx2.Auth or None, not tuple"),
    ],
)
def test_a_wrong_answer_of_one_asked_for_names_plugin_and_hook(hook: str, answer: object, message: str) -> None:
    plugins = load(Plugin(answer))
    with pytest.raises(PluginError, match=f"plugin 'Plugin', hook toolgraft_{hook}: TypeError: .*{message}"):
        getattr(plugins, hook)(HTTP)


def test_a_hook_that_raises_names_plugin_and_hook_and_keeps_the_cause() -> None:
    class Faulty:
        @hookimpl
        def toolgraft_policies(self) -> None:
            raise KeyError("gone")

    with pytest.raises(PluginError, match="plugin 'Faulty', hook toolgraft_policies: KeyError: 'gone'") as caught:
        load(Faulty()).policies(SERVER)
    assert isinstance(caught.value.__cause__, KeyError)


def test_the_result_of_a_call_is_not_lost_to_a_faulty_part_hook(caplog: pytest.LogCaptureFixture) -> None:
    plugins = load(Plugin("no part"), Plugin(suffix="2"))
    assert plugins.part({"type": "x"}) == plugins.part({"type": "x"}) == Text("2x")
    said = "plugin 'Plugin', hook toolgraft_part: TypeError: it must return a part of toolgraft.result or None, not str"
    assert [str(problem) for problem in plugins.problems] == [said]
    assert [record.getMessage() for record in caplog.records] == [f"{said}; it is left out"]


Specs: TypeAlias = Sequence[ToolSpec]


def lose(specs: Specs) -> None: ...
def name(specs: Specs) -> list[str]:
    return ["a"]


def make_up(specs: Specs) -> list[ToolSpec]:
    return [replace(specs[0], ref=ToolRef("other", "a"))]


def double(specs: Specs) -> list[ToolSpec]:
    return [specs[0], specs[0]]


def fail(specs: Specs) -> ToolSpec:
    return specs[5]


def turn(specs: Specs) -> list[ToolSpec]:
    return list(specs)[::-1]


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (lose, "a policy must return the list of tools and refusals, not NoneType"),
        (name, "a policy must return ToolSpecs and Refusals, and there is str in its list"),
        (make_up, "a policy returned 'other.a', which it was not given, or returned it twice"),
        (double, "a policy returned 'git.a', which it was not given, or returned it twice"),
        (fail, "IndexError"),
    ],
)
def test_a_policy_that_makes_up_tools_or_fails_is_its_plugins_fault(policy: Any, message: str) -> None:
    with pytest.raises(PluginError, match=f"plugin 'Plugin', hook toolgraft_policies: .*{message}"):
        run(load(Plugin([policy])))


def test_a_policy_may_leave_out_and_reorder() -> None:
    (policy,) = load(Plugin([turn])).policies(SERVER)
    assert policy(SPECS) == SPECS[::-1]


def test_plugins_are_pickled_as_what_they_were_made_of() -> None:
    plugins = pickle.loads(pickle.dumps(load(Plugin(suffix="1"), Plugin(suffix="2"))))
    assert plugins.names == ("Plugin", "Plugin#2")
    assert plugins.part({"type": "x"}) == Text("1x")


def test_each_graft_has_a_manager_of_its_own() -> None:
    first, second = load(Plugin(suffix="1")), load()
    assert first.part({"type": "x"})
    assert second.part({"type": "x"}) is None
    assert isinstance(hookspecs.hookimpl, pluggy.HookimplMarker)
