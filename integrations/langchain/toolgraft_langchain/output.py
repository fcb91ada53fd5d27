"""Results as LangChain takes them: content of a `ToolMessage`, and its artifact.

| shown | content block |
| --- | --- |
| text | a plain string where there is nothing else; beside other things, or by setting, `{"type": "text", "text"}` |
| picture | `{"type": "image", "base64", "mime_type"}` |
| file | `{"type": "file", "base64", "mime_type", "filename"}` |
| picture or file of an error | text that names it: Anthropic refuses all but text there, in every later turn too |

Blocks are plain dicts without ids, so that the same result gives the same message.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from toolgraft.content.artifact import Artifact, to_artifact
from toolgraft.result import Image, Text
from toolgraft.shown import Shown, ShownPart, file_name

__all__ = ["WHOLE_AT", "Artifact", "Block", "Content", "to_artifact", "to_content"]

Block: TypeAlias = dict[str, Any]
"""One content block of LangChain's standard kinds (version 1)."""

Content: TypeAlias = "str | list[str | Block]"
"""The content of a `ToolMessage`."""

WHOLE_AT: Final = "the tool message's artifact"
"""Where notes to the model say that the whole result is."""


def to_content(shown: Shown, single: Literal["text", "blocks"] = "text") -> Content:
    """Put what is shown into LangChain's content blocks.

    Args:
        shown: What the model is to see.
        single: The shape of a result that is text only: `"text"` a plain string, its parts a paragraph each, for
            models that take no list; `"blocks"` a list of blocks. Any other result is a list of blocks.
    """
    blocks = [_block(part, shown.is_error) for part in shown.parts]
    if single == "text" and all(block["type"] == "text" for block in blocks):
        return "\n\n".join(str(block["text"]) for block in blocks)
    return [*blocks]


def _block(part: ShownPart, error: bool) -> Block:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    if error:
        return {"type": "text", "text": f"[{part.mime_type}: not shown with an error, it is in {WHOLE_AT}]"}
    if isinstance(part, Image):
        return {"type": "image", "base64": part.data, "mime_type": part.mime_type}
    return {
        "type": "file",
        "base64": part.data,
        "mime_type": part.mime_type,
        "filename": file_name(part),
    }
