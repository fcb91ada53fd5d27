"""What a framework must bring so that MCP tools become its own tools, and what it can use for that.

    class MyAdapter:
        name = "mine"

        def to_tool(self, bound: BoundTool) -> MyTool:
            form = form_of(bound)

            async def run(arguments: dict[str, Any]) -> str:
                answered = await answer(bound, arguments, Abilities(whole_at="the tool's record"))
                return answered.shown.text

            return MyTool(bound.spec.name, bound.spec.description, form.schema, run)


    def graft(*sources: Source, **options: Unpack[GraftOptions]) -> Graft[MyTool]:
        return Graft(MyAdapter(), sources, options_of(options))

`toolgraft.testing.AdapterContract` says what else an adapter keeps.
"""

from __future__ import annotations

from toolgraft.dialects import PORTABLE, Dialect, Form, dialect_named
from toolgraft.options import GraftOptions, options_of, tells_options
from toolgraft.toolbox.graft import Graft, Grafted, Source
from toolgraft.tools.answers import Abilities, Answered, answer, answer_sync, form_of
from toolgraft.tools.bound import BoundTool
from toolgraft.tools.failures import also
from toolgraft.tools.framework import Adapter, Steering

__all__ = [
    "PORTABLE",
    "Abilities",
    "Adapter",
    "Answered",
    "BoundTool",
    "Dialect",
    "Form",
    "Graft",
    "GraftOptions",
    "Grafted",
    "Source",
    "Steering",
    "also",
    "answer",
    "answer_sync",
    "dialect_named",
    "form_of",
    "options_of",
    "tells_options",
]
