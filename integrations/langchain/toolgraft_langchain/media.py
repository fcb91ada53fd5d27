"""Pictures and files of tool messages, where a model reads them.

| a model's provider reads them | what it is sent |
| --- | --- |
| in tool messages | the message as it is |
| in messages of the user only | a line of text in the tool message, and the picture in a message of the user after it |
| nowhere | a line of text in the tool message; the bytes are in its artifact |
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from toolgraft.content import payload
from toolgraft.dialects import Dialect, Place

from toolgraft_langchain.output import WHOLE_AT

Block = Mapping[str, Any]


def messages_for(messages: Sequence[BaseMessage], dialect: Dialect) -> list[BaseMessage]:
    """Give messages whose pictures and files stand where a provider reads them.

    Tool messages that follow one another stay together, and a message of the user with what they brought comes after
    the last of them.

    Args:
        messages: Messages for a model. They are not changed.
        dialect: What its provider takes.
    """
    kept: list[BaseMessage] = []
    waiting: list[dict[str, Any]] = []
    for message in messages:
        if waiting and not isinstance(message, ToolMessage):
            kept += _by_user(waiting, dialect)
            waiting = []
        if isinstance(message, ToolMessage) and not isinstance(message.content, str):
            message, moved = _placed(message, dialect)
            waiting += moved
        kept.append(message)
    return [*kept, *_by_user(waiting, dialect)] if waiting else kept


def _by_user(media: list[dict[str, Any]], dialect: Dialect) -> list[BaseMessage]:
    between = [AIMessage(dialect.between)] if dialect.between else []
    return [*between, HumanMessage(content=cast("list[str | dict[str, Any]]", media))]


def _placed(message: ToolMessage, dialect: Dialect) -> tuple[ToolMessage, list[dict[str, Any]]]:
    """Give a tool message as the provider takes it, and what stands in a message of the user instead."""
    content: list[Any] = []
    moved: list[dict[str, Any]] = []
    for block in named_for(cast("list[Any]", message.content), dialect, message.tool_call_id):
        kept, elsewhere = _apart(block, dialect)
        content.append(kept)
        moved += elsewhere
    if content == message.content:
        return message, []
    named = [_text(f"From tool call {message.tool_call_id}:")] if moved else []
    return message.model_copy(update={"content": _as_text(content)}), [*named, *moved]


def named_for(content: list[Any], dialect: Dialect, tool_call_id: str | None) -> list[Any]:
    """Give blocks whose files have names that a provider takes, each another in the messages of a request."""
    if not dialect.plain_file_names:
        return content
    return [_named(block, f"{tool_call_id}-{at}") for at, block in enumerate(content)]


def _named(block: Any, place: str) -> Any:
    medium: Block = cast("Block", block) if isinstance(block, dict) else {}
    if medium.get("type") != "file":
        return cast("object", block)
    stem = re.sub(r"[^A-Za-z0-9-]+", " ", str(medium.get("filename") or "file").rpartition(".")[0] or "file")
    mark = hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return {**medium, "filename": f"{' '.join(stem.split())[:100] or 'file'} {mark}"}


def _apart(block: Any, dialect: Dialect) -> tuple[Any, list[dict[str, Any]]]:
    """What of one block stays in the tool message, and what stands elsewhere."""
    medium: Block = cast("Block", block) if isinstance(block, dict) else {}
    place = _PLACES.get(str(medium.get("type")))
    if place is None:
        return cast("object", block), []
    match place(medium, dialect):
        case "tool":
            return medium, []
        case "user":
            return _text(f"[{_about(medium)}: see the user message that follows]"), [_of_user(medium, dialect)]
        case _:
            return _text(f"[{_about(medium)}: not shown, its bytes are in {WHOLE_AT}]"), []


def _place_of_picture(block: Block, dialect: Dialect) -> Place:
    return dialect.pictures


def _place_of_file(block: Block, dialect: Dialect) -> Place:
    kind = str(block.get("mime_type"))
    if kind in dialect.files:
        return "tool"
    return "user" if kind in dialect.user_files else "nowhere"


_PLACES: Final[Mapping[str, Callable[[Block, Dialect], Place]]] = {
    "image": _place_of_picture,
    "image_url": _place_of_picture,
    "file": _place_of_file,
}


def _of_user(block: Block, dialect: Dialect) -> dict[str, Any]:
    """A block of a message of the user, in a shape that the provider's package reads."""
    if block["type"] == "image" and "base64" in block and dialect.name not in _OPENS_IMAGE_URLS:
        return {"type": "image_url", "image_url": {"url": f"data:{block.get('mime_type')};base64,{block['base64']}"}}
    return dict(block)


_OPENS_IMAGE_URLS: Final = frozenset({"vertexai"})
"""Providers whose package opens the picture in an `image_url`, and raises where it is broken."""


def _about(block: Block) -> str:
    what = "file" if block["type"] == "file" else "picture"
    name = f" '{block['filename']}'" if block.get("filename") else ""
    kind = block.get("mime_type")
    size = f", {payload.size(str(block['base64'])):,} bytes" if "base64" in block else ""
    return f"{what}{name}{f': {kind}' if kind else ''}{size}"


def _as_text(content: list[Any]) -> Any:
    """One string where there is nothing but text: some models take no list."""
    texts = [cast("Block", each) for each in content if isinstance(each, dict)]
    if len(texts) == len(content) and all(each.get("type") == "text" for each in texts):
        return "\n\n".join(str(each.get("text", "")) for each in texts)
    return content


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
