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
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from toolgraft.content import payload
from toolgraft.dialects import PORTABLE, Dialect, Place

from toolgraft_langchain.output import WHOLE_AT
from toolgraft_langchain.standard_blocks import Block, standard


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
    if message.status == "error" and dialect.text_errors:
        dialect = _by_user_alone(dialect)
    for block in named_for(cast("list[Any]", message.content), dialect, message.tool_call_id):
        kept, elsewhere = _apart(block, dialect)
        content.append(kept)
        moved += elsewhere
    if content == message.content:
        return message, []
    named = [_text(f"From tool call {message.tool_call_id}:")] if moved else []
    return message.model_copy(update={"content": _as_text(content)}), [*named, *moved]


def _by_user_alone(dialect: Dialect) -> Dialect:
    files = dialect.files | dialect.user_files
    return replace(dialect, pictures="user", files=frozenset(), user_files=files)


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
    given: Block = cast("Block", block) if isinstance(block, dict) else {}
    if not given or (dialect == PORTABLE and given.get("type") != "file"):  # nobody knows what else its package takes
        return cast("object", block), []
    medium = standard(given)
    match _place(medium, dialect):
        case "tool":
            return cast("object", block), []
        case "user":
            return _text(f"[{_about(medium)}: see the user message that follows]"), [_of_user(medium, dialect)]
        case _:
            return _text(f"[{_about(medium)}: not shown, its bytes are in {WHOLE_AT}]"), []


def _place(medium: Block, dialect: Dialect) -> Place:
    match medium.get("type"):
        case "image" if dialect.pictures == "user" and not ("base64" in medium or "url" in medium):
            return "nowhere"  # it is known to one provider by an id
        case "image":
            return dialect.pictures
        case "file":
            kind = str(medium.get("mime_type"))
            return "tool" if kind in dialect.files else "user" if kind in dialect.user_files else "nowhere"
        case "audio" | "video":
            return "tool" if dialect.pictures == "tool" else "nowhere"
        case _:
            return "tool"


def _of_user(block: Block, dialect: Dialect) -> dict[str, Any]:
    """A block of a message of the user, in a shape that the provider's package reads."""
    if block["type"] == "image" and dialect.name not in _OPENS_IMAGE_URLS:
        url = f"data:{block.get('mime_type')};base64,{block['base64']}" if "base64" in block else block["url"]
        return {"type": "image_url", "image_url": {"url": url}}
    return dict(block)


_OPENS_IMAGE_URLS: Final = frozenset({"vertexai"})
"""Providers whose package opens the picture in an `image_url`, and raises where it is broken."""


_WORDS: Final = {"image": "picture", "file": "file", "audio": "audio", "video": "video"}


def _about(block: Block) -> str:
    what = _WORDS[str(block["type"])]
    name = f" '{block['filename']}'" if block.get("filename") else ""
    kind = block.get("mime_type")
    size = f", {payload.size(str(block['base64'])):,} bytes" if "base64" in block else ""
    return f"{what}{name}{f': {kind}' if kind else ''}{size}"


def _as_text(content: list[Any]) -> Any:
    """One string where there is nothing but text: some models take no list."""
    texts = [_text(each) if isinstance(each, str) else cast("Block", each) for each in content]
    if all(each.get("type") == "text" for each in texts):
        return "\n\n".join(str(each.get("text", "")) for each in texts)
    return content


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
