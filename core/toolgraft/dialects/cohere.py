"""Cohere: of each argument, its package carries one type and the description. What an argument holds is told there."""

from __future__ import annotations

from toolgraft.dialects.dialect import Dialect
from toolgraft.dialects.redraw.flat import Flat

COHERE = Dialect("cohere", redraw=Flat(frozenset()), pictures="nowhere", also=("langchain_cohere", "cohere_chat"))
