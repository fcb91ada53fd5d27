"""One tool list for several models: each is given its own form, and a call is understood in all of them."""

from __future__ import annotations

import copy
import gc
import logging
import pickle
import re
import weakref
from collections.abc import Callable, Sequence
from typing import Any, cast

import langchain.agents as framework
import mcp_types as types
import pytest
from langchain.agents.middleware import ModelFallbackMiddleware, ModelRequest
from langchain.chat_models import init_chat_model
from langchain_anthropic import ChatAnthropic
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import ConfigurableField, RunnableLambda
from langchain_openai import AzureChatOpenAI, ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from mcp.server.lowlevel import Server
from pydantic import BaseModel
from toolgraft import InProcess
from toolgraft.dialects import DIALECTS, PORTABLE, dialect_named
from toolgraft.errors import ConfigError
from toolgraft.testing import demo_stdio
from toolgraft_langchain import dialect_of, follow_model, for_model, graft, live_tools
from toolgraft_langchain.chat_completions import pictures_middleware
from toolgraft_langchain.forms import MARK
from toolgraft_langchain.media import messages_for

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


class Answer(BaseModel):
    """An answer."""

    text: str


MODELS: dict[str, tuple[Callable[[], Any], str]] = {
    "ChatOpenAI": (chat, "openai-chat"),
    "ChatOpenAI by Responses": (lambda: chat(use_responses_api=True), "openai"),
    "ChatOpenAI with reasoning": (lambda: chat(reasoning={"effort": "low"}), "openai"),
    "bound": (lambda: chat().bind_tools([]), "openai-chat"),
    "with fallbacks": (lambda: chat().with_fallbacks([chat()]), "openai-chat"),
    "configurable": (lambda: init_chat_model("openai:gpt-5", configurable_fields="any", api_key="x"), "openai-chat"),
    "Azure": (
        lambda: AzureChatOpenAI(azure_endpoint="http://x", api_version="1", api_key="x"),  # pyright: ignore[reportArgumentType]
        "azure",
    ),
    "ChatOpenAI at DeepSeek": (lambda: chat(base_url="https://api.deepseek.com"), "deepseek"),
    "ChatOpenAI at Gemini": (
        lambda: chat(base_url="https://generativelanguage.googleapis.com/v1beta/openai/"),
        "gemini",
    ),
    "ChatOpenAI at a server of one's own": (
        lambda: ChatOpenAI(model="qwen3", base_url="http://localhost:8000/v1", api_key="x"),  # pyright: ignore[reportArgumentType]
        "openai-compatible",
    ),
    "bound to Responses": (lambda: chat().bind(reasoning={"effort": "low"}), "openai"),
    "bound to a tool of Responses": (lambda: chat().bind_tools([{"type": "web_search"}]), "openai"),
    "with structured output": (lambda: chat().with_structured_output(Answer), "openai-chat"),
    "after a prompt": (lambda: ChatPromptTemplate.from_messages([("human", "{x}")]) | chat(), "openai-chat"),
    "after a prompt, before a parser": (
        lambda: ChatPromptTemplate.from_messages([("human", "{x}")]) | chat().bind_tools([]) | StrOutputParser(),
        "openai-chat",
    ),
    "with a retry": (lambda: chat().with_retry(), "openai-chat"),
    "with a config": (lambda: chat().with_config(tags=["a"]), "openai-chat"),
    "with fields to configure": (
        lambda: chat().configurable_fields(model_name=ConfigurableField(id="model")),
        "openai-chat",
    ),
    "ChatAnthropic": (lambda: cast("Any", ChatAnthropic)(model="claude-sonnet-4-5", api_key="x"), "anthropic"),
    "a subclass": (
        lambda: cast("Any", type("Mine", (ChatAnthropic,), {}))(model="claude-sonnet-4-5", api_key="x"),
        "anthropic",
    ),
    "pixtral": (lambda: "pixtral-large-latest", "mistral"),
    "us.anthropic": (lambda: "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "bedrock"),
    "together": (lambda: "together:meta-llama/Llama-3", "openai-compatible"),
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


@pytest.mark.parametrize("provider", ["google_vertexai", "mistralai", "groq", "deepseek", "xai", "fireworks"])
async def test_with_nothing_told_no_picture_is_put_where_the_model_that_made_the_call_reads_none(provider: str) -> None:
    asked = calls("picture", color="blue", size=16)
    asked.response_metadata = {"model_provider": provider}
    model = scripted(provider, asked, AIMessage("seen"))
    async with graft(demo_stdio()) as tools:
        end = await create_agent(model, tools).ainvoke({"messages": [HumanMessage("go")]})
    told = next(message for message in end["messages"] if isinstance(message, ToolMessage))
    assert "iVBOR" not in str(told.content)
    assert "[picture: image/png" in str(told.content)
    assert any(part["type"] == "image" for part in told.artifact["parts"])


@pytest.mark.parametrize("provider", ["anthropic", "openai", "google_genai", "somebody", ""])
async def test_with_nothing_told_a_picture_goes_to_the_model_that_made_the_call(provider: str) -> None:
    asked = calls("picture", color="blue", size=16)
    asked.response_metadata = {"model_provider": provider}
    model = scripted(provider, asked, AIMessage("seen"))
    async with graft(demo_stdio()) as tools:
        await create_agent(model, tools).ainvoke({"messages": [HumanMessage("go")]})
    assert [kind for message in model.sent[1] for kind in _media(message)] == ["image"]


@pytest.mark.parametrize("layer", [follow_model, pictures_middleware])
async def test_a_layer_that_moves_pictures_is_given_them_whoever_made_the_call(layer: Any) -> None:
    asked = calls("picture", color="blue", size=16)
    asked.response_metadata = {"model_provider": "groq"}
    model = scripted("groq", asked, AIMessage("seen"))
    async with graft(demo_stdio()) as tools:
        await create_agent(model, tools, middleware=[layer()]).ainvoke({"messages": [HumanMessage("go")]})
    assert [kind for message in model.sent[1] for kind in _media(message)] == ["image_url"]


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
    assert dialect_of(init_chat_model("together:x", configurable_fields="any")).name == "openai-compatible"


def test_every_provider_that_langchain_makes_models_of_is_known_by_its_name() -> None:
    from langchain.chat_models.base import _BUILTIN_PROVIDERS  # pyright: ignore[reportPrivateUsage]

    assert len(_BUILTIN_PROVIDERS) > 20
    for provider in _BUILTIN_PROVIDERS:
        assert dialect_of(f"{provider}:some-model").name != "any"


@pytest.mark.parametrize("model", [None, 5, object(), ["openai:gpt-5"], "gemni", ""])
async def test_what_is_no_model_is_said_when_a_graft_is_made(model: Any) -> None:
    with pytest.raises(ConfigError, match="model"):
        graft(model=model)


async def test_of_alternatives_it_is_the_one_that_tools_are_bound_to() -> None:
    anthropic: Any = ChatAnthropic(model="claude-sonnet-4-5", api_key="x")  # pyright: ignore[reportArgumentType, reportCallIssue]
    either = anthropic.configurable_alternatives(ConfigurableField(id="llm"), default_key="claude", gpt=chat())
    assert dialect_of(either).name == "anthropic"
    assert dialect_of(either.with_config(configurable={"llm": "gpt"})).name == "openai-chat"
    assert dialect_of(either.with_config(configurable={"llm": "nobody"})).name == "anthropic"


LATER: Any = {"configurable": {"my_model": "deepseek-chat", "my_model_provider": "deepseek"}}


async def test_tools_and_pictures_follow_the_model_that_the_config_of_a_run_names() -> None:
    model: Any = init_chat_model("openai:gpt-5", configurable_fields=("model", "model_provider"), config_prefix="my")
    assert (dialect_of(model).name, dialect_of(model, LATER).name) == ("openai-chat", "deepseek")
    picture: Any = [{"type": "image", "base64": "iVBOR", "mime_type": "image/png"}]
    seen: list[ModelRequest[Any]] = []

    def called(_: Any) -> None:
        request = ModelRequest(model=model, messages=[ToolMessage(picture, tool_call_id="1")], tools=list(tools))
        follow_model().wrap_model_call(request, lambda given: cast("Any", seen.append(given)))

    async with graft(Echo().server) as tools:
        RunnableLambda(called).invoke(None)
        RunnableLambda(called).invoke(None, LATER)
    assert [cast("Any", request.tools[0]).dialect.name for request in seen] == ["openai-chat", "deepseek"]
    assert [len(request.messages) for request in seen] == [2, 1]
    assert "iVBOR" not in str(seen[1].messages)


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


async def test_a_schema_that_somebody_put_in_the_place_of_ours_stays() -> None:
    mine = {"type": "object", "properties": {"n": {"type": "integer"}}}
    async with graft(Echo().server) as tools:
        tools[0].args_schema = mine
        assert for_model(tools, "gemini")[0].args_schema == mine


@pytest.mark.parametrize("first", ["follow_model", "live_tools"])
async def test_tools_follow_model_and_servers_in_whichever_order_the_layers_stand(first: str) -> None:
    model = scripted("google_genai", AIMessage("done"))
    async with graft(Echo().server, live=True) as tools:
        layers = [follow_model(), live_tools(tools)]
        agent = create_agent(model, tools, middleware=layers if first == "follow_model" else layers[::-1])
        await agent.ainvoke({"messages": [HumanMessage("go")]})
    assert model.shown[0][0].dialect.name == "gemini"


async def test_what_was_drawn_for_a_model_goes_with_the_tool() -> None:
    model = scripted("google_genai", AIMessage("done"))
    layer = follow_model()
    async with graft(Echo().server) as tools:
        await create_agent(model, tools, middleware=[layer]).ainvoke({"messages": [HumanMessage("go")]})
        drawn = weakref.ref(model.shown[0][0])
    del tools
    model.shown.clear()
    gc.collect()
    assert drawn() is None
    assert type(pickle.loads(pickle.dumps(layer))) is type(layer)


DATA = "iVBORw0KGgoAAAANSUhEUg"
OTHERS: dict[str, Any] = {
    "a picture as Anthropic writes it": {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": DATA},
    },
    "a picture as Chat Completions writes it": {
        "type": "image_url",
        "image_url": {"url": f"data:image/png;base64,{DATA}"},
    },
    "a picture by its URL alone": {"type": "image_url", "image_url": f"data:image/png;base64,{DATA}"},
    "a picture as Responses writes it": {"type": "input_image", "image_url": f"data:image/png;base64,{DATA}"},
    "a picture as Google writes it": {"type": "media", "mime_type": "image/png", "data": DATA},
    "a picture of an earlier LangChain": {
        "type": "image",
        "source_type": "base64",
        "data": DATA,
        "mime_type": "image/png",
    },
    "a document of Anthropic": {
        "type": "document",
        "source": {"type": "base64", "media_type": "application/pdf", "data": DATA},
    },
    "a file of Responses": {"type": "input_file", "file_data": f"data:application/pdf;base64,{DATA}", "filename": "a"},
    "audio": {"type": "audio", "base64": DATA, "mime_type": "audio/wav"},
    "audio of OpenAI": {"type": "input_audio", "input_audio": {"data": DATA, "format": "wav"}},
    "audio of Google": {"type": "media", "mime_type": "audio/wav", "data": DATA},
    "video": {"type": "video", "base64": DATA, "mime_type": "video/mp4"},
}


@pytest.mark.parametrize("provider", ["mistralai", "deepseek"])
@pytest.mark.parametrize("of", OTHERS)
async def test_what_tools_of_others_return_is_not_sent_as_text_either(of: str, provider: str) -> None:
    message = ToolMessage(["before", OTHERS[of]], tool_call_id="1")
    told, *after = messages_for([message], dialect_named(provider))
    assert isinstance(told.content, str)
    assert told.content.startswith("before\n\n[")
    assert DATA not in told.content
    if "picture" not in of or provider == "deepseek":
        assert not after
    else:
        picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{DATA}"}}
        assert picture in cast("list[Any]", after[-1].content)
    assert message.content[1] == OTHERS[of], "the agent's own messages stay as they are"


async def test_what_a_provider_takes_of_others_stays_as_it_was_written() -> None:
    for of in ("a picture as Anthropic writes it", "a document of Anthropic", "audio"):
        message = ToolMessage([OTHERS[of]], tool_call_id="1")
        assert messages_for([message], dialect_named("anthropic")) == [message]
        assert messages_for([message], PORTABLE) == [message]


async def test_a_picture_that_one_provider_knows_by_an_id_is_told_to_another() -> None:
    (told,) = messages_for([ToolMessage([{"type": "image", "file_id": "f1"}], tool_call_id="1")], dialect_named("groq"))
    assert str(told.content).startswith("[picture: not shown")


async def test_a_picture_at_a_url_is_passed_on_as_one() -> None:
    block = {"type": "image", "url": "https://example.com/a.png"}
    _, after = messages_for([ToolMessage([block], tool_call_id="1")], dialect_named("groq"))
    assert {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}} in cast("list[Any]", after.content)


async def test_an_error_brings_anthropic_its_picture_in_a_message_of_the_user() -> None:
    failed = ToolMessage([OTHERS["audio"] | {"type": "image"}], tool_call_id="1", status="error")
    told, after = messages_for([failed], dialect_named("anthropic"))
    assert isinstance(told.content, str)
    assert [block["type"] for block in cast("Any", after.content)] == ["text", "image_url"]


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
