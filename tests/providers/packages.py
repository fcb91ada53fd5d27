"""The packages that are asked: how each one's chat model is made so that it sends to an endpoint of ours."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tests.providers.argument_names import ALL

KEY: Final = "no-secret"

AWS: Final = {"AWS_DEFAULT_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": KEY}


@dataclass(frozen=True)
class Package:
    """One package and the chat model that is asked.

    Attributes:
        module: What is imported.
        model: Class of the chat model.
        dialect: Name of the dialect that its models read.
        options: Arguments of the class, for an endpoint's URL.
        argument: Keywords of an argument below which it carries members.
        within: The same of what is further in.
        root: The same of the root.
    """

    module: str
    model: str
    dialect: str
    options: Callable[[str], dict[str, Any]]
    argument: frozenset[str] = ALL
    within: frozenset[str] = ALL
    root: frozenset[str] = ALL

    def chat_model(self, url: str) -> Any:
        os.environ.update(AWS)
        return getattr(importlib.import_module(self.module), self.model)(**self.options(url))


_OF_GOOGLE: Final = ALL - {"additionalProperties", "prefixItems", "allOf"}
"""The converters of both packages know none of these, but for the first part of an `allOf`."""


_MEMBERS: Final = frozenset({"properties"})


def _vertexai(url: str) -> dict[str, Any]:
    anonymous = importlib.import_module("google.auth.credentials").AnonymousCredentials()
    return {
        "model": "gemini-3-flash",
        "project": "p",
        "location": "us-central1",
        "credentials": anonymous,
        "api_endpoint": url,
        "api_transport": "rest",
        "max_retries": 1,
    }


def _like_openai(model: str, address: str = "base_url", **more: Any) -> Callable[[str], dict[str, Any]]:
    return lambda url: {"model": model, "api_key": KEY, address: url, "max_retries": 0, **more}


PACKAGES: Final = {
    "google-genai": Package(
        "langchain_google_genai",
        "ChatGoogleGenerativeAI",
        "gemini",
        lambda url: {"model": "gemini-3-flash", "google_api_key": KEY, "base_url": url, "max_retries": 1},
        _OF_GOOGLE,
        _OF_GOOGLE,
        _OF_GOOGLE,
    ),
    "google-vertexai": Package(
        "langchain_google_vertexai", "ChatVertexAI", "vertexai", _vertexai, _OF_GOOGLE, _OF_GOOGLE, _OF_GOOGLE
    ),
    "bedrock": Package(
        "langchain_aws",
        "ChatBedrockConverse",
        "bedrock",
        lambda url: {
            "model": "anthropic.claude-sonnet-4-5-20250929-v1:0",
            "region_name": "us-east-1",
            "endpoint_url": url,
        },
    ),
    "anthropic": Package("langchain_anthropic", "ChatAnthropic", "anthropic", _like_openai("claude-sonnet-4-5")),
    "openai chat": Package(
        "langchain_openai", "ChatOpenAI", "openai-chat", _like_openai("gpt-5", use_responses_api=False)
    ),
    "openai responses": Package(
        "langchain_openai", "ChatOpenAI", "openai", _like_openai("gpt-5", use_responses_api=True)
    ),
    "mistralai": Package(
        "langchain_mistralai",
        "ChatMistralAI",
        "mistral",
        lambda url: {"model": "mistral-large-latest", "api_key": KEY, "endpoint": url, "max_retries": 1},
    ),
    "groq": Package("langchain_groq", "ChatGroq", "groq", _like_openai("llama-4-scout")),
    "ollama": Package(
        "langchain_ollama",
        "ChatOllama",
        "ollama",
        lambda url: {"model": "qwen3", "base_url": url},
        frozenset({"items"}),
        root=_MEMBERS,
    ),
    "fireworks": Package(
        "langchain_fireworks",
        "ChatFireworks",
        "fireworks",
        lambda url: {"model": "accounts/fireworks/models/kimi-k2", "api_key": KEY, "base_url": url, "max_retries": 1},
    ),
    "xai": Package("langchain_xai", "ChatXAI", "xai", _like_openai("grok-4", "xai_api_base")),
    "deepseek": Package("langchain_deepseek", "ChatDeepSeek", "deepseek", _like_openai("deepseek-chat", "api_base")),
    "cohere": Package(
        "langchain_cohere",
        "ChatCohere",
        "cohere",
        lambda url: {"model": "command-a-03-2025", "cohere_api_key": KEY, "base_url": url},
        frozenset(),
        root=_MEMBERS,
    ),
}
"""By the name in the tables."""
