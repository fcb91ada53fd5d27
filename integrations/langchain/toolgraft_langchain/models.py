"""Which provider a LangChain model belongs to, and what that model takes of pictures and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from toolgraft.dialects import PORTABLE, Dialect, dialect_named, find_dialect
from toolgraft.errors import ConfigError

_WRAPPERS: Final = ("bound",)
"""Where a model that was bound to tools, or given fallbacks, holds the model itself."""

_DEEPEST: Final = 10


def dialect_of(model: object) -> Dialect:
    """Tell what a model takes.

    Args:
        model: A chat model, also one that was bound or has fallbacks; a name as of `init_chat_model`
            (`"openai:gpt-5"`); the name of a provider; or a dialect.

    Returns:
        The provider's dialect, for what that model is known to take; `PORTABLE` for a model of another package.

    Raises:
        ConfigError: It is a name that is not known.
    """
    if isinstance(model, Dialect):
        return model
    if isinstance(model, str):
        return _by_name(model)
    if isinstance(model, type):
        raise ConfigError(f"model is a chat model or its name, not the class {model.__name__}: call it")
    if name := _configured_name(model):  # before anything is asked of it: it would make the model
        return _known(name)
    if others := cast("Sequence[object]", vars(model).get("fallbacks", ()) if hasattr(model, "__dict__") else ()):
        return _for_all([dialect_of(each) for each in (cast("Any", model).runnable, *others)])
    model = _innermost(model)
    return _as_profiled(_by_class(model), model)


def _known(name: str) -> Dialect:
    try:
        return _by_name(name)
    except ConfigError:
        return PORTABLE


def _for_all(dialects: Sequence[Dialect]) -> Dialect:
    """What every one of several models takes, for nobody knows which one a call goes to."""
    if all(each == dialects[0] for each in dialects):
        return dialects[0]
    least = min((each.pictures for each in dialects), key=("nowhere", "user", "tool").index)
    files = frozenset[str].intersection(*(each.files for each in dialects))
    user_files = frozenset[str].intersection(*(each.user_files | each.files for each in dialects))
    return replace(PORTABLE, pictures=least, files=files, user_files=user_files if least != "nowhere" else files)


def _by_name(name: str) -> Dialect:
    provider, _, rest = name.partition(":")
    if provider.strip().casefold() in ("openai", "azure_openai"):
        return dialect_named("openai-responses" if _by_responses(rest) else "openai-chat")
    dialect = dialect_named(name)
    return dialect_named("openai-chat") if dialect.name == "openai" and not _says_responses(name) else dialect


def _says_responses(name: str) -> bool:
    return "responses" in name.casefold() or _by_responses(name)


def _by_responses(model_name: str) -> bool:
    """Whether `ChatOpenAI` reaches a model of that name by the Responses API; asked of it where it is installed."""
    try:
        from langchain.chat_models import init_chat_model

        return bool(model_name) and _uses_responses(init_chat_model(f"openai:{model_name}", api_key="unused"))
    except ImportError:
        return False


def _uses_responses(model: object) -> bool:
    """Whether requests with tools go to the Responses API; `ChatOpenAI` decides that by a method of its own."""
    asked = getattr(model, "_use_responses_api", None)
    return bool(callable(asked) and asked({"tools": [{"type": "function"}]}))


def _innermost(model: object) -> object:
    for _ in range(_DEEPEST):
        inner = next((held for name in _WRAPPERS if (held := getattr(model, name, None)) is not None), None)
        if inner is None:
            break
        model = inner
    return model


def _configured_name(model: object) -> str:
    """The name in a model of `init_chat_model` whose fields are configured later; it has no class of its own."""
    config = cast("Mapping[str, Any]", vars(model).get("_default_config", {}) if hasattr(model, "__dict__") else {})
    named = str(config.get("model") or "")
    provider = config.get("model_provider")
    return f"{provider}:{named}" if named and provider else named


def _by_class(model: object) -> Dialect:
    for kind in type(model).__mro__:
        package = kind.__module__.partition(".")[0]
        if "Anthropic" in kind.__name__ and package.startswith("langchain_"):  # also by Google's and Amazon's packages
            return dialect_named("anthropic")
        dialect = find_dialect(package) if package.startswith("langchain_") else None
        if dialect is not None and dialect.name == "openai":
            return dialect if _uses_responses(model) else dialect_named("openai-chat")
        if dialect is not None:
            return dialect
    return PORTABLE


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
