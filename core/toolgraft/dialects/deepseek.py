"""DeepSeek: the plain form, and text only."""

from __future__ import annotations

from toolgraft.dialects.dialect import Dialect

DEEPSEEK = Dialect("deepseek", pictures="nowhere", also=("langchain_deepseek",))
