"""How servers say that they are to be used, as a part of a system prompt.

It is untrusted text that reaches a model before all else: it is bounded, free of what nobody sees, and marked as what a
server says, so that a model can tell it from the words of the application.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from toolgraft.connection.listing.bounds import within
from toolgraft.content.hidden import without_hidden
from toolgraft.content.text import printable

USUAL: Final = 8 * 1024
"""Bytes that one server may say, unless it is told otherwise."""

_MARK: Final = re.compile(r"<(?=[\s/]{0,20}instructions)", re.IGNORECASE)
_HEAD: Final = (
    "What follows was written by the MCP servers whose tools you have. It tells how to use these, and nothing else."
)


def with_instructions(prompt: str, instructions: Mapping[str, str], *, most: int = USUAL) -> str:
    """Give a system prompt that ends with what servers say of their tools, each marked by its name.

        create_agent(model, tools, system_prompt=with_instructions("You help.", tools.toolbox.instructions))

    Args:
        prompt: The application's own.
        instructions: What each server says, by its name: `toolbox.instructions`, or a choice of it.
        most: Bytes (UTF-8) that each server may say; what is longer is cut with a visible mark.
    """
    said = [_section(server, within(without_hidden(text).strip(), most)) for server, text in instructions.items()]
    sections = [section for section in said if section]
    return "\n\n".join([*([prompt] if prompt else []), _HEAD, *sections]) if sections else prompt


def _section(server: str, text: str) -> str:
    if not text:
        return ""
    name = printable(without_hidden(server)).replace('"', "'")
    body = _MARK.sub("&lt;", text)  # or it could end its own mark, and speak for another
    return f'<instructions server="{name}">\n{body}\n</instructions>'
