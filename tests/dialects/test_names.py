"""Which provider is meant by a name."""

from __future__ import annotations

import pytest
from toolgraft import Stdio, ToolRef, ToolSpec
from toolgraft.dialects import DIALECTS, dialect_named, find_dialect
from toolgraft.errors import ConfigError
from toolgraft.options import Options
from toolgraft.policies.naming import named
from toolgraft.schema import convert


@pytest.mark.parametrize(
    ("name", "dialect"),
    [
        ("openai", "openai"),
        ("OpenAI", "openai"),
        ("openai:gpt-5", "openai"),
        ("gpt-5-mini", "openai"),
        ("google_genai:gemini-3-flash", "gemini"),
        ("gemini-2.5-pro", "gemini"),
        ("google_vertexai:gemini-2.5-pro", "vertexai"),
        ("anthropic:claude-sonnet-4-5", "anthropic"),
        ("claude-opus-4-1", "anthropic"),
        ("bedrock_converse:anthropic.claude-3-5-sonnet-20240620-v1:0", "bedrock"),
        ("anthropic.claude-3-5-sonnet-20240620-v1:0", "bedrock"),
        ("mistralai:mistral-large-latest", "mistral"),
        ("groq:llama-3.3-70b-versatile", "groq"),
        ("xai:grok-4", "xai"),
        ("deepseek-chat", "deepseek"),
        ("cohere:command-a-03-2025", "cohere"),
        ("ollama:llama3.2", "ollama"),
        ("fireworks:accounts/fireworks/models/kimi-k2-instruct", "fireworks"),
        ("litellm/gemini/gemini-2.5-pro", "gemini"),
        ("any-llm/mistral/mistral-small", "mistral"),
        ("any", "any"),
        ("azure_openai:gpt-5", "azure"),
        ("azure/gpt-5", "azure"),
        ("litellm/azure/my-deployment", "azure"),
        ("azure_ai:gpt-5", "azure"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "bedrock"),
        ("meta.llama3-1-70b-instruct-v1:0", "bedrock"),
        ("arn:aws:bedrock:us-east-1:1:application-inference-profile/x", "bedrock"),
        ("vertex_ai/claude-sonnet-4-5", "anthropic"),
        ("vertex_ai/gemini-2.5-pro", "vertexai"),
        ("ft:gpt-4o:acme::1", "openai"),
        ("litellm:groq/llama", "groq"),
    ],
)
def test_a_model_is_known_by_the_names_that_frameworks_take(name: str, dialect: str) -> None:
    assert dialect_named(name).name == dialect


def test_every_dialect_is_known_by_its_own_name() -> None:
    assert [dialect_named(each.name) for each in DIALECTS] == [*DIALECTS]


def test_a_description_that_azure_would_refuse_is_cut_with_a_mark() -> None:
    schema = convert({"type": "object", "properties": {"a": {"type": "string"}}})
    long = "A sentence. " * 200
    for name in ("azure", "azure-responses"):
        told = dialect_named(name).described(schema, long)
        assert len(told) <= 1_024
        assert told.endswith("[…]")
    assert dialect_named("openai").described(schema, long) == long


def test_an_unknown_name_is_refused_with_the_nearest_one() -> None:
    assert find_dialect("gemeni") is None
    assert find_dialect("qwen2.5-coder") is None
    with pytest.raises(ConfigError, match="did you mean 'gemini'"):
        dialect_named("gemeni")
    with pytest.raises(ConfigError, match="name of a provider or of a model, not an int"):
        Options(model=3)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_a_provider_that_takes_no_digit_at_the_beginning_of_a_name_is_given_another() -> None:
    specs = [ToolSpec(ToolRef("s", name), name, name, "", {"type": "object"}) for name in ("2fa", "-x", "ok")]
    servers = {"s": Stdio("true", name="s")}
    assert [each.name for each in named(specs, servers)] == ["2fa", "-x", "ok"]
    gemini = dialect_named("gemini").names
    assert [each.name for each in named(specs, servers, (), gemini)] == ["_2fa", "_-x", "ok"]


def test_no_two_dialects_have_one_name() -> None:
    names = [name for dialect in DIALECTS for name in (dialect.name, *dialect.also)]
    assert len(names) == len(set(names))
