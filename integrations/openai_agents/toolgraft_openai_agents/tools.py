"""Bound tools as OpenAI Agents function tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Self, Unpack
from weakref import WeakKeyDictionary

from agents import FunctionTool
from agents.tool import FunctionToolCustomDataContext
from agents.tool_context import ToolContext
from toolgraft.adapter import Step
from toolgraft.bound import BoundTool, failure
from toolgraft.errors import ConfigError, ToolgraftError
from toolgraft.graft import Graft, Source
from toolgraft.options import GraftOptions, options_of
from toolgraft.result import ToolResult
from toolgraft.schema import parse
from toolgraft.shown import show

from toolgraft_openai_agents.output import FILES, WHOLE_AT, custom_data, to_output
from toolgraft_openai_agents.programs import output_json_schema, to_program_output


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
        invocation = Invocation(bound, self.content, objects=output_schema is not None)
        tool = FunctionTool(
            name=spec.name,
            description=spec.description,
            params_json_schema=schema.plain if schema.strict is None else schema.strict,
            on_invoke_tool=invocation,
            strict_json_schema=False,
            custom_data_extractor=invocation.custom_data,
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


class Invocation:
    """What a function tool does when it is called. A copy is the same one; pickled, it connects anew elsewhere."""

    def __init__(self, bound: BoundTool, content: Literal["text", "blocks"], *, objects: bool) -> None:
        self._bound = bound
        self._content: Literal["text", "blocks"] = content
        self._objects = objects
        self._results: WeakKeyDictionary[ToolContext[Any], ToolResult] = WeakKeyDictionary()

    async def __call__(self, context: ToolContext[Any], arguments: str) -> Any:
        """Call the tool and give its result as the SDK takes it."""
        bound = self._bound
        result = await _answer(bound, context, arguments)
        self._results[context] = result
        shown = await show(result, bound.limits, name=bound.spec.name, files=FILES, whole_at=WHOLE_AT)
        return to_program_output(result, shown) if self._objects else to_output(shown, self._content)

    def custom_data(self, context: FunctionToolCustomDataContext) -> Mapping[str, Any] | None:
        """Give the whole result of a call, once."""
        result = self._results.pop(context.tool_context, None)
        return None if result is None else custom_data(result)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _invocation, (self._bound, self._content, self._objects)


def _invocation(bound: BoundTool, content: Literal["text", "blocks"], objects: bool) -> Invocation:
    return Invocation(bound, content, objects=objects)


async def _answer(bound: BoundTool, context: ToolContext[Any], arguments: str) -> ToolResult:
    """Call the tool; whatever happens is told to the model, for an exception would end the run and its siblings."""
    try:
        return await bound.answer(parse(arguments), user=context)
    except ToolgraftError as error:
        if bound.server.errors == "raise":
            raise
        return failure(error)
    except Exception as error:
        return bound.fault(error)


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
