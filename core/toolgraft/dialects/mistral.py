"""Mistral: the plain form. A picture stands in a message of the user, which may not follow a tool's at once."""

from __future__ import annotations

from toolgraft.dialects.dialect import Dialect

MISTRAL = Dialect(
    "mistral",
    pictures="user",
    between="I look at what the tools returned.",
    also=("mistralai", "langchain_mistralai"),
)
