"""A filled prompt as a model is given it: who says what, with pictures and files where providers read them.

Only text is safe in a message of the assistant: some providers drop a picture there, others refuse the request. So
pictures and files of such a message stand in the user's next one, after a line that says where they are from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from toolgraft.config import Limits
from toolgraft.context.prompts import FilledPrompt, PromptMessage
from toolgraft.result import Text, ToolResult
from toolgraft.shown import Shown, ShownPart, for_model

WHOLE_AT: Final = "the prompt"
"""Where notes to a model say that the whole is."""

_MOVED: Final = Text("[What follows belongs to the assistant's message before.]")


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a prompt, for a model.

    Attributes:
        role: Who says it; of the assistant there is text only.
        shown: What is said.
    """

    role: Literal["user", "assistant"]
    shown: Shown


def said_in(prompt: FilledPrompt, limits: Limits, files: frozenset[str]) -> Sequence[Said]:
    """Give a prompt's messages as a model is given them.

    Args:
        prompt: The filled prompt.
        limits: How much of each message is shown.
        files: Media types of files that the model takes.
    """
    said: list[Said] = []
    moved: tuple[ShownPart, ...] = ()
    for message in prompt.messages:
        parts = _shown(message, limits, files)
        if message.role == "user":
            said.append(Said("user", Shown((*moved, *parts))))
            moved = ()
            continue
        texts = tuple(part for part in parts if isinstance(part, Text))
        media = tuple(part for part in parts if not isinstance(part, Text))
        if texts:
            said.append(Said("assistant", Shown(texts)))
        moved += (_MOVED, *media) if media else ()
    return [*said, Said("user", Shown(moved))] if moved else said


def _shown(message: PromptMessage, limits: Limits, files: frozenset[str]) -> tuple[ShownPart, ...]:
    return for_model(ToolResult(message.parts), limits, name="prompt", files=files, whole_at=WHOLE_AT).parts
