"""Pictures for models reached by Chat Completions, where a tool's message takes text only.

    RunConfig(call_model_input_filter=PicturesAsUserItems())

The SDK drops pictures and files of tool outputs on the way to such a model. With this filter, they follow as an item
of the user. Only what one model call is sent changes: the run's own history stays as it is. `follow_model` does the
same, for what each model reads, and gives it the tools in its own form as well.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, TypeAlias, cast

from agents.run_config import CallModelData, ModelInputData

from toolgraft_openai_agents.followed import Followed
from toolgraft_openai_agents.media import media_moved

Filter: TypeAlias = Callable[[CallModelData[Any]], "ModelInputData | Awaitable[ModelInputData]"]
"""A `RunConfig.call_model_input_filter`."""


@dataclass(frozen=True)
class PicturesAsUserItems(Followed):
    """A `RunConfig.call_model_input_filter` that moves pictures and files of tool outputs into user items.

    Attributes:
        before: Another filter, which runs first.
    """

    before: Filter | None = None

    async def __call__(self, data: CallModelData[Any]) -> ModelInputData:
        """Rewrite the input of one model call."""
        model_data = data.model_data
        if self.before is not None:
            made = self.before(data)
            model_data = await made if isawaitable(made) else made
        items = cast("list[Any]", model_data.input)
        return ModelInputData(input=pictures_as_user_items(items), instructions=model_data.instructions)


def pictures_as_user_items(items: list[Any]) -> list[Any]:
    """Give input items in which pictures and files of tool outputs stand in user items.

    Tool outputs that follow one another stay together, as Chat Completions wants them, and the user item comes
    after the last of them. In the output a line of text says what follows.

    Args:
        items: Input items of a model call. They are not changed.
    """
    return media_moved(items, lambda part: True)
