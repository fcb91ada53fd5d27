"""xAI: the plain form. A picture stands in a message of the user."""

from __future__ import annotations

from toolgraft.dialects.dialect import Dialect

XAI = Dialect("xai", pictures="user", also=("grok", "x-ai", "langchain_xai"))
