"""Anthropic: the plain form. What a tool returns may bring pictures and PDFs.

Its strict mode is a subset of its own, for a few tools in each request; see `anthropic_strict`.
"""

from __future__ import annotations

import re

from toolgraft.dialects.dialect import DOCUMENTS, Dialect

ANTHROPIC = Dialect(
    "anthropic",
    names=re.compile(r"[a-zA-Z0-9_-]{1,128}"),
    files=DOCUMENTS,
    text_errors=True,
    also=("claude", "langchain_anthropic", "anthropic_bedrock", "bedrock_mantle_anthropic", "google_anthropic_vertex"),
)
