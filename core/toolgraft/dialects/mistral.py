"""Mistral: the plain form. A picture stands in a message of the user."""

from __future__ import annotations

from toolgraft.dialects.dialect import Dialect

MISTRAL = Dialect("mistral", pictures="user", also=("mistralai", "langchain_mistralai"))
