"""Fireworks: the plain form. A picture stands in a message of the user."""

from __future__ import annotations

from toolgraft.dialects.dialect import Dialect

FIREWORKS = Dialect("fireworks", pictures="user", also=("fireworks_ai", "langchain_fireworks"))
