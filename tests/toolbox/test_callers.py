"""Who calls reaches what is made for each call, in both frameworks: headers, questions, bound arguments."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import pytest
import toolgraft_langchain
import toolgraft_openai_agents
from agents import Agent, RunConfig, RunContextWrapper, Runner
from agents.testing import ScriptedModel, assistant_message, function_call
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from toolgraft import Stdio
from toolgraft.config import Answer, CallContext, Elicitation, Http

from tests.connection.conftest import Ledger, StartRaw, raw_http
from tests.servers.sdk import serving

pytestmark = pytest.mark.anyio

Run = Callable[..., Awaitable[str]]
ERAS = ["legacy", "2026-07-28"]


class Script(GenericFakeChatModel):
    """Says what it is told to."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self


async def by_langchain(tools: Sequence[Any], name: str, arguments: Mapping[str, Any], user: str) -> str:
    call: Any = {"id": "1", "name": name, "args": dict(arguments), "type": "tool_call"}
    model = Script(messages=iter([AIMessage("", tool_calls=[call]), AIMessage("done")]))
    agent = cast("Any", create_agent(model, tools))
    end = await agent.ainvoke({"messages": [("user", "go")]}, {"configurable": {"user": user}})
    return next(message.text for message in end["messages"] if message.type == "tool")


async def by_agents(tools: Sequence[Any], name: str, arguments: Mapping[str, Any], user: str) -> str:
    model = ScriptedModel([[function_call(name, json.dumps(arguments), call_id="1")], [assistant_message("done")]])
    agent: Any = Agent(name="a", model=model, tools=[*tools])
    run = await Runner.run(agent, "go", context=user, run_config=RunConfig(tracing_disabled=True))
    return next(str(item.output) for item in run.new_items if item.type == "tool_call_output_item")


FRAMEWORKS = {
    "langchain": (toolgraft_langchain.graft, by_langchain),
    "agents": (toolgraft_openai_agents.graft, by_agents),
}


def user_of(context: CallContext) -> str | None:
    """The user as an application finds it in the framework's own context."""
    given: Any = context.user
    if isinstance(given, RunContextWrapper):
        return cast("Any", given).context
    return given["configurable"]["user"] if given is not None else None


@pytest.fixture(params=FRAMEWORKS)
def framework(request: pytest.FixtureRequest) -> tuple[Callable[..., Any], Run]:
    return cast("Any", FRAMEWORKS[request.param])


@pytest.mark.faults("O9", "O10")
@pytest.mark.parametrize("era", ERAS)
async def test_headers_and_sessions_are_those_of_the_user_of_each_run(
    framework: tuple[Callable[..., Any], Run], era: str, start_raw: StartRaw, ledger: Ledger
) -> None:
    graft, run = framework

    def headers(context: CallContext) -> dict[str, str]:
        return {"Authorization": f"Bearer {user_of(context)}"}

    legacy = era == "legacy"
    raw = start_raw("--era", "legacy" if legacy else "modern", "--ledger", str(ledger.path), "--authorization")
    async with graft(raw_http(raw, headers=headers)) as tools:
        for user in ("ada", "bo", "ada"):
            assert user in await run(tools, "echo", {"text": user}, user)
    assert ledger.count("tools/call as Bearer ada") == 2
    assert ledger.count("tools/call as Bearer bo") == 1
    assert ledger.count("initialize as Bearer ada") == (1 if legacy else 0)
    assert ledger.count("initialize as Bearer bo") == (1 if legacy else 0)


@pytest.mark.faults("P7")
@pytest.mark.parametrize("era", ERAS)
async def test_a_question_names_server_tool_and_user(framework: tuple[Callable[..., Any], Run], era: Any) -> None:
    graft, run = framework
    asked: list[Elicitation] = []

    async def person(question: Elicitation) -> Answer:
        asked.append(question)
        return Answer("accept", {"name": str(user_of(question.context))})

    tool = "greet_old" if era == "legacy" else "greet"
    with serving("http") as url:
        async with graft(Http(url, name="sdk", era=era, elicit=person)) as tools:
            assert "ada" in await run(tools, tool, {}, "ada")
    (question,) = asked
    assert (question.context.server, question.context.tool) == ("sdk", tool)
    assert question.message == "your name?"


async def test_a_bound_argument_is_made_of_the_user_of_the_run(
    framework: tuple[Callable[..., Any], Run], demo_stdio: Stdio
) -> None:
    graft, run = framework

    def home(context: CallContext) -> str:
        return f"home of {user_of(context)}"

    server = replace(demo_stdio, bind={"city": home})
    async with graft(server) as tools:
        assert "home of ada" in await run(tools, "weather", {}, "ada")
