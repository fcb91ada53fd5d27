"""Prompts and resources of servers as input items of the Agents SDK."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, cast

from agents import TResponseInputItem
from toolgraft.config import Limits
from toolgraft.context import FilledPrompt, ResourceContents
from toolgraft.context.said import Said, said_in
from toolgraft.result import Image, Text, ToolResult
from toolgraft.shown import ShownPart, file_name, for_model

from toolgraft_openai_agents.output import FILES

_USUAL: Final = Limits()
_WHOLE_AT: Final = "the resource"


def prompt_items(
    prompt: FilledPrompt, *, limits: Limits = _USUAL, files: Collection[str] = FILES
) -> list[TResponseInputItem]:
    """Give a prompt as input items.

        prompt = await tools.toolbox.prompt("docs", "summarize", {"topic": "MCP"})
        await Runner.run(agent, prompt_items(prompt))

    What an assistant's message has beside text stands in the user's next item, after a line that says so. It is no
    `Agent(prompt=...)`: that is one that OpenAI keeps.

    Args:
        prompt: What `toolbox.prompt(...)` gave.
        limits: How much of each message is shown.
        files: Media types of files that the model takes in an item of the user; others are told in a sentence.
    """
    return [_item(each) for each in said_in(prompt, limits, frozenset(files))]


def resource_items(
    contents: ResourceContents, *, limits: Limits = _USUAL, files: Collection[str] = FILES
) -> list[TResponseInputItem]:
    """Give what stands in a resource as one input item of the user, after a line that names it.

    Args:
        contents: What `toolbox.resource(...)` gave.
        limits: How much of it is shown.
        files: As for `prompt_items`.
    """
    result = ToolResult(contents.parts)
    shown = for_model(result, limits, name="resource", files=frozenset(files), whole_at=_WHOLE_AT)
    named = Text(f"[Resource {contents.uri} of the MCP server {contents.server}]")
    return [cast("TResponseInputItem", {"role": "user", "content": _content([named, *shown.parts])})]


def _item(said: Said) -> TResponseInputItem:
    if said.role == "assistant":
        return cast("TResponseInputItem", {"role": "assistant", "content": said.shown.text})
    parts = said.shown.parts
    only_text = all(isinstance(part, Text) for part in parts)
    content: Any = said.shown.text if only_text else _content(parts)
    return cast("TResponseInputItem", {"role": "user", "content": content})


def _content(parts: Sequence[ShownPart]) -> list[dict[str, Any]]:
    return [_part(part) for part in parts]


def _part(part: ShownPart) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "input_text", "text": part.text}
    url = f"data:{part.mime_type};base64,{part.data}"
    if isinstance(part, Image):
        return {"type": "input_image", "image_url": url, "detail": "auto"}
    return {"type": "input_file", "filename": file_name(part), "file_data": url}
