"""The dialects there are, and which is meant by a name."""

from __future__ import annotations

import difflib
from typing import Final

from toolgraft.dialects.anthropic import ANTHROPIC
from toolgraft.dialects.bedrock import BEDROCK
from toolgraft.dialects.cohere import COHERE
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
    ("grok", XAI),
    ("deepseek", DEEPSEEK),
    ("command", COHERE),
    ("amazon.", BEDROCK),
    ("anthropic.", BEDROCK),
    ("meta.", BEDROCK),
    ("accounts/fireworks", FIREWORKS),
)
"""How the names of models begin; the first that fits."""


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
    close = difflib.get_close_matches(name.casefold(), _BY_NAME, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    known = ", ".join(dialect.name for dialect in DIALECTS)
    raise ConfigError(f"model={name!r}: no provider is known by that name{hint} (known: {known})")


def find_dialect(name: str) -> Dialect | None:
    """Do as `dialect_named` does, and give None for a name of no provider."""
    rest = name.strip().casefold()
    if rest in _BY_NAME:
        return _BY_NAME[rest]
    router, _, routed = rest.partition("/")
    if router in _ROUTERS and routed:
        return find_dialect(routed)
    provider = next((rest.partition(mark)[0] for mark in ":/" if rest.partition(mark)[0] in _BY_NAME), None)
    if provider is not None:
        return _BY_NAME[provider]
    return next((dialect for begins, dialect in _BY_MODEL if rest.startswith(begins)), None)


_ROUTERS: Final = ("litellm", "any-llm", "openrouter")
"""What stands before the provider's name where another package makes the request."""
