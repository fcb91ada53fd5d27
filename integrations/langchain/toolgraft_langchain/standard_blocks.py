"""Content blocks of other tools' messages in LangChain's standard shape, so that it can be seen what they bring."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, cast

from langchain_core.messages import ToolMessage

Block: TypeAlias = Mapping[str, Any]

_DATA_URL: Final = re.compile(r"data:(?P<mime_type>[\w.+-]+/[\w.+-]+)(?:;[\w=.+-]+)*;base64,(?P<base64>.*)", re.DOTALL)


def standard(block: Block) -> Block:
    """Give what a block brings as LangChain writes it: a picture as `{"type": "image", "base64": …}` or with a `url`.

    A block of a shape that is known neither here nor to LangChain is given as it is.
    """
    kind = block.get("type")
    if kind == "text" or (kind in ("image", "file") and "base64" in block and "mime_type" in block):
        return block
    if kind in _OWN:
        return _OWN[kind](block)
    made = cast("list[Block]", ToolMessage(content=[dict(block)], tool_call_id="").content_blocks)
    if len(made) != 1 or made[0].get("type") == "non_standard":
        return block
    extras = cast("Block", made[0].get("extras") or {})
    named = {"filename": name} if (name := extras.get("filename") or extras.get("name")) else {}
    return {**{key: value for key, value in made[0].items() if key not in ("id", "extras")}, **named}


def _image_url(block: Block) -> Block:
    held = block.get("image_url")
    return _at("image", cast("Block", held).get("url") if isinstance(held, dict) else held, block)


def _file_data(block: Block) -> Block:
    return _at("file", block.get("file_data") or block.get("file_url"), block)


def _media(block: Block) -> Block:
    """Google's block, which says by its media type what it is."""
    mime_type, data = str(block.get("mime_type", "")), block.get("data")
    kind = mime_type.partition("/")[0]
    where = {"base64": data} if isinstance(data, str) else {"url": str(block.get("file_uri", ""))}
    return {"type": kind if kind in ("image", "audio", "video") else "file", "mime_type": mime_type, **where}


def _at(kind: str, url: object, block: Block) -> Block:
    if not isinstance(url, str):
        return {"type": kind, "file_id": str(block.get("file_id", ""))}
    found = _DATA_URL.fullmatch(url)
    named = {"filename": block["filename"]} if block.get("filename") else {}
    return {"type": kind, **(found.groupdict() if found else {"url": url}), **named}


_OWN: Final[Mapping[object, Callable[[Block], Block]]] = {
    "image_url": _image_url,
    "input_image": _image_url,
    "input_file": _file_data,
    "media": _media,
}
"""Shapes that LangChain's own reading leaves as they are, in some of their forms."""
