"""Whose a model is by the address that requests go to, and what Chat Completions leaves of what it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Final
from urllib.parse import SplitResult, urlsplit

from toolgraft.dialects.azure import AZURE, AZURE_RESPONSES
from toolgraft.dialects.compatible import OPENAI_COMPATIBLE
from toolgraft.dialects.dialect import Dialect, Place
from toolgraft.dialects.known import dialect_named, find_dialect
from toolgraft.dialects.openai import OPENAI, OPENAI_CHAT

BY_RESPONSES: Final[Mapping[Dialect, Dialect]] = {OPENAI: OPENAI_CHAT, AZURE_RESPONSES: AZURE}
"""What is spoken by Responses, and the same by Chat Completions."""

_PORT_OF_OLLAMA: Final = 11434

_HOSTS: Final = {
    "*api.openai.com": "openai",
    "*.openai.azure.com": "azure-responses",
    "*.services.ai.azure.com": "azure-responses",
    "api.anthropic.com": "anthropic",
    "generativelanguage.googleapis.com": "gemini",
    "*aiplatform.googleapis.com": "vertexai",
    "bedrock*.amazonaws.com": "bedrock",
    "api.mistral.ai": "mistral",
    "api.groq.com": "groq",
    "*api.x.ai": "xai",
    "api.deepseek.com": "deepseek",
    "api.cohere.*": "cohere",
    "api.fireworks.ai": "fireworks",
}
"""By the pattern of a host's name: of whom it is."""


def dialect_at(base_url: str, model: str) -> Dialect:
    """Tell whose model it is: its provider's by the address; behind any other address, by its name alone.

    Args:
        base_url: The address that requests go to; empty for the provider's own.
        model: The model's name there.
    """
    address = _split(base_url)
    host = address.hostname or ""
    for pattern, provider in _HOSTS.items():
        if fnmatchcase(host, pattern):
            return dialect_named(provider)
    if _port_of(address) == _PORT_OF_OLLAMA:
        return dialect_named("ollama")
    return find_dialect(model.removeprefix("openai/") if host else model) or OPENAI_COMPATIBLE


def _split(base_url: str) -> SplitResult:
    try:
        return urlsplit(base_url)
    except ValueError:
        return urlsplit("")


def _port_of(address: SplitResult) -> int | None:
    try:
        return address.port
    except ValueError:
        return None


def as_chat(dialect: Dialect) -> Dialect:
    """What is left of a dialect where messages have the shape of Chat Completions: text alone in a tool's output."""
    if dialect in BY_RESPONSES:
        return BY_RESPONSES[dialect]
    pictures: Place = "nowhere" if dialect.pictures == "nowhere" else "user"
    return replace(dialect, pictures=pictures, files=frozenset(), user_files=dialect.user_files | dialect.files)
