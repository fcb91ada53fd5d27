"""Which provider a model of the Agents SDK belongs to, and what reaches it by the API that the SDK speaks with it.

Only the Responses API carries pictures and files in a tool's output. A model that is reached by messages in the shape
of Chat Completions, also by way of LiteLLM or any-llm, gets text there, whatever its provider would take.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias, cast

from agents import Model, OpenAIChatCompletionsModel, OpenAIProvider, OpenAIResponsesModel
from openai import AsyncOpenAI
from toolgraft.config.takes import named
from toolgraft.dialects import (
    BY_RESPONSES,
    PORTABLE,
    Dialect,
    as_chat,
    close_to,
    dialect_at,
    dialect_named,
    find_dialect,
)
from toolgraft.errors import ConfigError

AnyModel: TypeAlias = "str | Model | Dialect"
"""A model as `Agent(model=...)` takes it, the name of a provider, or a dialect."""

OPENAI: Final = dialect_named("openai")
OPENAI_CHAT: Final = dialect_named("openai-chat")
OPENAI_COMPATIBLE: Final = dialect_named("openai-compatible")
GEMINI: Final = dialect_named("gemini")

_DEEPEST: Final = 10


def dialect_of(model: AnyModel) -> Dialect:
    """Tell what a model takes.

    Args:
        model: What `Agent(model=...)` takes: a name (`"gpt-5"`, `"litellm/anthropic/claude-sonnet-4-5"`) or a `Model`,
            also one that wraps another; the name of a provider (`"gemini"`); or a dialect.

    Returns:
        The provider's dialect, as far as the API carries it that the SDK reaches the model by; `PORTABLE` for a `Model`
        of a kind that is not known.

    Raises:
        ConfigError: It is no model, no name, or the misspelt name of a provider.
    """
    if isinstance(model, Dialect):
        return model
    if isinstance(model, str):
        return _by_name(model)
    if isinstance(model, Model):  # pyright: ignore[reportUnnecessaryIsInstance]
        return _by_object(model, _DEEPEST)
    raise ConfigError(f"model is a model of the Agents SDK, made, or a name, not {named(model)}")


def _as_any_llm(dialect: Dialect) -> Dialect:
    """What is left of a dialect by way of any-llm's messages."""
    chat = as_chat(dialect)
    return replace(chat, redraw=_carried_by_any_llm) if dialect.name in ("gemini", "vertexai") else chat


def _carried_by_any_llm(form: dict[str, Any]) -> dict[str, Any]:
    """Gemini's form; any-llm carries a schema that has definitions whole, of any other one type of each argument."""
    return {**GEMINI.redraw(form), "$defs": {}}


def _by_name(name: str) -> Dialect:
    router, _, routed = name.strip().partition("/")
    if router == "any-llm":
        return _as_any_llm(_named(routed))
    if router == "litellm":
        return as_chat(_named(routed))
    dialect = _named(name)
    if dialect is OPENAI_COMPATIBLE and find_dialect(name) is None:  # a deployment's name: whose it is nobody can tell
        return PORTABLE if _responses_by_default() else dialect
    if dialect is PORTABLE:
        return dialect
    if dialect is OPENAI:
        return OPENAI if _responses_by_default() or "responses" in name.casefold() else OPENAI_CHAT
    return as_chat(dialect)


def _named(name: str) -> Dialect:
    """The dialect of a name; the SDK, LiteLLM and any-llm take names of more providers than are known here."""
    found = find_dialect(name)
    return OPENAI_COMPATIBLE if found is None and name.strip() and close_to(name) is None else dialect_named(name)


def _responses_by_default() -> bool:
    """Whether the SDK reaches a model by Responses that is given by name: it is asked for one, and sends nothing."""
    nobody = cast("AsyncOpenAI", object())
    return not isinstance(OpenAIProvider(openai_client=nobody).get_model("gpt-5"), OpenAIChatCompletionsModel)


def _by_object(model: Model, deep: int) -> Dialect:
    if isinstance(model, OpenAIChatCompletionsModel):
        return as_chat(dialect_at(_endpoint(model), model.model))
    if isinstance(model, OpenAIResponsesModel):
        dialect = dialect_at(_endpoint(model), model.model)
        if dialect is OPENAI_COMPATIBLE:
            return PORTABLE
        return dialect if dialect in BY_RESPONSES else as_chat(dialect)
    for kind in type(model).__mro__:
        if kind.__module__.startswith("agents.extensions.models.") and kind.__name__ in _OF_EXTENSIONS:
            return _OF_EXTENSIONS[kind.__name__](model)
    inner = [held for held in getattr(model, "__dict__", {}).values() if isinstance(held, Model)]
    return _by_object(inner[0], deep - 1) if len(inner) == 1 and deep else PORTABLE


def _of_litellm(model: Any) -> Dialect:
    return as_chat(dialect_at(str(model.base_url or ""), str(model.model)))


def _of_any_llm(model: Any) -> Dialect:
    dialect = dialect_at(str(model.base_url or ""), str(model.model))
    return dialect if dialect in BY_RESPONSES and model.api == "responses" else _as_any_llm(dialect)


_OF_EXTENSIONS: Final[Mapping[str, Callable[[Any], Dialect]]] = {
    "LitellmModel": _of_litellm,
    "AnyLLMModel": _of_any_llm,
}
"""By the class of a model whose package may not be installed."""


def _endpoint(model: OpenAIResponsesModel | OpenAIChatCompletionsModel) -> str:
    """The address that a model's requests go to, which it keeps to itself."""
    return str(getattr(getattr(model, "_client", None), "base_url", ""))
