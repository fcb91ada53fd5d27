"""Groq: the plain form. A picture stands in a message of the user."""

from __future__ import annotations

from toolgraft.dialects.dialect import Dialect

GROQ = Dialect("groq", pictures="user", also=("langchain_groq",))
