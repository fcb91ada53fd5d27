"""Bound tools as LangChain tools."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, Unpack, cast

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.messages.tool import ToolOutputMixin
from langchain_core.runnables import RunnableConfig, ensure_config
from langchain_core.tools import ArgsSchema, BaseTool, ToolException
from pydantic import BaseModel, Field, SkipValidation
from toolgraft.config import takes, wellformed
from toolgraft.config.approval import ApprovalRequest, Decision
from toolgraft.config.takes import Take, take_all
from toolgraft.content.artifact import Artifact
from toolgraft.content.text import compact
from toolgraft.dialects import PORTABLE, Dialect
from toolgraft.errors import ArgumentsError, CallError, ConfigError
from toolgraft.options import GraftOptions, options_of, tells_options
from toolgraft.toolbox.graft import Graft, Source
from toolgraft.tools.answers import Abilities, Answered, answer, answer_sync
from toolgraft.tools.bound import BoundTool
from toolgraft.tools.failures import also

from toolgraft_langchain.approval.interrupts import Interrupts
from toolgraft_langchain.approval.reviews import Reviews
from toolgraft_langchain.asked_by import dialect_for_result
from toolgraft_langchain.caller import Caller, input_model, parted, without_runtime
from toolgraft_langchain.fast_path import Under, quiet_config
from toolgraft_langchain.forms import meant, ordinary_form, strict_form
from toolgraft_langchain.media import named_for
from toolgraft_langchain.metadata import metadata_of
from toolgraft_langchain.models import dialect_of
from toolgraft_langchain.output import WHOLE_AT, to_content
from toolgraft_langchain.strict_requests import is_strict_request


def _is_own(content: object) -> bool:
    """Whether it is a message or a command of the framework's, or a list of such, which passes as it is."""
    listed = cast("list[object]", content if isinstance(content, list) else [content])
    return bool(listed) and all(isinstance(each, ToolOutputMixin) for each in listed)


def steers(error: BaseException) -> bool:
    """Whether an exception is LangGraph's control flow: it interrupts a run or moves it elsewhere."""
    langgraph = sys.modules.get("langgraph.errors")  # not imported, nothing of it can have been raised
    return langgraph is not None and isinstance(error, langgraph.GraphBubbleUp)


def _passes(error: BaseException) -> bool:
    """Whether it goes to the host as it is; LangChain's `ToolException` is handled as the tool says."""
    return isinstance(error, ToolException) or steers(error)


class MCPTool(BaseTool):
    """A LangChain tool that calls one tool of an MCP server.

    Its arguments may have any name. A failed call gives a `ToolMessage` with `status="error"` and ends no run.

    Attributes:
        bound: The tool behind it.
        content: The shape of a result that is text only: one plain string, or a list of blocks.
        files: Media types of files that the model takes in a tool's message, e.g. `{"application/pdf"}` for Anthropic
            and for OpenAI's Responses API. None by default: Chat Completions refuses such a message, then and later.
        dialect: What the provider of the model takes that the tool is for.
        reviews: What people say of its calls to LangChain's middleware, where that can ask for it (see `interrupt_on`).
    """

    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    bound: SkipValidation[BoundTool] = Field(repr=False, exclude=True)
    content: Literal["text", "blocks"] = "text"
    files: frozenset[str] = frozenset()
    dialect: SkipValidation[Dialect] = Field(default=PORTABLE, repr=False, exclude=True)
    reviews: SkipValidation[Reviews | None] = Field(default=None, repr=False, exclude=True)

    @cached_property
    def strict_schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments where LangChain marks every tool as strict, also this one."""
        return strict_form(self.bound)

    @property
    def tool_call_schema(self) -> ArgsSchema:
        """The JSON Schema of the arguments, with the description; in a strict request, `strict_schema`."""
        if is_strict_request():
            return {**self.strict_schema, "description": self.description}
        return super().tool_call_schema

    def get_input_schema(self, config: RunnableConfig | None = None) -> type[BaseModel]:
        """Give the one model that stands for all tools' input; `get_input_jsonschema` has the tool's own."""
        return input_model()

    def get_input_jsonschema(self, config: RunnableConfig | None = None) -> dict[str, Any]:
        """Give the JSON Schema of the tool's arguments."""
        return cast("dict[str, Any]", self.args_schema)

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if isinstance(tool_input, str):
            raise ArgumentsError(self.bound.spec.ref, ["/: wanted a dict of arguments, got a string"])
        # As two positional arguments, so that no argument's name can meet one of LangChain's own.
        return (tool_input, tool_call_id), {}

    def _filter_injected_args(self, tool_input: dict[str, Any]) -> dict[str, Any]:
        return without_runtime(tool_input)  # nothing else is injected: an argument `callbacks` is the server's

    async def ainvoke(
        self, input: str | dict[str, Any] | ToolCall, config: RunnableConfig | None = None, **kwargs: Any
    ) -> Any:
        """Call the tool; a tool call as LangChain's agents make it gives a `ToolMessage`."""
        unwatched = quiet_config(self, config) if not kwargs and self._is_as_made(input) else None
        if unwatched is None:
            return await super().ainvoke(input, config, **kwargs)
        call = cast("ToolCall", input)
        content, artifact = await Under(unwatched, self._answer(call["args"], call["id"], unwatched))
        if call["id"] is None or _is_own(content):
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
        given, caller = parted(call[0], ensure_config(), call[1])
        if self.reviews is not None:
            caller.agreed = self.reviews.agreed_sync(self.bound, caller, given)
        bound, arguments = meant(self.bound, given)
        try:
            answered = answer_sync(bound, arguments, self._abilities(caller), **caller.options)
        except CallError as error:
            raise also(error, ToolException) from error.__cause__
        return self._told(answered, caller.tool_call_id)

    async def _arun(self, *call: Any) -> Any:
        arguments, tool_call_id = call
        return await self._answer(arguments, tool_call_id, ensure_config())

    async def _answer(
        self, given: dict[str, Any], tool_call_id: str | None, config: RunnableConfig
    ) -> tuple[Any, Artifact | None]:
        own, caller = parted(given, config, tool_call_id)
        if self.reviews is not None:
            caller.agreed = await self.reviews.agreed(self.bound, caller, own)
        bound, arguments = meant(self.bound, own)
        try:
            answered = await answer(bound, arguments, self._abilities(caller), **caller.options)
        except CallError as error:
            raise also(error, ToolException) from error.__cause__
        return self._told(answered, tool_call_id)

    def _abilities(self, caller: Caller) -> Abilities:
        pictures = dialect_for_result(self.dialect, caller).pictures == "tool"
        return Abilities(self.files, pictures, WHOLE_AT, _passes)

    def _told(self, answered: Answered, tool_call_id: str | None) -> tuple[Any, Artifact | None]:
        if answered.result.native is not None:
            native = answered.result.native
            return native if isinstance(native, str) or _is_own(native) else compact(native), None
        content, artifact = to_content(answered.shown, self.content), answered.artifact
        if not isinstance(content, str):
            content = named_for(content, self.dialect, tool_call_id)
        if not answered.result.is_error:
            return content, artifact
        # A message passes through as it is: raising ToolException would lose the artifact, and bare text the mark.
        failed = ToolMessage(
            content, artifact=artifact, tool_call_id=tool_call_id or "", name=self.name, status="error"
        )
        return failed, None


def _media_types(field: str, value: Any) -> frozenset[str]:
    if isinstance(value, str):
        raise ConfigError(f"{field} is a set of media types, not a string: write {field}={{{value!r}}}")
    return frozenset(wellformed.names(field, value))


_TAKES: Final[Mapping[str, Take]] = {
    "content": takes.either("text", "blocks"),
    "args": takes.either("strict", "plain"),
    "files": _media_types,
}


@dataclass(frozen=True)
class LangChainAdapter:
    """Makes `MCPTool`s.

    Attributes:
        content: See `MCPTool.content`.
        args: Which schema `args_schema` carries: the strict form where there is one (right under
            `bind_tools(strict=True)` and without it), or always the plain form.
        files: See `MCPTool.files`; those that the model's provider takes are among them.
        model: The model that the tools are for, or its provider: what that takes is what they are given.
    """

    content: Literal["text", "blocks"] = "text"
    args: Literal["strict", "plain"] = "strict"
    files: Collection[str] = ()
    model: Dialect = PORTABLE

    def __post_init__(self) -> None:
        take_all(self, _TAKES)

    @property
    def name(self) -> str:
        """`langchain`."""
        return "langchain"

    def steers(self, error: BaseException) -> bool:
        """Whether an exception is LangGraph's control flow."""
        return steers(error)

    @cached_property
    def _interrupts(self) -> Interrupts:
        return Interrupts()

    def approver(self, request: ApprovalRequest) -> Decision:
        """Ask for a call by interrupting the graph that makes it."""
        return self._interrupts.ask(request)

    def to_tool(self, bound: BoundTool) -> MCPTool:
        """Make the LangChain tool of a bound tool."""
        dialect = self.model if self.args == "strict" else replace(self.model, strict=False)
        rule = bound.asked_by(self.approver)
        form = ordinary_form(bound, dialect)
        return MCPTool(
            name=bound.spec.name,
            description=bound.spec.description,
            args_schema=form.schema,
            metadata={"mcp": metadata_of(bound, form.strict)},
            bound=bound,
            content=self.content,
            files=frozenset(self.files) | dialect.files,
            dialect=dialect,
            reviews=self._interrupts.reviews if rule is not None and not rule.approvers and not rule.verify else None,
        )


ADAPTER = LangChainAdapter()


class LangChainOptions(GraftOptions, total=False):
    """The keyword arguments of `graft`; see `toolgraft.Options` and `LangChainAdapter`."""

    content: Literal["text", "blocks"]
    args: Literal["strict", "plain"]
    files: Collection[str]


_FOLLOWED_BY: Final = "give it middleware=[live_tools(tools)], since create_agent copies the list"

_OWN: Final = ("content", "args", "files")


@tells_options(LangChainAdapter)
def graft(*sources: Source, **options: Unpack[LangChainOptions]) -> Graft[MCPTool]:
    """Graft MCP servers onto a LangChain agent.

        async with graft(Http("https://example.com/mcp"), "mcp.json") as tools:
            agent = create_agent(model, tools)

    Args:
        sources: Servers, paths of `mcp.json` files, or such files' content as dicts.
        **options: See below.

    Returns:
        What to enter, by `async with` or `with`: it gives a list of LangChain tools that has a `.toolbox`.

    Raises:
        ConfigError: A declaration or a config file is wrong.
    """
    given: dict[str, Any] = dict(options)
    own: dict[str, Any] = {name: given.pop(name) for name in _OWN if name in given}
    if "model" in given:
        given["model"] = own["model"] = dialect_of(given["model"])
    return Graft(LangChainAdapter(**own), sources, options_of(given, *_OWN), followed_by=_FOLLOWED_BY)
