"""The dialects there are, and which is meant by a name."""

from __future__ import annotations

import difflib
import re
from typing import Final

from toolgraft.dialects.anthropic import ANTHROPIC
from toolgraft.dialects.azure import AZURE, AZURE_RESPONSES
from toolgraft.dialects.bedrock import BEDROCK
from toolgraft.dialects.cohere import COHERE
from toolgraft.dialects.compatible import OPENAI_COMPATIBLE
from toolgraft.dialects.deepseek import DEEPSEEK
from toolgraft.dialects.dialect import Dialect
from toolgraft.dialects.fireworks import FIREWORKS
from toolgraft.dialects.gemini import GEMINI, VERTEXAI
from toolgraft.dialects.groq import GROQ
from toolgraft.dialects.mistral import MISTRAL
from toolgraft.dialects.ollama import OLLAMA
from toolgraft.dialects.openai import OPENAI, OPENAI_CHAT
from toolgraft.dialects.portable import PORTABLE
from toolgraft.dialects.xai import XAI
from toolgraft.errors import ConfigError

DIALECTS: Final = (
    PORTABLE,
    OPENAI,
    OPENAI_CHAT,
    AZURE,
    AZURE_RESPONSES,
    OPENAI_COMPATIBLE,
    ANTHROPIC,
    GEMINI,
    VERTEXAI,
    BEDROCK,
    MISTRAL,
    GROQ,
    XAI,
    DEEPSEEK,
    COHERE,
    OLLAMA,
    FIREWORKS,
)

_BY_NAME: Final = {name: dialect for dialect in DIALECTS for name in (dialect.name, *dialect.also)}

_BY_MODEL: Final = (
    ("gpt-", OPENAI),
    ("chatgpt", OPENAI),
    ("codex-", OPENAI),
    ("o1", OPENAI),
    ("o3", OPENAI),
    ("o4", OPENAI),
    ("claude", ANTHROPIC),
    ("gemini", GEMINI),
    ("mistral", MISTRAL),
    ("ministral", MISTRAL),
    ("magistral", MISTRAL),
    ("codestral", MISTRAL),
    ("pixtral", MISTRAL),
    ("devstral", MISTRAL),
    ("open-mistral", MISTRAL),
    ("grok", XAI),
    ("deepseek", DEEPSEEK),
    ("command", COHERE),
    ("accounts/fireworks", FIREWORKS),
)
"""How the names of models begin; the first that fits."""

_MAKERS: Final = (
    "ai21|amazon|anthropic|cohere|deepseek|google|luma|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|"
    "stability|twelvelabs|writer|zai"
)
_OF_BEDROCK: Final = re.compile(rf"(?:(?:us|us-gov|eu|apac|jp|au|ca|sa|global)\.)?(?:{_MAKERS})\.[a-z]")
"""Models and inference profiles of Amazon Bedrock, e.g. `us.anthropic.claude-…`; `arn:aws:bedrock:…` says so itself."""


def dialect_named(name: str) -> Dialect:
    """Give the dialect of a provider, or of a model by the name that a framework takes.

    Args:
        name: `"gemini"`, `"openai:gpt-5"`, `"litellm/anthropic/claude-sonnet-4-5"`, `"claude-sonnet-4-5"`, `"any"`.

    Raises:
        ConfigError: It is the name of no provider that is known here.
    """
    found = find_dialect(name)
    if found is not None:
        return found
    close = close_to(name)
    hint = f"; did you mean {close!r}?" if close else ""
    known = ", ".join(dialect.name for dialect in DIALECTS)
    raise ConfigError(f"model={name!r}: no provider is known by that name{hint} (known: {known})")


def close_to(name: str) -> str | None:
    """Give the provider's name that another looks like a misspelling of; one with a digit is a model's."""
    provider = re.split("[:/]", name.strip().casefold(), maxsplit=1)[0]
    if any(character.isdigit() for character in provider):
        return None
    return next(iter(difflib.get_close_matches(provider, _BY_NAME, n=1, cutoff=0.75)), None)


def find_dialect(name: str) -> Dialect | None:
    """Do as `dialect_named` does, and give None for a name of no provider."""
    rest = name.strip().casefold().removeprefix("ft:")
    if rest in _BY_NAME:
        return _BY_NAME[rest]
    if rest.startswith("arn:aws") and ":bedrock:" in rest:
        return BEDROCK
    router, _, routed = rest.partition(":" if rest.startswith("litellm:") else "/")
    if router in _ROUTERS and routed and (found := find_dialect(routed)):
        return found
    provider = next((rest.partition(mark)[0] for mark in ":/" if rest.partition(mark)[0] in _BY_NAME), None)
    if provider is not None:
        return _hosted(_BY_NAME[provider], rest[len(provider) + 1 :])
    return BEDROCK if _OF_BEDROCK.match(rest) else _by_model(rest)


def _hosted(provider: Dialect, model: str) -> Dialect:
    """Whose words a provider's model takes: Google's cloud has others' models, by their own APIs."""
    return ANTHROPIC if provider is VERTEXAI and _by_model(model) is ANTHROPIC else provider


def _by_model(name: str) -> Dialect | None:
    return next((dialect for begins, dialect in _BY_MODEL if name.startswith(begins)), None)


_ROUTERS: Final = ("litellm", "any-llm", "openrouter")
"""What stands before the provider's name where another package makes the request."""
