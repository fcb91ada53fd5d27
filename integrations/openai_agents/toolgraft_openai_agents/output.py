"""Results as the Agents SDK takes them: a tool's output, and its custom data.

| shown | output |
| --- | --- |
| text | a plain string where there is nothing else; beside other things, or by setting, `ToolOutputText` |
| picture | `ToolOutputImage` with a data URL, and a line of text where there is none |
| file (PDF) | `ToolOutputFileContent` with a data URL and a name, and a line of text where there is none |
| an error | the same, its first text beginning with `Error: ` |

`str()` of any of them is the text, and says what else there is without its bytes: realtime agents and
`tool_use_behavior="stop_on_first_tool"` take that.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from agents import ToolOutputFileContent, ToolOutputImage, ToolOutputText
from toolgraft.content import payload
from toolgraft.content.artifact import to_artifact
from toolgraft.result import Image, Text, ToolResult
from toolgraft.shown import Shown, ShownPart, file_name

from toolgraft_openai_agents.metadata import CustomData

Block: TypeAlias = ToolOutputText | ToolOutputImage | ToolOutputFileContent
"""One part of a tool's output."""

Output: TypeAlias = "str | Parts"
"""What `FunctionTool.on_invoke_tool` gives back."""

FILES: Final = frozenset({"application/pdf"})
"""Media types of files that OpenAI's Responses API takes in a tool's output and reads itself."""

WHOLE_AT: Final = "the output item's custom data"
"""Where notes to the model say that the whole result is."""

ERROR: Final = "Error: "
"""How the text of a failed call begins: an output item has no mark of its own for that."""


def to_output(shown: Shown, single: Literal["text", "blocks"] = "text") -> Output:
    """Put what is shown into the Agents SDK's output types.

    There is always text: a model that is reached by Chat Completions gets nothing else of a tool's output.

    Args:
        shown: What the model is to see.
        single: The shape of a result that is text only: `"text"` a plain string, its parts a paragraph each;
            `"blocks"` a list of `ToolOutputText`. Any other result is a list.
    """
    blocks = [_block(part) for part in shown.parts]
    texts = [block for block in blocks if isinstance(block, ToolOutputText)]
    if not texts:
        texts = [ToolOutputText(text=_told(shown))]
        blocks.extend(texts)
    if shown.is_error:
        texts[0].text = _marked(texts[0].text)
    if single == "text" and len(texts) == len(blocks):
        return "\n\n".join(text.text for text in texts)
    return Parts(blocks)


def custom_data(result: ToolResult) -> CustomData:
    """Give the whole result, for `ToolCallOutputItem.custom_data`."""
    return {"mcp": to_artifact(result)}


_ALREADY: Final = re.compile(r"\s*(?:error\s*:\s*)+", re.IGNORECASE)


def _marked(text: str) -> str:
    """Mark the text of an error, once: many servers begin theirs so already, and those behind them once more."""
    already = _ALREADY.match(text)
    return ERROR + (text[already.end() :] or text if already else text)


class Parts(list[Block]):
    """Text, pictures and files of one result; as text, what a person can read of them."""

    def __str__(self) -> str:
        return "\n\n".join(part.text if isinstance(part, ToolOutputText) else str(part) for part in self)

    def __repr__(self) -> str:
        return f"Parts({[str(part) for part in self]!r})"


class Picture(ToolOutputImage):
    """A picture as a data URL, which its repr leaves out."""

    def __str__(self) -> str:
        return _told_of("picture", self.image_url)

    __repr__ = __str__


class Document(ToolOutputFileContent):
    """A file as a data URL, which its repr leaves out."""

    def __str__(self) -> str:
        return _told_of(f"file '{self.filename}'", self.file_data)

    __repr__ = __str__


def _told_of(what: str, url: str | None) -> str:
    kind, _, data = (url or "").partition(";base64,")
    return f"[{what}: {kind.removeprefix('data:')}, {payload.size(data):,} bytes]"


def _block(part: ShownPart) -> Block:
    if isinstance(part, Text):
        return ToolOutputText(text=part.text)
    url = f"data:{part.mime_type};base64,{part.data}"
    if isinstance(part, Image):
        return Picture(image_url=url)
    return Document(file_data=url, filename=file_name(part))


def _told(shown: Shown) -> str:
    if shown.is_error:
        return "The tool failed."
    return f"[The tool returned: {', '.join(part.mime_type or '' for part in shown.parts)}]"
