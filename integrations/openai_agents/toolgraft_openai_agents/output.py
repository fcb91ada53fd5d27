"""Results as the Agents SDK takes them: a tool's output, and its custom data.

| shown | output |
| --- | --- |
| text | `ToolOutputText`; one text alone a plain string, by setting |
| picture | `ToolOutputImage` with a data URL, and a line of text where there is none |
| file (PDF) | `ToolOutputFileContent` with a data URL and a name, and a line of text where there is none |
| an error | the same, its first text beginning with `Error: ` |
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from agents import ToolOutputFileContent, ToolOutputImage, ToolOutputText
from toolgraft.artifact import json_safe, to_artifact
from toolgraft.result import Image, Text, ToolResult
from toolgraft.shown import Shown, ShownPart, file_name

Output: TypeAlias = "str | list[ToolOutputText | ToolOutputImage | ToolOutputFileContent]"
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
        single: The shape of a result that is one text: `"text"` a plain string, `"blocks"` a list with one
            `ToolOutputText`. Any other result is a list.
    """
    blocks = [_block(part) for part in shown.parts]
    texts = [block for block in blocks if isinstance(block, ToolOutputText)]
    if not texts:
        texts = [ToolOutputText(text=_told(shown))]
        blocks.extend(texts)
    if shown.is_error:
        texts[0].text = ERROR + texts[0].text
    return texts[0].text if single == "text" and len(blocks) == 1 else blocks


def custom_data(result: ToolResult) -> dict[str, Any]:
    """Give the whole result, for `ToolCallOutputItem.custom_data`.

    Returns:
        `{"mcp": ...}` with a `toolgraft.artifact.Artifact`: parts, structured value, error flag, `_meta`, warnings.
    """
    return {"mcp": json_safe(to_artifact(result))}


def _block(part: ShownPart) -> ToolOutputText | ToolOutputImage | ToolOutputFileContent:
    if isinstance(part, Text):
        return ToolOutputText(text=part.text)
    url = f"data:{part.mime_type};base64,{part.data}"
    if isinstance(part, Image):
        return ToolOutputImage(image_url=url)
    return ToolOutputFileContent(file_data=url, filename=file_name(part))


def _told(shown: Shown) -> str:
    if shown.is_error:
        return "The tool failed."
    return f"[The tool returned: {', '.join(part.mime_type or '' for part in shown.parts)}]"
