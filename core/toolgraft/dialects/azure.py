"""Azure OpenAI: what OpenAI is given, but for the length of descriptions.

Microsoft's page on function calling says that descriptions of tools are limited to 1,024 characters there; beyond, the
whole request is refused with `string_above_max_length`. OpenAI's own API documents no such limit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from toolgraft.dialects.dialect import Dialect
from toolgraft.dialects.openai import OPENAI, OPENAI_CHAT

_LONGEST: Final = 1_024

AZURE = replace(
    OPENAI_CHAT, name="azure", longest_description=_LONGEST, also=("azure_openai", "azure-openai", "azure_ai")
)
AZURE_RESPONSES = replace(OPENAI, name="azure-responses", longest_description=_LONGEST, also=())


def on_azure(dialect: Dialect) -> Dialect:
    """Give the dialect of OpenAI's models by one of its two APIs, where Azure serves them."""
    return AZURE_RESPONSES if dialect == OPENAI else AZURE if dialect == OPENAI_CHAT else dialect
