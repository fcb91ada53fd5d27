"""Bound tools as OpenAI Agents function tools."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, Unpack
from weakref import WeakKeyDictionary

from agents import FunctionTool
from agents.tool import FunctionToolCustomDataContext
from agents.tool_context import ToolContext
from toolgraft.adapter import Step
from toolgraft.bound import BoundTool, failure
from toolgraft.errors import ConfigError, ToolgraftError
from toolgraft.graft import Graft, GraftOptions, Source, options_of
from toolgraft.result import ToolResult
from toolgraft.schema import parse
from toolgraft.shown import Shown, show

from toolgraft_openai_agents.output import FILES, WHOLE_AT, Output, custom_data, to_output
from toolgraft_openai_agents.programs import output_json_schema, to_program_output

_log: Final = logging.getLogger("toolgraft.openai_agents")

Invoke: TypeAlias = Callable[[ToolContext[Any], str], Awaitable[Any]]
Out: TypeAlias = Callable[[ToolResult, Shown], Output]
Results: TypeAlias = "WeakKeyDictionary[ToolContext[Any], ToolResult]"


def _no_results() -> Results:
    return WeakKeyDictionary()


@dataclass(frozen=True)
class OpenAIAgentsAdapter:
    """Makes `FunctionTool`s.

    Attributes:
        content: The shape of a result that is one text: a plain string, or a list with one `ToolOutputText`.
        programmatic: Let programs that the model writes call the tools too, and give them output schemas where these
            are sound. OpenAI Responses only: the SDK refuses such tools with any other model. A tool that has such
            a schema answers in JSON objects only, without pictures.
    """

    content: Literal["text", "blocks"] = "text"
    programmatic: bool = False
    _results: Results = field(default_factory=_no_results, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.content not in ("text", "blocks"):
            raise ConfigError(f"content is 'text' or 'blocks', not {self.content!r}")

    @property
    def name(self) -> str:
        """`openai_agents`."""
        return "openai_agents"

    def to_tool(self, bound: BoundTool) -> FunctionTool:
        """Make the function tool of a bound tool."""
        spec, schema = bound.spec, bound.schema
        output_schema = output_json_schema(spec) if self.programmatic else None
        tool = FunctionTool(
            name=spec.name,
            description=spec.description,
            params_json_schema=schema.plain if schema.strict is None else schema.strict,
            on_invoke_tool=_invoke(bound, self._results, _out(self.content, output_schema is not None)),
            strict_json_schema=False,
            custom_data_extractor=self._custom_data,
            allowed_callers=["direct", "programmatic"] if self.programmatic else None,
            output_json_schema=output_schema,
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


def _invoke(bound: BoundTool, results: Results, out: Out) -> Invoke:
    async def invoke(context: ToolContext[Any], arguments: str) -> Any:
        result = await _answer(bound, context, arguments)
        results[context] = result
        return out(result, await show(result, bound.limits, name=bound.spec.name, files=FILES, whole_at=WHOLE_AT))

    return invoke


def _out(content: Literal["text", "blocks"], objects: bool) -> Out:
    if objects:
        return to_program_output
    return lambda result, shown: to_output(shown, content)


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


class OpenAIAgentsOptions(GraftOptions, total=False):
    """The keyword arguments of `graft`; see `toolgraft.Options` and `OpenAIAgentsAdapter`."""

    content: Literal["text", "blocks"]
    programmatic: bool


_OWN: Final = ("content", "programmatic")


def graft(*sources: Source, **options: Unpack[OpenAIAgentsOptions]) -> Graft[FunctionTool]:
    """Graft MCP servers onto an OpenAI Agents agent.

        async with graft(Http("https://example.com/mcp"), "mcp.json") as tools:
            agent = Agent(name="Assistant", tools=tools)

    Args:
        sources: Servers, paths of `mcp.json` files, or such files' content as dicts.
        **options: See `toolgraft.Options` and `OpenAIAgentsAdapter`.

    Returns:
        What to enter, by `async with` or `with`: it gives a list of `FunctionTool`s that has a `.toolbox`.

    Raises:
        ConfigError: A declaration or a config file is wrong.
    """
    given: dict[str, Any] = dict(options)
    own = {name: given.pop(name) for name in _OWN if name in given}
    return Graft(OpenAIAgentsAdapter(**own), sources, options_of(given, *_OWN))
