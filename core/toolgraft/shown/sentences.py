"""Sentences for what a model cannot be given as it is."""

from __future__ import annotations

from mimetypes import guess_extension
from typing import Final

from toolgraft.content import payload
from toolgraft.result import ABSENT, Audio, File, Image, Link, Text, ToolResult

_LONGEST: Final = 2_000
"""Characters of one name or description in a sentence."""


def tokens(text: str) -> int:
    """Estimate tokens: four bytes of UTF-8 each, which fits English, code and CJK within a third."""
    return ((len(text) if text.isascii() else len(text.encode("utf-8", "replace"))) + 3) // 4


def headed(part: Text) -> str:
    """Give a text, with where it came from where it has a URI (text of an embedded resource)."""
    if not part.uri or part.origin == "text":
        return part.text
    kind = f" ({_line(part.mime_type)})" if part.mime_type else ""
    return f"[{_line(part.uri)}{kind}]\n{part.text}"


def link(part: Link) -> str:
    """Describe a resource link: all that is known of it, since nobody has read it."""
    facts = (
        ("name", part.name),
        ("title", part.title if part.title != part.name else None),
        ("type", part.mime_type),
        ("size", f"{part.size:,} bytes" if part.size is not None else None),
        ("description", part.description),
    )
    said = "".join(f"; {label}: {_line(fact)}" for label, fact in facts if fact)
    return f"[resource link: {_line(part.uri)}{said}]"


def picture(part: Image, whole_at: str) -> str:
    """Describe a picture that the model cannot be given in a tool's result."""
    return f"[picture: {_kind(part.mime_type, part.data, part.uri)}; not shown, its bytes are in {whole_at}]"


def sound(part: Audio, whole_at: str) -> str:
    """Describe a sound."""
    return f"[audio: {_kind(part.mime_type, part.data, part.uri)}; not shown, its bytes are in {whole_at}]"


def file(part: File, files: frozenset[str], limit: int, whole_at: str) -> tuple[Text | File, ...]:
    """Give a file where its type is one of `files` and its size allows, else a sentence about it."""
    size = payload.size(part.data)
    taken = part.mime_type in files
    if taken and size <= limit:
        return (part,)
    name = f" '{_line(part.name)}'" if part.name else ""
    reason = f"over the limit of {limit:,} bytes" if taken else "not shown"
    if part.origin == "image":
        reason = "not a picture that models take (png, jpeg, gif, webp)"
    said = f"[file{name}: {_kind(part.mime_type, part.data, part.uri)}; {reason}, its bytes are in {whole_at}]"
    return (Text(said, origin=part.origin),)


def file_name(part: File) -> str:
    """Give a file's name with the ending of its type: OpenAI refuses a file without a name, and one that ends wrong."""
    ending = guess_extension(part.mime_type) or ""
    name = part.name or "file"
    return name if name.lower().endswith(ending) else name + ending


def nothing(result: ToolResult, whole_at: str) -> str:
    """Say that there is nothing for the model: it must not take silence for failure, nor be sent an empty message."""
    hidden = sum(not part.for_model for part in result.parts)
    untold = result.structured is not ABSENT and result.structured is not None
    if untold and (result.is_error or not hidden):
        done = "failed" if result.is_error else "succeeded"
        return f"The tool {done}. Its structured answer is not shown, it is in {whole_at}."
    if result.is_error:
        return "The tool failed and gave no reason."
    if hidden:
        return f"The tool succeeded. What it returned ({hidden} part{'s' * (hidden > 1)}) is for the user only."
    return "The tool succeeded and returned nothing."


def _kind(mime_type: str, data: str, uri: str | None) -> str:
    source = f", from {_line(uri)}" if uri else ""
    return f"{_line(mime_type)}, {payload.size(data):,} bytes{source}"


def _line(text: str | None) -> str:
    said = " ".join((text or "")[: _LONGEST + 1].split())
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}..."
