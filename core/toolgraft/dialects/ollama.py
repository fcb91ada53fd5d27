"""Ollama: of each argument, its client carries types, items, an enum and the description; the rest is told there.

The message with a tool's result may bring pictures.
"""

from __future__ import annotations

from toolgraft.dialects.dialect import Dialect
from toolgraft.dialects.redraw.flat import Flat

OLLAMA = Dialect("ollama", redraw=Flat(frozenset({"type", "items", "enum"})), also=("ollama_chat", "langchain_ollama"))
