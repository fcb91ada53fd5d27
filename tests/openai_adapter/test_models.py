"""Which provider a model of the Agents SDK belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from agents import Model, OpenAIChatCompletionsModel, OpenAIResponsesModel, set_default_openai_api
from agents.testing import ScriptedModel
from openai import AsyncAzureOpenAI, AsyncOpenAI
from toolgraft.dialects import PORTABLE, Dialect, dialect_named
from toolgraft.errors import ConfigError
from toolgraft_openai_agents import dialect_of, follow_model, graft

from tests.openai_adapter.providers import by_litellm, chat


@pytest.fixture
def chat_by_default() -> Iterator[None]:
    set_default_openai_api("chat_completions")
    yield
    set_default_openai_api("responses")


def by_any_llm(name: str, api: str | None = None) -> Any:
    kind = type("AnyLLMModel", (ScriptedModel,), {"__module__": "agents.extensions.models.any_llm_model"})
    made: Any = kind()
    made.model, made.base_url, made.api = name, None, api
    return made


@pytest.mark.parametrize("name", ["gpt-5", "openai/gpt-5.2", "openai", "o3", "ft:gpt-4o:acme::x"])
def test_a_name_of_openai_is_reached_by_responses(name: str) -> None:
    assert dialect_of(name) == dialect_named("openai")


@pytest.mark.usefixtures("chat_by_default")
def test_a_name_of_openai_is_reached_by_what_the_sdk_was_set_to() -> None:
    assert dialect_of("gpt-5") == dialect_named("openai-chat")
    assert dialect_of("openai-responses") == dialect_named("openai")


@pytest.mark.parametrize(
    ("name", "provider", "pictures"),
    [
        ("litellm/anthropic/claude-sonnet-4-5", "anthropic", "user"),
        ("litellm/gemini/gemini-2.5-pro", "gemini", "user"),
        ("litellm/bedrock/anthropic.claude-3", "bedrock", "user"),
        ("litellm/openai/gpt-5", "openai-chat", "user"),
        ("litellm/deepseek/deepseek-chat", "deepseek", "nowhere"),
        ("litellm/cohere_chat/command-r", "cohere", "nowhere"),
        ("any-llm/mistral/mistral-large", "mistral", "user"),
        ("any-llm/openai/gpt-5", "openai-chat", "user"),
        ("gemini", "gemini", "user"),
        ("claude-sonnet-4-5", "anthropic", "user"),
        ("litellm/together_ai/llama", "openai-compatible", "user"),
        ("litellm/somebody/new", "openai-compatible", "user"),
        ("litellm/vertex_ai/claude-sonnet-4-5", "anthropic", "user"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "bedrock", "user"),
    ],
)
def test_by_messages_of_chat_completions_a_tools_output_is_text_alone(name: str, provider: str, pictures: str) -> None:
    dialect = dialect_of(name)
    assert (dialect.name, dialect.pictures, dialect.files) == (provider, pictures, frozenset())


@pytest.mark.parametrize("name", ["my-deployment", "some-new-model", "llama3"])
def test_a_deployments_name_is_anybodys(name: str) -> None:
    assert dialect_of(name) is PORTABLE


@pytest.mark.usefixtures("chat_by_default")
def test_a_deployments_name_by_messages_of_chat_completions_has_text_alone_in_a_tools_output() -> None:
    assert dialect_of("my-deployment").pictures == "user"


def test_a_file_that_a_provider_takes_of_a_tool_goes_by_the_user_where_the_api_carries_text_alone() -> None:
    assert dialect_of("litellm/anthropic/claude-sonnet-4-5").user_files == {"application/pdf"}
    assert not dialect_of("litellm/groq/llama").user_files


@pytest.mark.parametrize(
    ("base_url", "name", "provider"),
    [
        ("https://api.openai.com/v1", "anything", "openai-chat"),
        ("https://api.groq.com/openai/v1", "openai/gpt-oss-120b", "groq"),
        ("https://generativelanguage.googleapis.com/v1beta/openai/", "gemini-2.5-pro", "gemini"),
        ("https://api.anthropic.com/v1/", "claude-sonnet-4-5", "anthropic"),
        ("https://bedrock-runtime.us-west-2.amazonaws.com/openai/v1", "openai.gpt-oss-20b-1:0", "bedrock"),
        ("https://api.x.ai/v1", "grok-4", "xai"),
        ("https://api.deepseek.com", "deepseek-chat", "deepseek"),
        ("http://localhost:11434/v1", "llama3.1", "ollama"),
        ("https://openrouter.ai/api/v1", "anthropic/claude-sonnet-4-5", "anthropic"),
        ("https://openrouter.ai/api/v1", "openai/gpt-5", "openai-chat"),
        ("http://localhost:8000/v1", "qwen3", "openai-compatible"),
        ("http://localhost:8000/v1", "openai/qwen3", "openai-compatible"),
        ("https://ec2-1-2-3-4.compute.amazonaws.com/v1", "qwen3", "openai-compatible"),
    ],
)
def test_a_model_of_chat_completions_is_known_by_its_address_and_then_by_its_name(
    base_url: str, name: str, provider: str
) -> None:
    dialect = dialect_of(chat(base_url, name))
    assert (dialect.name, dialect.pictures) == (provider, "nowhere" if provider == "deepseek" else "user")


def test_a_model_of_responses_is_openais_also_at_azure_and_another_providers_at_its_address() -> None:
    azure = AsyncAzureOpenAI(azure_endpoint="https://a.openai.azure.com", api_key="unused", api_version="1")
    assert dialect_of(OpenAIResponsesModel("mine", azure)) == dialect_named("azure-responses")
    assert dialect_of(OpenAIChatCompletionsModel("mine", azure)) == dialect_named("azure")
    xai = AsyncOpenAI(base_url="https://api.x.ai/v1", api_key="unused")
    assert dialect_of(OpenAIResponsesModel("grok-4", xai)).name == "xai"


def test_the_address_is_where_the_sdk_keeps_it() -> None:
    kept: Any = chat("https://api.groq.com/openai/v1")
    assert str(kept._client.base_url) == "https://api.groq.com/openai/v1/"


def test_models_of_litellm_and_any_llm_are_known_by_their_names() -> None:
    assert dialect_of(by_litellm("vertex_ai/gemini-2.5-pro", [])).name == "vertexai"
    assert dialect_of(by_any_llm("groq/llama")).name == "groq"
    assert dialect_of(by_any_llm("openai/gpt-5", "responses")) == dialect_named("openai")
    assert dialect_of(by_any_llm("openai/gpt-5")) == dialect_named("openai-chat")


def test_a_model_that_wraps_one_is_what_that_is() -> None:
    class Logged(ScriptedModel):
        def __init__(self, inner: Model) -> None:
            super().__init__()
            self.inner = inner

    groq = chat("https://api.groq.com/openai/v1")
    assert dialect_of(Logged(groq)).name == "groq"
    assert dialect_of(follow_model(Logged(groq))).name == "groq"


def test_a_model_of_another_kind_is_any() -> None:
    assert dialect_of(ScriptedModel()) is PORTABLE


@pytest.mark.parametrize("model", ["litellm/antropic/x", "gemni", "", " ", ScriptedModel, 5, None])
def test_what_is_no_model_is_said_when_a_graft_is_made(model: Any) -> None:
    with pytest.raises(ConfigError, match="model"):
        graft(model=model)


def test_a_dialect_of_ones_own_is_taken() -> None:
    mine = Dialect("mine")
    assert dialect_of(mine) is mine
