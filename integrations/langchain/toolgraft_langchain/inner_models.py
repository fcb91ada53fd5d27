"""The chat models that a runnable reaches: bound, in a chain, with fallbacks, or configured later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from langchain_core.language_models import BaseLanguageModel
from langchain_core.runnables import RunnableConfig, RunnableSequence, RunnableWithFallbacks
from langchain_core.runnables.base import RunnableBindingBase
from langchain_core.runnables.configurable import DynamicRunnable

_DEEPEST: Final = 20


@dataclass(frozen=True, slots=True)
class Reached:
    """One model that a request may go to.

    Attributes:
        model: It, or its name where it is made only when it is called.
        bound: What is sent to it with each request.
    """

    model: object
    bound: Mapping[str, Any] = field(default_factory=dict[str, Any])


def models_in(runnable: object, config: RunnableConfig | None = None) -> Sequence[Reached]:
    """Tell which models a runnable's requests may go to.

    Args:
        runnable: A chat model, or what was made of one.
        config: Of the run, where there is one: what `init_chat_model` makes with fields to configure is told by it.
    """
    return list(_models(Reached(runnable), config, _DEEPEST))


def _models(at: Reached, config: RunnableConfig | None, deep: int) -> Iterator[Reached]:
    for inner in _within(at, config) if deep else ():
        if inner is at:
            yield at
        else:
            yield from _models(inner, config, deep - 1)


def _within(at: Reached, config: RunnableConfig | None) -> Sequence[Reached]:
    """What one runnable passes its requests to; itself where it is a model."""
    held = at.model
    named = _configured_name(held, config)  # before anything is asked of it: that would make the model
    if named is not None:
        return [replace(at, model=named)] if named else []
    if isinstance(held, BaseLanguageModel):
        return [at]
    if isinstance(held, RunnableBindingBase):
        binding = cast("RunnableBindingBase[Any, Any]", held)
        return [Reached(binding.bound, {**at.bound, **binding.kwargs})]
    if isinstance(held, RunnableWithFallbacks):
        several = cast("RunnableWithFallbacks[Any, Any]", held)
        return [replace(at, model=each) for each in (several.runnable, *several.fallbacks)]
    if isinstance(held, RunnableSequence):  # a prompt before it, a parser after it
        steps = cast("RunnableSequence[Any, Any]", held).steps
        return [replace(at, model=step) for step in steps if _is_with_model(step)]
    if isinstance(held, DynamicRunnable):
        return [replace(at, model=_bound_by(cast("DynamicRunnable[Any, Any]", held)))]
    return [at]


def _is_with_model(step: object) -> bool:
    return any(isinstance(found.model, BaseLanguageModel | str) for found in models_in(step))


def _bound_by(held: DynamicRunnable[Any, Any]) -> object:
    """The one that tools are bound to: what it was configured to be; a run's config comes too late for that."""
    try:
        return held.prepare()[0]
    except Exception:  # an alternative that there is not, a key that is missing: the call will say so
        return held.default


def _configured_name(model: object, config: RunnableConfig | None) -> str | None:
    """The name in a model of `init_chat_model` whose fields are configured later; it has no class of its own."""
    own = vars(model) if type(model).__name__ == "_ConfigurableModel" else {}
    if "_default_config" not in own:
        return None
    fields, prefix = own["_configurable_fields"], str(own["_config_prefix"])
    told: dict[str, Any] = dict(own["_default_config"])
    for key, value in (config or {}).get("configurable", {}).items():
        name = str(key).removeprefix(prefix)
        if str(key).startswith(prefix) and (fields == "any" or name in fields):
            told[name] = value
    named, provider = str(told.get("model") or ""), told.get("model_provider")
    return f"{provider}:{named}" if named and provider else named
