"""Which provider a LangChain model belongs to, and what that model takes of pictures and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from langchain_core.runnables import Runnable, RunnableConfig
from toolgraft.config.takes import named
from toolgraft.dialects import PORTABLE, Dialect, as_chat, dialect_at, dialect_named, find_dialect, on_azure
from toolgraft.errors import ConfigError

from toolgraft_langchain.inner_models import Reached, models_in

OPENAI: Final = dialect_named("openai")
OPENAI_CHAT: Final = dialect_named("openai-chat")


def dialect_of(model: object, config: RunnableConfig | None = None) -> Dialect:
    """Tell what a model takes.

    Args:
        model: A chat model, also one that was bound, stands in a chain, or has fallbacks; a name as of
            `init_chat_model` (`"openai:gpt-5"`); the name of a provider; or a dialect.
        config: The config of a run, for models of `init_chat_model` that are configured by it.

    Returns:
        The provider's dialect, for what that model is known to take; `PORTABLE` for a model of another package.

    Raises:
        ConfigError: It is no model, or a name that is not known.
    """
    if isinstance(model, Dialect):
        return model
    if isinstance(model, str):
        return _by_name(model)
    if isinstance(model, type):
        raise ConfigError(f"model is a chat model or its name, not the class {model.__name__}: call it")
    if not isinstance(model, Runnable):
        raise ConfigError(f"model is a chat model or its name, not {named(model)}; leave it out where none is known")
    found = [_of(each) for each in models_in(cast("object", model), config)]
    return _for_all(found) if found else PORTABLE


def _of(reached: Reached) -> Dialect:
    if isinstance(reached.model, str):
        return _by_name(reached.model) if find_dialect(reached.model) else PORTABLE
    return _as_profiled(_by_class(reached), reached.model)


def _for_all(dialects: Sequence[Dialect]) -> Dialect:
    """What every one of several models takes, for nobody knows which one a call goes to."""
    if all(each == dialects[0] for each in dialects):
        return dialects[0]
    least = min((each.pictures for each in dialects), key=("nowhere", "user", "tool").index)
    files = frozenset[str].intersection(*(each.files for each in dialects))
    user_files = frozenset[str].intersection(*(each.user_files | each.files for each in dialects))
    return replace(
        PORTABLE,
        pictures=least,
        files=files,
        user_files=user_files if least != "nowhere" else files,
        plain_file_names=any(each.plain_file_names for each in dialects),
        between=next((each.between for each in dialects if each.between), ""),
    )


def _by_name(name: str) -> Dialect:
    provider, _, rest = name.partition(":")
    if provider.strip().casefold() in ("openai", "azure_openai"):
        dialect = OPENAI if _by_responses(rest) else OPENAI_CHAT
        return dialect if provider.strip().casefold() == "openai" else on_azure(dialect)
    dialect = dialect_named(name)
    return OPENAI_CHAT if dialect is OPENAI and not _says_responses(name) else dialect


def _says_responses(name: str) -> bool:
    return "responses" in name.casefold() or _by_responses(name)


def _by_responses(model_name: str) -> bool:
    """Whether `ChatOpenAI` reaches a model of that name by the Responses API; asked of it where it is installed."""
    try:
        from langchain.chat_models import init_chat_model

        return bool(model_name) and _uses_responses(init_chat_model(f"openai:{model_name}", api_key="unused"), {})
    except ImportError:
        return False


def _uses_responses(model: object, bound: Mapping[str, Any]) -> bool:
    """Whether requests with tools go to the Responses API; `ChatOpenAI` decides that by a method of its own."""
    asked = getattr(model, "_use_responses_api", None)
    return bool(callable(asked) and asked({**bound, "tools": [*bound.get("tools", ()), {"type": "function"}]}))


def _by_class(reached: Reached) -> Dialect:
    model = reached.model
    for kind in type(model).__mro__:
        package = kind.__module__.partition(".")[0]
        if not package.startswith("langchain_"):
            continue
        if "Anthropic" in kind.__name__:  # also by Google's and Amazon's packages
            return dialect_named("anthropic")
        dialect = find_dialect(package)
        if dialect is OPENAI:
            return _by_openai(reached)
        if package == "langchain_litellm":
            return as_chat(dialect_at("", _name(model)))
        if dialect is not None:
            return dialect
    return PORTABLE


def _by_openai(reached: Reached) -> Dialect:
    """Tell whose model it is that the package of OpenAI reaches: many providers speak as OpenAI does."""
    model = reached.model
    dialect = OPENAI if _uses_responses(model, reached.bound) else OPENAI_CHAT
    if any("Azure" in kind.__name__ for kind in type(model).__mro__):
        return on_azure(dialect)
    address = _address(model)
    return as_chat(dialect_at(address, _name(model))) if address and dialect is OPENAI_CHAT else dialect


def _name(model: object) -> str:
    return str(getattr(model, "model_name", None) or getattr(model, "model", None) or "")


def _address(model: object) -> str:
    """Where requests go; the package keeps what was told it, and its client what the environment said."""
    client = getattr(model, "root_client", None)
    return str(getattr(client, "base_url", None) or getattr(model, "openai_api_base", None) or "")


def _as_profiled(dialect: Dialect, model: object) -> Dialect:
    """Hold a dialect to what a model's own profile says that it cannot take."""
    profile = cast("Mapping[str, Any]", getattr(model, "profile", None) or {})
    if profile.get("image_inputs") is False:
        dialect = replace(dialect, pictures="nowhere")
    if profile.get("image_tool_message") is False and dialect.pictures == "tool":
        dialect = replace(dialect, pictures="user")
    if profile.get("pdf_inputs") is False:
        dialect = replace(dialect, files=frozenset(), user_files=frozenset())
    return dialect
