"""Bound tools as LangChain tools."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, Unpack, cast

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig, ensure_config
from langchain_core.tools import BaseTool, ToolException
from pydantic import BaseModel, Field, SkipValidation
from toolgraft.adapter import Step
from toolgraft.bound import BoundTool
from toolgraft.errors import ArgumentsError, ConfigError, ToolgraftError
from toolgraft.graft import Graft, Source
from toolgraft.options import GraftOptions, options_of
from toolgraft.result import ToolResult
from toolgraft.shown import Shown, for_model, show
from toolgraft.spec import Hints

from toolgraft_langchain.output import WHOLE_AT, Artifact, to_artifact, to_content
from toolgraft_langchain.unheard import Under, unheard


class Arguments(BaseModel):
    """Stands for the input model of every tool: arguments are described by JSON Schema and checked against that.

    LangChain asks each tool for such a model and would build one a tool (0.4 ms each); none of them carries
    injected arguments, so that one empty model answers for all.
    """


class MCPTool(BaseTool):
    """A LangChain tool that calls one tool of an MCP server.

    Its arguments may have any name. A failed call gives a `ToolMessage` with `status="error"` and ends no run.

    Attributes:
        bound: The tool behind it.
        content: The shape of a result that is one text: a plain string, or a list with one block.
        files: Media types of files that the model takes in a tool's message, e.g. `{"application/pdf"}` for Anthropic
            and for OpenAI's Responses API. None by default: Chat Completions refuses such a message, then and later.
    """

    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    bound: SkipValidation[BoundTool] = Field(repr=False, exclude=True)
    content: Literal["text", "blocks"] = "text"
    files: frozenset[str] = frozenset()

    def get_input_schema(self, config: RunnableConfig | None = None) -> type[BaseModel]:
        """Give the one model that stands for all tools' input."""
        return Arguments

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if isinstance(tool_input, str):
            raise ArgumentsError(self.bound.spec.ref, ["/: wanted a dict of arguments, got a string"])
        # As two positional arguments, so that no argument's name can meet one of LangChain's own.
        return (tool_input, tool_call_id), {}

    def _filter_injected_args(self, tool_input: dict[str, Any]) -> dict[str, Any]:
        return tool_input  # nothing is injected: an argument called `callbacks` is the server's

    async def ainvoke(
        self, input: str | dict[str, Any] | ToolCall, config: RunnableConfig | None = None, **kwargs: Any
    ) -> Any:
        """Call the tool; a tool call as LangChain's agents make it gives a `ToolMessage`."""
        unwatched = unheard(self, config) if not kwargs and self._is_as_made(input) else None
        if unwatched is None:
            return await super().ainvoke(input, config, **kwargs)
        call = cast("ToolCall", input)
        content, artifact = await Under(unwatched, self._answer(call["args"].copy(), call["id"], unwatched))
        if call["id"] is None or isinstance(content, ToolMessage):
            return content
        return ToolMessage(content, artifact=artifact, tool_call_id=call["id"], name=self.name, status="success")

    def _is_as_made(self, given: str | dict[str, Any] | ToolCall) -> bool:
        """Whether nothing but a listener could make LangChain's way another than the short one."""
        return (
            type(self) is MCPTool
            and isinstance(given, dict)
            and given.get("type") == "tool_call"
            and self.response_format == "content_and_artifact"
            and not self.handle_tool_error
            and not self.handle_validation_error
        )

    # LangChain looks for a parameter of type RunnableConfig at each call and resolves every annotation to find it
    # (75 µs); the config is in its context variable as well, with the run of this call as the parent of others.

    def _run(self, *call: Any) -> Any:
        arguments, tool_call_id = call
        try:
            result = self.bound.answer_sync(arguments, user=ensure_config())
        except Exception as error:
            result = self._failed(error)
        shown = for_model(result, self.bound.limits, name=self.name, files=self.files, whole_at=WHOLE_AT)
        return self._told(result, shown, tool_call_id)

    async def _arun(self, *call: Any) -> Any:
        arguments, tool_call_id = call
        return await self._answer(arguments, tool_call_id, ensure_config())

    async def _answer(
        self, arguments: dict[str, Any], tool_call_id: str | None, config: RunnableConfig
    ) -> tuple[Any, Artifact | None]:
        try:
            result = await self.bound.answer(arguments, user=config)
        except Exception as error:
            result = self._failed(error)
        shown = await show(result, self.bound.limits, name=self.name, files=self.files, whole_at=WHOLE_AT)
        return self._told(result, shown, tool_call_id)

    def _failed(self, error: Exception) -> ToolResult:
        """Tell the model of a fault in middleware or a bound argument: as an exception it would end the run.

        Ours are raised on purpose, LangChain's `ToolException` is handled as the tool says, and LangGraph's own
        exceptions are no failures.
        """
        if isinstance(error, ToolgraftError | ToolException) or steers(error):
            raise error
        return self.bound.fault(error)

    def _told(self, result: ToolResult, shown: Shown, tool_call_id: str | None) -> tuple[Any, Artifact | None]:
        content, artifact = to_content(shown, self.content), to_artifact(result)
        if not result.is_error or tool_call_id is None:
            return content, artifact
        failed = ToolMessage(content, artifact=artifact, tool_call_id=tool_call_id, name=self.name, status="error")
        return failed, None  # a message passes through as it is: raising ToolException would lose the artifact


def steers(error: BaseException) -> bool:
    """Whether an exception is LangGraph's control flow: it interrupts a run or moves it elsewhere."""
    langgraph = sys.modules.get("langgraph.errors")  # not imported, nothing of it can have been raised
    return langgraph is not None and isinstance(error, langgraph.GraphBubbleUp)


_HINTS: Final = tuple(each.name for each in fields(Hints))


@dataclass(frozen=True)
class LangChainAdapter:
    """Makes `MCPTool`s.

    Attributes:
        content: See `MCPTool.content`.
        args: Which schema `args_schema` carries: the strict form where there is one (right under
            `bind_tools(strict=True)` and without it), or always the plain form.
        files: See `MCPTool.files`.
    """

    content: Literal["text", "blocks"] = "text"
    args: Literal["strict", "plain"] = "strict"
    files: Collection[str] = ()

    def __post_init__(self) -> None:
        if self.content not in ("text", "blocks"):
            raise ConfigError(f"content is 'text' or 'blocks', not {self.content!r}")
        if self.args not in ("strict", "plain"):
            raise ConfigError(f"args is 'strict' or 'plain', not {self.args!r}")
        if isinstance(self.files, str):
            raise ConfigError(f"files is a set of media types, not a string: write files={{{self.files!r}}}")

    @property
    def name(self) -> str:
        """`langchain`."""
        return "langchain"

    def steers(self, error: BaseException) -> bool:
        """Whether an exception is LangGraph's control flow."""
        return steers(error)

    def to_tool(self, bound: BoundTool) -> MCPTool:
        """Make the LangChain tool of a bound tool."""
        spec, schema = bound.spec, bound.schema
        strict = schema.strict if self.args == "strict" else None
        mcp = {
            "server": spec.ref.server,
            "tool": spec.ref.tool,
            "title": spec.title,
            "hints": {name: getattr(spec.hints, name) for name in _HINTS},
            "strict": strict is not None,
        }
        return MCPTool(
            name=spec.name,
            description=spec.description,
            args_schema=schema.plain if strict is None else strict,
            metadata={"mcp": mcp},
            bound=bound,
            content=self.content,
            files=frozenset(self.files),
        )

    async def rehearse(
        self, tools: Sequence[MCPTool], calls: Sequence[tuple[str, Mapping[str, Any]]]
    ) -> Sequence[Step]:
        """Run one turn of a real LangChain agent whose model is a script; see `toolgraft.adapter.Adapter`."""
        from toolgraft_langchain.rehearsal import rehearse  # here: it needs the package `langchain`

        return await rehearse(tools, calls)


ADAPTER = LangChainAdapter()


class LangChainOptions(GraftOptions, total=False):
    """The keyword arguments of `graft`; see `toolgraft.Options` and `LangChainAdapter`."""

    content: Literal["text", "blocks"]
    args: Literal["strict", "plain"]
    files: Collection[str]


_FOLLOWED_BY: Final = "give it middleware=[live_tools(tools)], since create_agent copies the list"

_OWN: Final = ("content", "args", "files")


def graft(*sources: Source, **options: Unpack[LangChainOptions]) -> Graft[MCPTool]:
    """Graft MCP servers onto a LangChain agent.

        async with graft(Http("https://example.com/mcp"), "mcp.json") as tools:
            agent = create_agent(model, tools)

    Args:
        sources: Servers, paths of `mcp.json` files, or such files' content as dicts.
        **options: See `toolgraft.Options` and `LangChainAdapter`.

    Returns:
        What to enter, by `async with` or `with`: it gives a list of LangChain tools that has a `.toolbox`.

    Raises:
        ConfigError: A declaration or a config file is wrong.
    """
    given: dict[str, Any] = dict(options)
    own = {name: given.pop(name) for name in _OWN if name in given}
    return Graft(LangChainAdapter(**own), sources, options_of(given, *_OWN), followed_by=_FOLLOWED_BY)
