"""Prompts: what is offered, what they say when filled in, and what becomes of what is none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft import Answer, AnyServer, Elicitation, Image, InProcess, ListLimits, Text, connect
from toolgraft.context import PromptArgument
from toolgraft.context.completion import completion
from toolgraft.context.prompts import filled, read_prompts
from toolgraft.errors import ArgumentsError, ConfigError, ProtocolError

from tests.servers.offering import make

pytestmark = pytest.mark.anyio

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)


async def test_prompts_of_all_pages_are_listed_and_a_bad_one_is_refused_by_itself(offering: AnyServer) -> None:
    async with connect(offering) as toolbox:
        prompts = await toolbox.prompts()
    assert [prompt.name for prompt in prompts] == ["hello", "shown", "asks"]
    hello = prompts[0]
    assert (hello.server, hello.title) == ("notes", "Say hello")
    assert hello.description == "Greets somebody.", "what nobody sees is taken out"
    assert hello.arguments == (PromptArgument("name", "", "Whom to greet.", required=True),)
    assert prompts[1].title == "shown"
    (refused,) = prompts.refused
    assert "server 'notes': prompt #3 is left out: its name has 300 characters" in refused


async def test_a_prompt_is_filled_in(offering: AnyServer) -> None:
    async with connect(offering) as toolbox:
        hello = await toolbox.prompt("notes", "hello", {"name": "Ada"})
        shown = await toolbox.prompt("notes", "shown")
    assert [(message.role, message.parts) for message in hello.messages] == [("user", (Text("Say hello to Ada."),))]
    assert shown.description == "Shows."
    assert [message.role for message in shown.messages] == ["user", "assistant", "assistant", "user", "assistant"]
    assert isinstance(shown.messages[0].parts[0], Image)
    assert not shown.warnings


async def test_a_prompt_that_there_is_not_is_told_with_its_server(offering: AnyServer) -> None:
    async with connect(offering) as toolbox:
        with pytest.raises(ProtocolError, match=r"server 'notes': no prompt nobody"):
            await toolbox.prompt("notes", "nobody")


async def test_a_value_that_is_no_text_is_refused_before_anything_is_sent() -> None:
    wrong: Any = {"name": 5}
    no_dict: Any = ["Ada"]
    async with connect(InProcess(make(), name="notes")) as toolbox:
        with pytest.raises(ArgumentsError, match=r"/name: prompt 'hello' of server 'notes' takes a text, not int"):
            await toolbox.prompt("notes", "hello", wrong)
        with pytest.raises(ArgumentsError, match="takes a dict of texts, not list"):
            await toolbox.prompt("notes", "hello", no_dict)


async def test_a_server_may_ask_a_person_before_it_gives_a_prompt() -> None:
    asked: list[str] = []

    def answer(elicitation: Elicitation) -> Answer:
        asked.append(elicitation.message)
        return Answer("accept", {"name": "Ada"})

    async with connect(InProcess(make(), name="notes", elicit=answer)) as toolbox:
        prompt = await toolbox.prompt("notes", "asks")
    assert asked == ["your name?"]
    assert prompt.messages[0].parts == (Text("I am Ada."),)


async def test_a_server_that_is_not_there_is_named(offering: AnyServer) -> None:
    async with connect(offering) as toolbox:
        with pytest.raises(ConfigError, match="no server is called 'nobody'; there are: notes"):
            await toolbox.prompts("nobody")


async def test_a_server_that_fails_keeps_none_from_offering_its_own() -> None:
    async def failing(_: Any, __: Any) -> Any:
        raise RuntimeError("broken")

    from mcp.server.lowlevel import Server

    broken = InProcess(Server("broken", on_list_prompts=failing), name="broken")
    async with connect(broken, InProcess(make(), name="notes")) as toolbox:
        prompts = await toolbox.prompts()
        assert [prompt.server for prompt in prompts] == ["notes"] * 3
        assert list(prompts.failures) == ["broken"]
        with pytest.raises(ProtocolError):
            await toolbox.prompts("broken")


async def test_a_server_without_prompts_offers_none() -> None:
    from mcp.server.lowlevel import Server

    async with connect(InProcess(Server("bare"), name="bare")) as toolbox:
        assert await toolbox.prompts() == []
        assert await toolbox.resources() == []


async def test_a_list_that_does_not_end_is_cut() -> None:
    limits = ListLimits(pages=2)
    async with connect(InProcess(make(), name="notes", list_limits=limits)) as toolbox:
        assert [prompt.name for prompt in await toolbox.prompts()] == ["hello", "shown", "asks"]
        assert len(await toolbox.resources()) == 2


async def test_arguments_are_completed(offering: AnyServer) -> None:
    async with connect(offering) as toolbox:
        (hello, *_), (template,) = await toolbox.prompts(), await toolbox.resource_templates()
        names = await toolbox.complete(hello, "name", "A")
        of_a_team = await toolbox.complete(hello, "name", "A", {"team": "us"})
        notes = await toolbox.complete(template, "name", "o")
    assert (names.values, names.total, names.has_more) == (("Ada", "Alan"), 2, False)
    assert of_a_team.values == ("Ada of us", "Alan of us")
    assert notes.values == ("one", "other")


@given(JSON)
def test_whatever_a_server_lists_is_a_prompt_or_refused(value: Any) -> None:
    listed = [value, {"name": "good"}, value]
    prompts, refused = read_prompts("s", listed, ListLimits())
    assert len(prompts) + len(refused) == 3
    assert "good" in [prompt.name for prompt in prompts]


@given(st.dictionaries(st.sampled_from(["messages", "description", "_meta", "other"]), JSON))
def test_whatever_a_server_answers_is_a_prompt(raw: dict[str, Any]) -> None:
    prompt = filled("s", "p", raw, ListLimits())
    assert {message.role for message in prompt.messages} <= {"user", "assistant"}


@given(st.dictionaries(st.sampled_from(["completion", "other"]), JSON))
def test_whatever_a_server_proposes_is_a_list_of_texts(raw: dict[str, Any]) -> None:
    assert all(isinstance(value, str) for value in completion(raw).values)


def test_a_description_is_cut_where_it_is_too_long() -> None:
    limits = replace(ListLimits(), description_bytes=100)
    (prompt,), _ = read_prompts("s", [{"name": "p", "description": "x" * 10_000}], limits)
    assert len(prompt.description.encode()) <= 100


def test_a_message_of_several_blocks_and_of_an_unknown_role_is_taken() -> None:
    blocks = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    prompt = filled("s", "p", {"messages": [{"role": "system", "content": blocks}, "bare"]}, ListLimits())
    assert [(message.role, len(message.parts)) for message in prompt.messages] == [("user", 2), ("user", 1)]
    assert "its role is 'system'" in prompt.warnings[0]
