"""One tool list for several models: each is given its own form, and a call is understood in all of them."""

from __future__ import annotations

import copy
import logging
import pickle
import re
from collections.abc import Callable, Sequence
from typing import Any, cast

import langchain.agents as framework
import mcp_types as types
import pytest
from langchain.agents.middleware import ModelFallbackMiddleware
from langchain.chat_models import init_chat_model
from langchain_anthropic import ChatAnthropic
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_openai import AzureChatOpenAI, ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from mcp.server.lowlevel import Server
from toolgraft import InProcess
from toolgraft.dialects import DIALECTS, PORTABLE, dialect_named
from toolgraft.errors import ConfigError
from toolgraft.testing import demo_stdio
from toolgraft_langchain import dialect_of, follow_model, for_model, graft
from toolgraft_langchain.forms import MARK

pytestmark = pytest.mark.anyio

create_agent = cast("Callable[..., Any]", framework.create_agent)  # pyright: ignore[reportUnknownMemberType]

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "n": {"type": "integer", "enum": [300, 3600]},
        "text": {"type": "string"},
        "labels": {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False},
    },
    "required": ["n"],
}


class Echo:
    """A server that notes what it is given."""

    def __init__(self, schema: dict[str, Any] = SCHEMA, *names: str) -> None:
        self.given: list[Any] = []
        self._tools = [types.Tool(name=name, description="d", input_schema=schema) for name in names or ("echo",)]
        self.server = InProcess(Server("s", on_list_tools=self._list, on_call_tool=self._call), name="s")

    async def _list(self, context: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self._tools)

    async def _call(self, context: Any, params: Any) -> types.CallToolResult:
        self.given.append(params.arguments)
        return types.CallToolResult(content=[types.TextContent(type="text", text="ok")])


class Script(GenericFakeChatModel):
    """Says what it is told to, remembers what it was sent, and is of the provider that its profile names."""

    sent: list[Any] = []  # noqa: RUF012
    shown: list[Any] = []  # noqa: RUF012
    broken: bool = False

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Any:
        if self.broken:
            raise ConnectionError("away")
        self.sent.append(messages)
        return super()._generate(messages, *args, **kwargs)

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        self.shown.append(tools)
        return self


def scripted(provider: str, *answers: Any, **options: Any) -> Script:
    """A model whose class is from the package of a provider, as far as anybody can see."""
    kind = type("Scripted", (Script,), {"__module__": f"langchain_{provider}.chat_models"})
    return cast(Script, kind(messages=iter(answers), sent=[], shown=[], **options))


def calls(name: str, **arguments: Any) -> AIMessage:
    return AIMessage("", tool_calls=[{"id": "1", "name": name, "args": arguments, "type": "tool_call"}])


def schema_of(tools: Sequence[Any], name: str = "echo") -> dict[str, Any]:
    return cast("dict[str, Any]", next(tool for tool in tools if tool.name == name).args_schema)


def chat(**options: Any) -> Any:
    return ChatOpenAI(model="gpt-5", api_key="x", **options)  # pyright: ignore[reportArgumentType]


MODELS: dict[str, tuple[Callable[[], Any], str]] = {
    "ChatOpenAI": (chat, "openai-chat"),
    "ChatOpenAI by Responses": (lambda: chat(use_responses_api=True), "openai"),
    "ChatOpenAI with reasoning": (lambda: chat(reasoning={"effort": "low"}), "openai"),
    "bound": (lambda: chat().bind_tools([]), "openai-chat"),
    "with fallbacks": (lambda: chat().with_fallbacks([chat()]), "openai-chat"),
    "configurable": (lambda: init_chat_model("openai:gpt-5", configurable_fields="any", api_key="x"), "openai-chat"),
    "Azure": (
        lambda: AzureChatOpenAI(azure_endpoint="http://x", api_version="1", api_key="x"),  # pyright: ignore[reportArgumentType]
        "openai-chat",
    ),
    "ChatAnthropic": (lambda: cast("Any", ChatAnthropic)(model="claude-sonnet-4-5", api_key="x"), "anthropic"),
    "a subclass": (
        lambda: cast("Any", type("Mine", (ChatAnthropic,), {}))(model="claude-sonnet-4-5", api_key="x"),
        "anthropic",
    ),
    "of another package": (lambda: GenericFakeChatModel(messages=iter(())), "any"),
    "openai:gpt-5": (lambda: "openai:gpt-5", "openai-chat"),
    "openai": (lambda: "openai", "openai-chat"),
    "openai-responses": (lambda: "openai-responses", "openai"),
    "gpt-5": (lambda: "gpt-5", "openai-chat"),
    "google_genai:gemini-3-flash": (lambda: "google_genai:gemini-3-flash", "gemini"),
    "a dialect": (lambda: dialect_named("groq"), "groq"),
}


@pytest.mark.parametrize("of", MODELS)
async def test_a_model_says_whose_it_is(of: str) -> None:
    make, dialect = MODELS[of]
    assert dialect_of(make()).name == dialect


async def test_chat_openai_still_decides_by_its_own_method_which_api_it_uses() -> None:
    assert chat()._use_responses_api({"tools": [{"type": "function"}]}) is False
    assert chat(use_responses_api=True)._use_responses_api({}) is True


async def test_a_models_own_profile_says_what_it_cannot_take() -> None:
    assert dialect_of(scripted("google_genai", profile={"image_inputs": False})).pictures == "nowhere"
    assert dialect_of(scripted("anthropic", profile={"image_tool_message": False})).pictures == "user"
    assert not dialect_of(scripted("anthropic", profile={"pdf_inputs": False})).files
    assert dialect_of(scripted("anthropic", profile={"image_inputs": True})) == dialect_named("anthropic")


async def test_a_model_that_cannot_be_one_is_refused() -> None:
    with pytest.raises(ConfigError, match="did you mean 'gemini'"):
        graft(Echo().server, model="gemeni")
    with pytest.raises(ConfigError, match="not the class ChatOpenAI: call it"):
        graft(Echo().server, model=ChatOpenAI)


FORMS: dict[str, Any] = {"openai": True, "anthropic": False, "gemini": False, "cohere": False, "any": True}


@pytest.mark.parametrize("provider", FORMS)
async def test_told_the_model_a_graft_gives_its_providers_form(provider: str) -> None:
    dialect = dialect_named(provider)
    async with graft(Echo().server, model=dialect) as tools:
        assert schema_of(tools) == dialect.form(tools[0].bound.schema).schema
        assert cast("Any", tools[0].metadata)["mcp"]["strict"] is FORMS[provider]
        assert cast("Any", schema_of(for_model(tools, "any"))) == PORTABLE.form(tools[0].bound.schema).schema


async def test_with_nothing_told_the_form_is_the_one_that_all_take() -> None:
    async with graft(Echo().server) as tools:
        assert tools[0].dialect is PORTABLE
        assert schema_of(tools)["properties"]["text"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}


async def test_a_list_for_another_model_leaves_the_first_as_it_was() -> None:
    async with graft(Echo().server) as tools:
        before = copy.deepcopy(schema_of(tools))
        for_gemini = for_model(tools, "gemini")
        assert schema_of(tools) == before
        assert schema_of(for_gemini) != before
        assert for_model(tools, PORTABLE)[0] is tools[0]
        own = [HumanMessage]
        assert for_model(cast("Any", own), "gemini") == own


WRITTEN: dict[str, dict[str, Any]] = {
    "strict": {"n": 300, "text": None, "labels": {"a": None}},
    "plain": {"n": 300, "labels": {}},
}


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini", "cohere", "any"])
@pytest.mark.parametrize("strict", ["natural", "full"])
async def test_a_call_is_understood_in_whichever_form_it_was_written(provider: str, written: str, strict: Any) -> None:
    echo = Echo()
    async with graft(echo.server, strict=strict) as tools:
        (tool,) = for_model(tools, provider)
        given = WRITTEN[written]
        if MARK in schema_of([tool])["properties"]:
            given = {MARK: "plain", **given}
        call: Any = {"name": "echo", "args": given, "id": "1", "type": "tool_call"}
        for carried_out_by in (tool, tools[0]):
            answer = await carried_out_by.ainvoke(copy.deepcopy(call))
            assert answer.status == "success", answer.content
    assert echo.given == [{"n": 300, "labels": {}}] * 2


async def test_a_plain_form_of_a_fully_redrawn_tool_says_so_and_is_read_as_plain() -> None:
    maps = {"type": "object", "properties": {"m": {"type": "object", "additionalProperties": {"type": "string"}}}}
    echo = Echo(maps)
    async with graft(echo.server, strict="full") as tools:
        (tool,) = for_model(tools, "anthropic")
        schema = schema_of([tool])
        assert schema["required"] == [MARK]
        plain = {"name": "echo", "args": {MARK: "plain", "m": {"a": "b"}}, "id": "1", "type": "tool_call"}
        full = {"name": "echo", "args": {"m": [{"key": "a", "value": "b"}]}, "id": "2", "type": "tool_call"}
        for call in (plain, full):
            assert (await tools[0].ainvoke(call)).status == "success"
    assert echo.given == [{"m": {"a": "b"}}] * 2


async def test_anthropics_strict_mode_is_asked_for_only_where_it_is_wanted() -> None:
    model: Any = cast("Any", ChatAnthropic)(model="claude-sonnet-4-5", api_key="x")
    async with graft(Echo().server) as tools:
        usual = model.bind_tools(for_model(tools, model)).kwargs["tools"]
        strict = model.bind_tools(for_model(tools, model, anthropic_strict=True)).kwargs["tools"]
        assert for_model(tools, "gemini", anthropic_strict=True)[0].extras == tools[0].extras
    assert "strict" not in usual[0]
    assert strict[0]["strict"] is True
    assert strict[0]["input_schema"]["additionalProperties"] is False
    assert strict[0]["input_schema"]["required"] == ["n"]


async def test_an_agent_asks_for_strict_tools_where_its_model_is_of_anthropic() -> None:
    model = scripted("anthropic", AIMessage("done"))
    async with graft(Echo().server) as tools:
        agent = create_agent(model, tools, middleware=[follow_model(anthropic_strict=True)])
        await agent.ainvoke({"messages": [HumanMessage("go")]})
    assert model.shown[0][0].extras["provider_tool_definition"]["strict"] is True


async def test_a_name_that_a_provider_refuses_is_changed_or_left_out_with_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    echo = Echo(SCHEMA, "2fa", "fine")
    async with graft(echo.server) as tools, graft(Echo(SCHEMA, "2fa", "fine").server, model="gemini") as for_gemini:
        assert [tool.name for tool in tools] == ["2fa", "fine"]
        assert [tool.name for tool in for_gemini] == ["_2fa", "fine"]
        with caplog.at_level(logging.WARNING, "toolgraft.langchain"):
            assert [tool.name for tool in for_model(tools, "gemini")] == ["fine"]
    assert "'2fa' is left out: gemini refuses such a name; graft(..., model='gemini')" in caplog.text


@pytest.mark.parametrize("how", ["sync", "async"])
async def test_an_agents_tools_follow_the_model_of_each_call(how: str) -> None:
    echo = Echo()
    first = scripted("anthropic", broken=True)
    second = scripted("google_genai", calls("echo", n=300), AIMessage("done"))
    async with graft(echo.server) as tools:
        middleware = [ModelFallbackMiddleware(second), follow_model()]
        agent = create_agent(first, tools, middleware=middleware)
        state = {"messages": [HumanMessage("go")]}
        if how == "async":
            end = await agent.ainvoke(state)
        else:
            import anyio.to_thread

            end = await anyio.to_thread.run_sync(agent.invoke, state)
        assert schema_of(first.shown[0]) == dialect_named("anthropic").form(tools[0].bound.schema).schema
        assert schema_of(second.shown[0]) == dialect_named("gemini").form(tools[0].bound.schema).schema
        assert second.shown[0][0] is second.shown[1][0], "a tool is drawn once"
    assert end["messages"][-1].content == "done"
    assert echo.given == [{"n": 300}]


def _media(message: BaseMessage) -> list[str]:
    blocks = cast("list[Any]", message.content if isinstance(message.content, list) else [])
    return [block["type"] for block in blocks if isinstance(block, dict) and block["type"] != "text"]


PLACES: dict[str, tuple[list[str], list[str]]] = {
    "google_genai": (["image"], []),
    "anthropic": (["image"], []),
    "mistralai": ([], ["image_url"]),
    "groq": ([], ["image_url"]),
    "deepseek": ([], []),
    "cohere": ([], []),
}


@pytest.mark.parametrize("provider", PLACES)
async def test_a_picture_travels_where_the_model_of_the_call_reads_it(provider: str) -> None:
    in_tool, of_user = PLACES[provider]
    model = scripted(provider, calls("picture", color="blue", size=16), AIMessage("seen"))
    async with graft(demo_stdio()) as tools:
        agent = create_agent(model, tools, middleware=[follow_model()])
        end = await agent.ainvoke({"messages": [HumanMessage("go")]})
    told = next(message for message in model.sent[1] if isinstance(message, ToolMessage))
    after = model.sent[1][model.sent[1].index(told) + 1 :]
    assert _media(told) == in_tool
    assert [kind for message in after for kind in _media(message)] == of_user
    if not in_tool:
        assert isinstance(told.content, str)
        assert "[picture: image/png" in told.content
        assert "iVBOR" not in told.content
    kept = next(message for message in end["messages"] if isinstance(message, ToolMessage))
    assert _media(kept) == ["image"], "the agent's own messages stay as they are"


@pytest.mark.parametrize("told", ["groq", "openai-chat", "any"])
async def test_told_the_model_and_following_it_a_picture_travels_too(told: str) -> None:
    model = scripted("groq", calls("picture", color="blue", size=16), AIMessage("seen"))
    async with graft(demo_stdio(), model=told) as tools:
        await create_agent(model, tools, middleware=[follow_model()]).ainvoke({"messages": [HumanMessage("go")]})
    assert [kind for message in model.sent[1] for kind in _media(message)] == ["image_url"]


@pytest.mark.parametrize(("provider", "files"), [("anthropic", ["file"]), ("openai", ["file"]), ("groq", [])])
async def test_a_pdf_travels_where_the_model_of_the_call_reads_it(provider: str, files: list[str]) -> None:
    pdf = types.BlobResourceContents(uri="file:///a.pdf", mime_type="application/pdf", blob="JVBERi0xLjQK")

    class Papers(Echo):
        async def _call(self, context: Any, params: Any) -> types.CallToolResult:
            return types.CallToolResult(content=[types.EmbeddedResource(type="resource", resource=pdf)])

    model = scripted(provider, calls("echo", n=300), AIMessage("read"))
    async with graft(Papers().server) as tools:
        await create_agent(model, tools, middleware=[follow_model()]).ainvoke({"messages": [HumanMessage("go")]})
    assert [kind for message in model.sent[1] for kind in _media(message)] == files
    assert ("JVBERi0" in str(model.sent[1][2].content)) is (provider == "anthropic")


@pytest.mark.parametrize("told", [True, False])
async def test_files_for_bedrock_have_plain_names_each_once(told: bool) -> None:
    pdf = types.BlobResourceContents(uri="file:///my report_v1.2.pdf", mime_type="application/pdf", blob="JVBERi0xLjQK")

    class Papers(Echo):
        async def _call(self, context: Any, params: Any) -> types.CallToolResult:
            return types.CallToolResult(content=[types.EmbeddedResource(type="resource", resource=pdf)] * 2)

    model = scripted("aws", calls("echo", n=300), AIMessage("read"))
    options: Any = {"model": "bedrock"} if told else {}
    async with graft(Papers().server, **options) as tools:
        layers = [] if told else [follow_model()]
        await create_agent(model, tools, middleware=layers).ainvoke({"messages": [HumanMessage("go")]})
    names = [block["filename"] for block in model.sent[1][2].content if block["type"] == "file"]
    assert len(set(names)) == 2
    assert all(re.fullmatch(r"[A-Za-z0-9 -]+", name) and "  " not in name for name in names)


async def test_models_that_stand_in_for_each_other_are_given_what_all_of_them_take() -> None:
    first, second = scripted("anthropic"), scripted("deepseek")
    both = dialect_of(first.with_fallbacks([second]))
    assert (both.redraw, both.pictures, both.files) == (PORTABLE.redraw, "nowhere", frozenset())
    assert dialect_of(first.with_fallbacks([scripted("anthropic")])) == dialect_named("anthropic")


async def test_a_configurable_model_is_not_made_to_be_asked_and_an_unknown_one_takes_what_all_take() -> None:
    assert dialect_of(init_chat_model(configurable_fields="any")).name == "any"
    assert dialect_of(init_chat_model("together:x", configurable_fields="any")).name == "any"


async def test_a_message_of_the_user_does_not_follow_a_tools_at_once_for_mistral() -> None:
    model = scripted("mistralai", calls("picture", color="blue", size=16), AIMessage("seen"))
    async with graft(demo_stdio()) as tools:
        await create_agent(model, tools, middleware=[follow_model()]).ainvoke({"messages": [HumanMessage("go")]})
    assert [message.type for message in model.sent[1]] == ["human", "ai", "tool", "ai", "human"]


async def test_a_description_that_was_changed_is_the_one_that_is_sent() -> None:
    model = scripted("anthropic", calls("echo", n=300), AIMessage("done"), AIMessage("done"))
    async with graft(Echo().server) as tools:
        agent = create_agent(model, tools, middleware=[follow_model()])
        await agent.ainvoke({"messages": [HumanMessage("go")]})
        tools[0].description = "another"
        await agent.ainvoke({"messages": [HumanMessage("go")]})
    assert [shown[0].description for shown in model.shown] == ["d", "d", "another"]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: each.name)
async def test_a_tool_for_any_model_can_be_pickled_and_copied(dialect: Any) -> None:
    async with graft(demo_stdio(), model=dialect) as tools:
        assert pickle.loads(pickle.dumps(tools[0])).args_schema == tools[0].args_schema
        assert copy.deepcopy(tools[0]).dialect == dialect


async def test_told_a_model_without_pictures_in_tool_messages_a_result_says_where_they_are() -> None:
    async with graft(demo_stdio(), model="groq") as tools:
        tool = next(each for each in tools if each.name == "picture")
        call: Any = {"name": "picture", "args": {"color": "blue", "size": 16}, "id": "1", "type": "tool_call"}
        answer = await tool.ainvoke(call)
    assert "not shown, its bytes are in the tool message's artifact]" in answer.content
    assert any(part["type"] == "image" for part in answer.artifact["parts"])


async def test_a_call_in_the_history_of_one_model_is_carried_out_for_another() -> None:
    echo, memory, thread = Echo(), MemorySaver(), {"configurable": {"thread_id": "1"}}
    asked = calls("echo", n=3600, text=None, labels=None)
    async with graft(echo.server) as tools:
        parts: Any = {"middleware": [follow_model()], "checkpointer": memory}
        first = create_agent(scripted("openai", asked), tools, interrupt_before=["tools"], **parts)
        await first.ainvoke({"messages": [HumanMessage("go")]}, thread)
        second = create_agent(scripted("anthropic", AIMessage("done")), tools, **parts)
        end = await second.ainvoke(None, thread)
    assert end["messages"][-1].content == "done"
    assert echo.given == [{"n": 3600}]
