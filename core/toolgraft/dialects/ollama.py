"""Ollama: the plain form. The message with a tool's result may bring pictures."""

from __future__ import annotations

from toolgraft.dialects.dialect import Dialect

OLLAMA = Dialect("ollama", also=("ollama_chat", "langchain_ollama"))
