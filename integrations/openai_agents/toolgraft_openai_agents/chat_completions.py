"""Pictures for models reached by Chat Completions, where a tool's message takes text only.

    RunConfig(call_model_input_filter=PicturesAsUserItems())

The SDK drops pictures and files of tool outputs on the way to such a model. With this filter, they follow as an item
of the user. Only what one model call is sent changes: the run's own history stays as it is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Final, TypeAlias, cast

from agents.run_config import CallModelData, ModelInputData

Filter: TypeAlias = Callable[[CallModelData[Any]], "ModelInputData | Awaitable[ModelInputData]"]
"""A `RunConfig.call_model_input_filter`."""

_MEDIA: Final = {"input_image": "picture", "input_file": "file"}


@dataclass(frozen=True)
class PicturesAsUserItems:
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
    kept: list[Any] = []
    media: list[Any] = []
    for item in items:
        if media and not _is_output(item):
            kept.append(_user_item(media))
            media = []
        parts = _parts(item)
        moved = [part for part in parts if part.get("type") in _MEDIA]
        if not moved:
            kept.append(item)
            continue
        call = str(item.get("call_id"))
        kept.append({**item, "output": _without_media(parts, moved)})
        media += [{"type": "input_text", "text": f"From tool call {call}:"}, *moved]
    return [*kept, _user_item(media)] if media else kept


def _is_output(item: Any) -> bool:
    return isinstance(item, dict) and str(cast("dict[str, Any]", item).get("type")) == "function_call_output"


def _parts(item: Any) -> list[dict[str, Any]]:
    output = cast("dict[str, Any]", item).get("output") if _is_output(item) else None
    listed = cast("list[object]", output) if isinstance(output, list) else []
    return [cast("dict[str, Any]", part) for part in listed if isinstance(part, dict)]


def _without_media(parts: list[dict[str, Any]], moved: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = ", ".join(_MEDIA[str(part["type"])] for part in moved)
    note = {"type": "input_text", "text": f"[{len(moved)} attached ({names}): see the user message that follows]"}
    return [*(part for part in parts if part.get("type") not in _MEDIA), note]


def _user_item(content: list[Any]) -> dict[str, Any]:
    return {"role": "user", "content": content}
