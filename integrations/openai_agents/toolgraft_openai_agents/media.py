"""Pictures and files of tool outputs, where a model reads them.

| a model reads them | what it is sent |
| --- | --- |
| in a tool's output | the output as it is |
| in messages of the user only | a line of text in the output, and the picture in an item of the user after it |
| nowhere | a line of text in the output; the bytes are in the output item's custom data |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

from toolgraft.content import payload
from toolgraft.dialects import Dialect

from toolgraft_openai_agents.output import WHOLE_AT

Part: TypeAlias = dict[str, Any]

_MEDIA: Final = {"input_image": "picture", "input_file": "file"}


def items_for(items: list[Any], dialect: Dialect) -> list[Any]:
    """Give input items whose pictures and files of tool outputs stand where a model reads them.

    Args:
        items: Input items of a model call. They are not changed.
        dialect: What the model takes.
    """
    if dialect.pictures == "tool":
        return items
    return media_moved(items, lambda part: _by_user(part, dialect), dialect.between)


def media_moved(items: list[Any], by_user: Callable[[Part], bool], between: str = "") -> list[Any]:
    """Give input items without pictures and files in tool outputs.

    Tool outputs that follow one another stay together, as Chat Completions wants them, and an item of the user comes
    after the last of them. In the output a line of text says what follows, and what the model is not shown.

    Args:
        items: Input items of a model call. They are not changed.
        by_user: Whether a picture or a file may stand in an item of the user.
        between: What the model says before it, where an item of the user may not follow a tool's output at once.
    """
    kept: list[Any] = []
    waiting: list[Part] = []
    for item in items:
        if waiting and not _is_output(item):
            kept += _user_items(waiting, between)
            waiting = []
        parts = _parts(item)
        media = [part for part in parts if part.get("type") in _MEDIA]
        if not media:
            kept.append(item)
            continue
        moved = [part for part in media if by_user(part)]
        lost = [part for part in media if not by_user(part)]
        kept.append({**item, "output": [*_others(parts), *_attached(moved), *map(_not_shown, lost)]})
        if moved:
            waiting += [_text(f"From tool call {item.get('call_id')}:"), *moved]
    return [*kept, *_user_items(waiting, between)] if waiting else kept


def _by_user(part: Part, dialect: Dialect) -> bool:
    if part["type"] == "input_image":
        return dialect.pictures == "user"
    return _media_type(part) in dialect.user_files


def _is_output(item: Any) -> bool:
    return isinstance(item, dict) and str(cast("Part", item).get("type")) == "function_call_output"


def _parts(item: Any) -> list[Part]:
    output = cast("Part", item).get("output") if _is_output(item) else None
    listed = cast("list[object]", output) if isinstance(output, list) else []
    return [cast("Part", part) for part in listed if isinstance(part, dict)]


def _others(parts: list[Part]) -> list[Part]:
    return [part for part in parts if part.get("type") not in _MEDIA]


def _attached(moved: list[Part]) -> list[Part]:
    names = ", ".join(_MEDIA[part["type"]] for part in moved)
    return [_text(f"[{len(moved)} attached ({names}): see the user message that follows]")] if moved else []


def _not_shown(part: Part) -> Part:
    name = f" '{part['filename']}'" if part.get("filename") else ""
    data = _url(part).partition(";base64,")[2]
    said = f": {_media_type(part)}, {payload.size(data):,} bytes" if data else ""
    return _text(f"[{_MEDIA[part['type']]}{name}{said}; not shown, its bytes are in {WHOLE_AT}]")


def _media_type(part: Part) -> str:
    url = _url(part)
    return url.removeprefix("data:").partition(";")[0] if url.startswith("data:") else ""


def _url(part: Part) -> str:
    return str(part.get("image_url") or part.get("file_data") or "")


def _text(text: str) -> Part:
    return {"type": "input_text", "text": text}


def _user_items(content: list[Part], between: str) -> list[dict[str, Any]]:
    said = [{"role": "assistant", "content": between}] if between else []
    return [*said, {"role": "user", "content": content}]
