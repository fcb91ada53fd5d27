"""Prompts: what is offered, what they say when filled in, and what becomes of what is none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import anyio
import mcp_types as types
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.lowlevel import Server
from toolgraft import Answer, AnyServer, Elicitation, Image, InProcess, Limits, ListLimits, Text, connect
from toolgraft.context import PromptArgument
from toolgraft.context.completion import completion
from toolgraft.context.prompts import filled, read_prompts
from toolgraft.errors import ArgumentsError, ConfigError, DeadlineError, ProtocolError, ResultError

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
        with pytest.raises(
            ArgumentsError, match=r"/name: prompt 'hello' of server 'notes' takes a text, not int"
        ) as raised:
            await toolbox.prompt("notes", "hello", wrong)
        assert str(raised.value).startswith("invalid arguments, nothing was sent: ")
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

    broken = InProcess(Server("broken", on_list_prompts=failing), name="broken")
    async with connect(broken, InProcess(make(), name="notes")) as toolbox:
        prompts = await toolbox.prompts()
        assert [prompt.server for prompt in prompts] == ["notes"] * 3
        assert list(prompts.failures) == ["broken"]
        with pytest.raises(ProtocolError):
            await toolbox.prompts("broken")


async def test_a_server_without_prompts_offers_none() -> None:
    async with connect(InProcess(Server("bare"), name="bare")) as toolbox:
        assert await toolbox.prompts() == []
        assert await toolbox.resources() == []


async def test_a_list_that_does_not_end_is_cut() -> None:
    limits = ListLimits(pages=2)
    async with connect(InProcess(make(), name="notes", list_limits=limits)) as toolbox:
        assert [prompt.name for prompt in await toolbox.prompts()] == ["hello", "shown", "asks"]
        assert len(await toolbox.resources()) == 2


async def test_a_list_of_slow_pages_has_one_limit() -> None:
    async def page(_: Any, params: Any) -> types.ListPromptsResult:
        await anyio.sleep(0.3)
        at = int(params.cursor) if params and params.cursor else 0
        return types.ListPromptsResult(prompts=[types.Prompt(name=f"p{at}")], next_cursor=str(at + 1))

    limits = ListLimits(pages=100)
    server = InProcess(Server("slow", on_list_prompts=page), name="slow", timeout=1.0, list_limits=limits)
    async with connect(server) as toolbox:
        with anyio.fail_after(20):
            prompts = await toolbox.prompts()
    assert isinstance(prompts.failures["slow"], DeadlineError)


async def test_a_prompt_beyond_its_limits_is_an_error() -> None:
    async with connect(InProcess(make(), name="notes", limits=Limits(wire_bytes=50))) as toolbox:
        with pytest.raises(ResultError, match="the answer is larger than 50 bytes"):
            await toolbox.prompt("notes", "shown")
        with pytest.raises(ResultError, match="the answer is larger than 50 bytes"):
            await toolbox.resource("notes", "file:///both")


async def test_arguments_are_completed(offering: AnyServer) -> None:
    async with connect(offering) as toolbox:
        (hello, *_), (template,) = await toolbox.prompts(), await toolbox.resource_templates()
        names = await toolbox.complete(hello, "name", "A")
        of_a_team = await toolbox.complete(hello, "name", "A", {"team": "us"})
        notes = await toolbox.complete(template, "name", "o")
    assert (names.values, names.total, names.has_more) == (("Ada", "Alan"), 2, False)
    assert of_a_team.values == ("Ada of us", "Alan of us")
    assert notes.values == ("one", "other")


def test_an_argument_that_is_none_is_told_and_costs_no_prompt() -> None:
    many = [{"name": f"a{at}"} for at in range(150)]
    listed = [{"name": "p", "arguments": [{"name": "good"}, {"name": 5}, None]}, {"name": "q", "arguments": many}]
    prompts, refused = read_prompts("s", listed, ListLimits())
    assert [len(prompt.arguments) for prompt in prompts] == [1, 100]
    assert refused == [
        "server 's': argument of prompt 'p': #1 is left out: its name is int, not a text",
        "server 's': argument of prompt 'p': #2 is left out: it is NoneType, not an object",
        "server 's': argument of prompt 'q': 150 of them, of which 100 are taken",
    ]


@given(JSON)
def test_whatever_a_server_lists_is_a_prompt_or_refused(value: Any) -> None:
    listed = [value, {"name": "good"}, value]
    prompts, refused = read_prompts("s", listed, ListLimits())
    assert len(prompts) + len([each for each in refused if "argument" not in each]) == 3
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
