"""Tools in the form of dialects, made once."""

from __future__ import annotations

import weakref

from langchain_core.tools import BaseTool
from toolgraft.dialects import Dialect

from toolgraft_langchain.for_model import drawn_for
from toolgraft_langchain.tools import MCPTool


class Drawn:
    """Tools in the form of dialects, each drawn once for as long as it is there and nothing of it is changed."""

    def __init__(self) -> None:
        self._made: dict[int, dict[Dialect, tuple[str, object, BaseTool | None]]] = {}

    def tool(self, tool: MCPTool, dialect: Dialect) -> BaseTool | None:
        """Give a tool in the form of a dialect; None where that refuses its name."""
        forms = self._made.get(id(tool))
        if forms is None:
            forms = self._made[id(tool)] = {}
            weakref.finalize(tool, self._made.pop, id(tool), None)
        known = forms.get(dialect)
        if known is None or known[0] is not tool.description or known[1] is not tool.args_schema:
            known = forms[dialect] = (tool.description, tool.args_schema, drawn_for(tool, dialect))
        return known[2]
