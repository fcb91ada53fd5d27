"""Bound tools as OpenAI Agents function tools."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, Unpack
from weakref import WeakKeyDictionary

from agents import FunctionTool
from agents.tool import FunctionToolCustomDataContext
from agents.tool_context import ToolContext
from toolgraft.adapter import Step
from toolgraft.bound import BoundTool, failure
from toolgraft.errors import ToolgraftError
from toolgraft.graft import Graft, GraftOptions, Source
from toolgraft.result import ToolResult
from toolgraft.schema import parse
from toolgraft.shown import show
from toolgraft.toolbox import Options

from toolgraft_openai_agents.output import FILES, custom_data, output_json_schema, to_output

_log: Final = logging.getLogger("toolgraft.openai_agents")

Invoke: TypeAlias = Callable[[ToolContext[Any], str], Awaitable[Any]]
Results: TypeAlias = "WeakKeyDictionary[ToolContext[Any], ToolResult]"


@dataclass(frozen=True)
class OpenAIAgentsAdapter:
    """Makes `FunctionTool`s."""

    _results: Results = field(default_factory=WeakKeyDictionary, repr=False, compare=False)

    @property
    def name(self) -> str:
        """`openai_agents`."""
        return "openai_agents"

    def to_tool(self, bound: BoundTool) -> FunctionTool:
        """Make the function tool of a bound tool."""
        spec, schema = bound.spec, bound.schema
        tool = FunctionTool(
            name=spec.name,
            description=spec.description,
            params_json_schema=schema.plain if schema.strict is None else schema.strict,
            on_invoke_tool=_invoke(bound, self._results),
            strict_json_schema=False,
            custom_data_extractor=self._custom_data,
            output_json_schema=output_json_schema(spec),
        )
        # Set afterwards: the schema has passed our own lint, and the constructor would walk and rewrite it again.
        tool.strict_json_schema = schema.strict is not None
        return tool

    async def rehearse(
        self, tools: Sequence[FunctionTool], calls: Sequence[tuple[str, Mapping[str, Any]]]
    ) -> Sequence[Step]:
        """Run one turn of a real `Agent` whose model is a script; see `toolgraft.adapter.Adapter`."""
        from toolgraft_openai_agents.rehearsal import rehearse  # here: test doubles are not for every import

        return await rehearse(tools, calls)

    def _custom_data(self, context: FunctionToolCustomDataContext) -> Mapping[str, Any] | None:
        result = self._results.pop(context.tool_context, None)
        return None if result is None else custom_data(result)


def _invoke(bound: BoundTool, results: Results) -> Invoke:
    async def invoke(context: ToolContext[Any], arguments: str) -> Any:
        result = await _answer(bound, context, arguments)
        results[context] = result
        return to_output(await show(result, bound.limits, name=bound.spec.name, files=FILES))

    return invoke


async def _answer(bound: BoundTool, context: ToolContext[Any], arguments: str) -> ToolResult:
    """Call the tool; whatever happens is told to the model, for an exception would end the run and its siblings."""
    try:
        return await bound.answer(parse(arguments), user=context)
    except ToolgraftError as error:
        if bound.server.errors == "raise":
            raise
        return failure(error)
    except Exception as error:
        if bound.server.errors == "raise":
            raise
        _log.exception("%r failed", bound)
        return failure(ToolgraftError(f"tool '{bound.spec.name}' failed inside the agent: {type(error).__name__}"))


ADAPTER = OpenAIAgentsAdapter()


def graft(*sources: Source, **options: Unpack[GraftOptions]) -> Graft[FunctionTool]:
    """Graft MCP servers onto an OpenAI Agents agent.

        async with graft(Http("https://example.com/mcp"), "mcp.json") as tools:
            agent = Agent(name="Assistant", tools=tools)

    Args:
        sources: Servers, paths of `mcp.json` files, or such files' content as dicts.
        **options: See `toolgraft.Options`.

    Returns:
        What to enter, by `async with` or `with`: it gives a list of `FunctionTool`s that has a `.toolbox`.

    Raises:
        ConfigError: A declaration or a config file is wrong.
    """
    return Graft(OpenAIAgentsAdapter(), sources, Options(**options))
