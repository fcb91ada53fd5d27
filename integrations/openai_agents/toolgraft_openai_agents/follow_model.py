"""Agents of several models with one tool list: each request brings the tools as its model takes them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, overload
from weakref import WeakValueDictionary

from agents import Handoff, Model, ModelProvider, ModelSettings, MultiProvider, Tool
from agents.agent_output import AgentOutputSchemaBase
from agents.items import ModelResponse, TResponseInputItem, TResponseStreamEvent
from agents.models.interface import ModelTracing
from agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest
from openai.types.responses.response_prompt_param import ResponsePromptParam
from toolgraft.config.takes import named
from toolgraft.dialects import Dialect
from toolgraft.errors import ConfigError

from toolgraft_openai_agents.followed import Followed
from toolgraft_openai_agents.for_model import drawn_for, is_named_for, warn_of
from toolgraft_openai_agents.media import items_for
from toolgraft_openai_agents.models import dialect_of


@overload
def follow_model(followed: Model) -> Model: ...
@overload
def follow_model(followed: ModelProvider | None = None) -> ModelProvider: ...
def follow_model(followed: Model | ModelProvider | None = None) -> Model | ModelProvider:
    """Make a model, or a provider of models, whose requests bring tools and pictures as each model takes them.

        Runner.run(agent, "…", run_config=RunConfig(model_provider=follow_model()))  # agents whose models are names
        Agent(name="Reader", model=follow_model(LitellmModel("anthropic/claude-sonnet-4-5")), tools=tools)

    Agents that hand off to agents of other models may so have one list of tools. Each request is given the tools in
    its model's own form, and pictures and files of tool outputs where that model reads them: in the output, in an item
    of the user after it, or as a sentence. Only what is sent changes: history, sessions and tools stay as they are.

    Args:
        followed: The model, or the provider of models that agents have by name; by default the SDK's own provider.

    Raises:
        ConfigError: It is neither.
    """
    if isinstance(followed, FollowedModel | FollowedProvider):
        return followed
    if isinstance(followed, Model):
        return FollowedModel(followed, Drawing())
    return FollowedProvider(MultiProvider() if followed is None else _provider(followed))


def _provider(given: object) -> ModelProvider:
    if isinstance(given, ModelProvider):
        return given
    raise ConfigError(f"follow_model takes a model or a provider of models, not {named(given)}")


class Drawing:
    """Requests as their models take them. That a tool is left out is said once."""

    def __init__(self) -> None:
        self._said: set[tuple[str, Dialect]] = set()

    def tools(self, tools: list[Tool], dialect: Dialect) -> list[Tool]:
        """Give the tools of one request."""
        return [drawn_for(tool, dialect) for tool in tools if self._has_room(tool, dialect)]

    def _has_room(self, tool: Tool, dialect: Dialect) -> bool:
        if is_named_for(tool, dialect):
            return True
        if (tool.name, dialect) not in self._said:
            self._said.add((tool.name, dialect))
            warn_of(tool, dialect)
        return False


class FollowedModel(Followed, Model):
    """A model that is given each request as it takes it; in all else it is the model that it stands for."""

    def __init__(self, model: Model, drawing: Drawing) -> None:
        self._followed = model
        self._drawing = drawing

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None,
        conversation_id: str | None,
        prompt: ResponsePromptParam | None,
    ) -> ModelResponse:
        """See `Model`."""
        items, drawn = self._drawn(input, tools)
        return await self._followed.get_response(
            system_instructions,
            items,
            model_settings,
            drawn,
            output_schema,
            handoffs,
            tracing,
            previous_response_id=previous_response_id,
            conversation_id=conversation_id,
            prompt=prompt,
        )

    def stream_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None,
        conversation_id: str | None,
        prompt: ResponsePromptParam | None,
    ) -> AsyncIterator[TResponseStreamEvent]:
        """See `Model`."""
        items, drawn = self._drawn(input, tools)
        return self._followed.stream_response(
            system_instructions,
            items,
            model_settings,
            drawn,
            output_schema,
            handoffs,
            tracing,
            previous_response_id=previous_response_id,
            conversation_id=conversation_id,
            prompt=prompt,
        )

    def get_retry_advice(self, request: ModelRetryAdviceRequest) -> ModelRetryAdvice | None:
        """See `Model`."""
        return self._followed.get_retry_advice(request)

    async def close(self) -> None:
        """See `Model`."""
        await self._followed.close()

    async def _cleanup_on_run_end(self, owner: object) -> None:
        await self._followed._cleanup_on_run_end(owner)  # pyright: ignore[reportPrivateUsage]

    def _drawn(
        self, given: str | list[TResponseInputItem], tools: list[Tool]
    ) -> tuple[str | list[TResponseInputItem], list[Tool]]:
        dialect = dialect_of(self._followed)
        items = given if isinstance(given, str) else items_for(given, dialect)
        return items, self._drawing.tools(tools, dialect)

    if not TYPE_CHECKING:  # the SDK asks some models for more than the interface tells, and for their kind

        def __getattr__(self, name):
            return _of_followed(self, name)

        @property
        def __class__(self):
            return type(vars(self).get("_followed", self))


class FollowedProvider(Followed, ModelProvider):
    """A provider whose models are given each request as they take it; in all else it is the one that it stands for."""

    def __init__(self, provider: ModelProvider) -> None:
        self._followed = provider
        self._drawing = Drawing()
        self._made: WeakValueDictionary[int, FollowedModel] = WeakValueDictionary()

    def get_model(self, model_name: str | None) -> Model:
        """Give the model of a name; for the same model it is the same one, since the SDK tells them apart so."""
        model = self._followed.get_model(model_name)
        if isinstance(model, FollowedModel):
            return model
        made = self._made.get(id(model))
        if made is None:
            made = self._made[id(model)] = FollowedModel(model, self._drawing)
        return made

    async def aclose(self) -> None:
        """See `ModelProvider`."""
        await self._followed.aclose()

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            return _of_followed(self, name)


def _of_followed(following: FollowedModel | FollowedProvider, name: str) -> Any:
    followed = vars(following).get("_followed")  # not there yet while a copy or a pickle is made
    if followed is None or name.startswith("__"):
        raise AttributeError(name)
    return getattr(followed, name)
