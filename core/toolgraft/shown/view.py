"""From a `ToolResult` to what a model is shown of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from toolgraft.config.options import Limits
from toolgraft.result import Audio, File, Image, Link, Text, ToolResult
from toolgraft.shown import sentences
from toolgraft.shown.base64_runs import Hider
from toolgraft.shown.overflow import fit, fit_error
from toolgraft.shown.pictures import Pictures, excess
from toolgraft.shown.structured import structured_once

ShownPart: TypeAlias = Text | Image | File


@dataclass(frozen=True, slots=True)
class Shown:
    """What the model gets of one result; an adapter only puts it in its framework's words.

    Attributes:
        parts: Text, pictures and files, in order. At least one part, and no text without a visible character.
        is_error: The tool says that it failed.
    """

    parts: tuple[ShownPart, ...]
    is_error: bool = False

    @property
    def text(self) -> str:
        """All text, a part a paragraph."""
        return "\n\n".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def tokens(self) -> int:
        """Estimate of the text's tokens (a token for four bytes of UTF-8; pictures and files not counted)."""
        return sum(sentences.tokens(part.text) for part in self.parts if isinstance(part, Text))


def for_model(
    result: ToolResult,
    limits: Limits = Limits(),
    *,
    name: str = "result",
    pictures: bool = True,
    files: frozenset[str] = frozenset(),
    whole_at: str = "the result's artifact",
) -> Shown:
    """Choose what the model is shown of a result.

    Parts for the user only are left out; links, sound, and pictures and files that cannot be given become sentences;
    the structured value is shown once; pictures over their budget are scaled down or refused with a note; text
    over its limit is cut, refused or written to a file.

    Args:
        result: The whole result. It stays as it is.
        limits: How much is shown.
        name: What the tool is called, for the name of a file that is written.
        pictures: Whether the model can be given a picture here; else a sentence stands for it.
        files: Media types of files that the framework can give to its models, e.g. `{"application/pdf"}`.
        whole_at: Where the reader finds the whole result, as it stands in notes.
    """
    once = structured_once(result, limits.structured)
    hider, scaler = Hider(result.parts), Pictures(limits, whole_at)
    parts: list[ShownPart] = []
    for part in result.parts:
        if part.for_model:
            part = once.cheapest(part)
            if pictures and isinstance(part, Image):
                parts.extend(scaler.within(part))
            else:
                parts.extend(_told(part, limits, files, whole_at))
    if once.extra is not None:
        parts.append(Text(once.extra, origin="structured", mime_type="application/json"))
    kept = tuple(seen for part in parts if (seen := _seen(part, hider)) is not None)
    if result.is_error:
        kept = fit_error(kept, limits, whole_at=whole_at)
    else:
        kept = fit(kept, limits, name=name, whole_at=whole_at)
    return Shown(kept or (Text(sentences.nothing(result, whole_at)),), result.is_error)


def is_slow(result: ToolResult, limits: Limits) -> bool:
    """Whether `for_model` scales pictures or writes a file, so that it belongs into a worker thread."""
    return limits.on_overflow == "spill" or any(
        isinstance(part, Image) and part.for_model and excess(part, limits) for part in result.parts
    )


def _told(
    part: Text | Image | Audio | File | Link, limits: Limits, files: frozenset[str], whole_at: str
) -> tuple[Text | File, ...]:
    if isinstance(part, Image):
        return (Text(sentences.picture(part, whole_at), origin=part.origin),)
    if isinstance(part, Link):
        return (Text(sentences.link(part), origin=part.origin),)
    if isinstance(part, Audio):
        return (Text(sentences.sound(part, whole_at), origin=part.origin),)
    if isinstance(part, File):
        return sentences.file(part, files, limits.file_bytes, whole_at)
    return (_with(part, sentences.headed(part) if limits.source_line else part.text),)


def _seen(part: ShownPart, hider: Hider) -> ShownPart | None:
    """Give a part without base64 in its text, or None for blank text: providers refuse a message with such a block."""
    if not isinstance(part, Text):
        return part
    if not part.text or part.text.isspace():
        return None
    return _with(part, hider.hide(part.text))


def _with(part: Text, text: str) -> Text:
    return part if text is part.text else replace(part, text=text)
