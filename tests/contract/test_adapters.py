"""The contract over the adapters of this repository, and over one from outside."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

import pytest
from toolgraft import Http
from toolgraft.adapter import Abilities, Answered, BoundTool, answer, form_of
from toolgraft.plugins.discovery import ADAPTERS, adapter_names, load_adapter, load_scripted
from toolgraft.result import Image
from toolgraft.testing import AdapterContract
from toolgraft.toolbox.graft import Graft
from toolgraft.tools.scripted import Calls, Step


class TestLangChain(AdapterContract):
    adapter = load_adapter("langchain")
    run_scripted = staticmethod(load_scripted("langchain"))


class TestOpenAIAgents(AdapterContract):
    adapter = load_adapter("openai_agents")
    run_scripted = staticmethod(load_scripted("openai_agents"))


def test_no_adapter_of_this_repository_is_left_out() -> None:
    assert set(adapter_names()) == {TestLangChain.adapter.name, TestOpenAIAgents.adapter.name}


@pytest.mark.parametrize("name", adapter_names())
def test_an_adapter_is_registered_under_its_name_and_has_graft_beside_it(name: str) -> None:
    (entry,) = (each for each in entry_points(group=ADAPTERS) if each.name == name)
    graft: Callable[..., object] = import_module(entry.module).graft
    assert load_adapter(name).name == name
    assert isinstance(graft(Http("http://127.0.0.1:9/mcp")), Graft)


@dataclass(frozen=True)
class TinyTool:
    """A tool of a framework that nobody has heard of."""

    name: str
    description: str
    schema: Mapping[str, Any]
    run: Callable[[str], Awaitable[Answered]]


class TinyAdapter:
    name = "tiny"

    def to_tool(self, bound: BoundTool) -> TinyTool:
        async def run(arguments: str) -> Answered:
            return await answer(bound, arguments, Abilities(whole_at="the record of the call"))

        return TinyTool(bound.spec.name, bound.spec.description, form_of(bound).schema, run)


async def run_tiny(tools: Sequence[TinyTool], calls: Calls, /) -> Sequence[Step]:
    named = {tool.name: tool for tool in tools}
    steps: list[Step] = []
    for name, arguments in calls:
        shown = (await named[name].run(json.dumps(arguments))).shown
        images = tuple(part.mime_type for part in shown.parts if isinstance(part, Image))
        steps.append(Step(name, arguments, shown.text, images, shown.is_error))
    return steps


class TestAnAdapterFromOutside(AdapterContract):
    adapter = TinyAdapter()
    run_scripted = staticmethod(run_tiny)
