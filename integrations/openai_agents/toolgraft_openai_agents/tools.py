"""Bound tools as OpenAI Agents function tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, Literal, Self, SupportsIndex, Unpack, cast, overload
from weakref import WeakKeyDictionary

from agents import AgentBase, FunctionTool, Model, RunContextWrapper, Tool, UserError
from agents.tool import FunctionToolCustomDataContext
from agents.tool_context import ToolContext
from toolgraft.config import takes
from toolgraft.config.approval import ApprovalRequest, Decision
from toolgraft.config.takes import take_all
from toolgraft.connection.listing.annotations import annotations_of
from toolgraft.content.artifact import Artifact
from toolgraft.dialects import PORTABLE, Dialect
from toolgraft.errors import ApprovalError, NoApproverError, RejectedError, ToolgraftError
from toolgraft.options import GraftOptions, options_of, tells_options
from toolgraft.result import ToolResult
from toolgraft.shown import for_model
from toolgraft.spec import ToolSpec
from toolgraft.toolbox.graft import Graft, Grafted, Source
from toolgraft.tools.answers import Abilities, answer
from toolgraft.tools.bound import BoundTool
from toolgraft.tools.failures import also, failure

from toolgraft_openai_agents.approvals import Approvals, call_id
from toolgraft_openai_agents.clashes import Clashes
from toolgraft_openai_agents.followed import is_followed
from toolgraft_openai_agents.forms import Forms, meant
from toolgraft_openai_agents.metadata import CustomData, MCPMetadata, metadata_of
from toolgraft_openai_agents.models import dialect_of
from toolgraft_openai_agents.output import FILES, WHOLE_AT, to_output
from toolgraft_openai_agents.programs import output_json_schema, to_program_output
from toolgraft_openai_agents.spans import mark_failed, span_of

if TYPE_CHECKING:
    from mcp.types import ToolAnnotations

ABILITIES: Final = Abilities(FILES, whole_at=WHOLE_AT)


@dataclass(frozen=True)
class OpenAIAgentsAdapter:
    """Makes `FunctionTool`s, in the form that the models of one provider take: that of `dialect`.

    Attributes:
        content: The shape of a result that is text only: one plain string, or a list of `ToolOutputText`.
        programmatic: Let programs that the model writes call the tools too, and give them output schemas where these
            are sound. OpenAI Responses only: the SDK refuses such tools with any other model. A tool that has such
            a schema answers in JSON objects only, without pictures.
        model: The model that the tools are for, or its provider: what that takes is what they are given.
    """

    content: Literal["text", "blocks"] = "text"
    programmatic: bool = False
    model: Dialect = PORTABLE

    def approver(self, request: ApprovalRequest) -> Decision:
        """Give what was decided by the SDK's interruptions."""
        context = request.context.user
        if not isinstance(context, ToolContext):
            raise NoApproverError(request.spec.ref, "it is not called by a run of the Agents SDK: give approver=")
        return self._approvals.decision(cast("ToolContext[Any]", context), request.spec)

    @cached_property
    def _approvals(self) -> Approvals:
        return Approvals()

    def __post_init__(self) -> None:
        take_all(self, {"content": takes.either("text", "blocks"), "programmatic": takes.flag})

    @property
    def name(self) -> str:
        """`openai_agents`."""
        return "openai_agents"

    @cached_property
    def _clashes(self) -> Clashes:
        return Clashes()

    def to_tool(self, bound: BoundTool) -> MCPFunctionTool:
        """Make the function tool of a bound tool."""
        spec, forms = bound.spec, Forms(bound)
        form = forms.of(self.model)
        output_schema = output_json_schema(bound.shown_output_schema) if self.programmatic else None
        objects = output_schema is not None
        watched = Watched(self._clashes, None if bound.asked_by(self.approver) else self._approvals)
        invocation = Invocation(bound, self.content, self.model, watched, objects=objects)
        tool = MCPFunctionTool(
            name=spec.name,
            description=spec.description,
            params_json_schema=form.schema,
            on_invoke_tool=invocation,
            strict_json_schema=False,
            custom_data_extractor=invocation.custom_data,
            allowed_callers=["direct", "programmatic"] if self.programmatic else None,
            output_json_schema=output_schema,
            is_enabled=invocation.is_enabled if bound.may_be_hidden else True,
            mcp=metadata_of(bound, form.strict),
            needs_approval=partial(self._approvals.needed, bound) if bound.asked_by(self.approver) else False,
            dialect=self.model,
            forms=forms,
        )
        # Set afterwards: the schema has passed our own lint, and the constructor would walk and rewrite it again.
        tool.strict_json_schema = form.strict
        return tool


@dataclass
class MCPFunctionTool(FunctionTool):
    """A function tool that calls one tool of an MCP server.

    Attributes:
        mcp: What its server said of it, and what was decided; None only for the type's sake.
        dialect: What the provider of the model takes that its arguments are drawn for.
        forms: The same arguments for the models of other providers.
    """

    mcp: MCPMetadata | None = field(default=None, kw_only=True, repr=False)
    dialect: Dialect = field(default=PORTABLE, kw_only=True, repr=False)
    forms: Forms | None = field(default=None, kw_only=True, repr=False)

    @property
    def mcp_annotations(self) -> ToolAnnotations | None:
        """What its server claims of it, as the SDK keeps that of its own MCP tools; see `mcp` for what was decided."""
        return annotations_of(self.mcp.hints, self.mcp.title) if self.mcp is not None else None


@dataclass(frozen=True, slots=True)
class Watched:
    """What is looked at beside a call.

    Attributes:
        clashes: Names that an agent has twice.
        asked_before: What persons were asked about, for a tool without a rule: there may have been one.
    """

    clashes: Clashes
    asked_before: Approvals | None = None

    def refusal(self, context: ToolContext[Any], spec: ToolSpec) -> ToolResult | None:
        """Why a call may not go that a person was asked about by a rule that is gone."""
        if self.asked_before is None or not self.asked_before.was_asked(context):
            return None
        try:
            decision = self.asked_before.decision(context, spec)
        except ApprovalError as error:
            return failure(error)
        return None if decision.approved else failure(RejectedError(spec.ref, decision.reason))


class Invocation:
    """What a function tool does when it is called. A copy is the same one; pickled, it connects anew elsewhere."""

    def __init__(
        self, bound: BoundTool, content: Literal["text", "blocks"], dialect: Dialect, watched: Watched, *, objects: bool
    ) -> None:
        self._bound = bound
        self._watched = watched
        self._content: Literal["text", "blocks"] = content
        self._dialect = dialect
        self._objects = objects
        self._artifacts: WeakKeyDictionary[ToolContext[Any], Artifact] = WeakKeyDictionary()

    def to(self, dialect: Dialect, *, objects: bool) -> Invocation:
        """Do the same with results for the models of another provider; both keep what is for custom data together."""
        made = Invocation(self._bound, self._content, dialect, self._watched, objects=objects)
        made._artifacts = self._artifacts
        return made

    async def __call__(self, context: ToolContext[Any], arguments: str) -> Any:
        """Call the tool and give its result as the SDK takes it."""
        bound, given = meant(self._bound, arguments)
        self._watched.clashes.look(context.agent, MCPFunctionTool)
        span_of(bound.spec.ref.server)
        if (refused := self._watched.refusal(context, bound.spec)) is not None:
            return to_output(for_model(refused, bound.limits), self._content)
        abilities = ABILITIES if is_followed(context) else abilities_of(self._dialect)
        try:
            answered = await answer(bound, given, abilities, user=context, id=call_id(context.tool_call_id))
        except ToolgraftError as error:
            raise _raised(error) from error.__cause__
        result, shown = answered.result, answered.shown
        if result.native is not None:
            return result.native
        self._artifacts[context] = answered.artifact
        if result.is_error:
            mark_failed(context, bound.spec.name, shown.text)
        return to_program_output(result, shown) if self._objects else to_output(shown, self._content)

    async def is_enabled(self, context: RunContextWrapper[Any], _: AgentBase[Any]) -> bool:
        """Whether this run may use the tool; asked for each turn."""
        return await self._bound.is_visible(user=context)

    def custom_data(self, context: FunctionToolCustomDataContext) -> Mapping[str, Any] | None:
        """Give the whole result of a call, once."""
        artifact = self._artifacts.pop(context.tool_context, None)
        return None if artifact is None else {**CustomData(mcp=artifact)}

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _invocation, (self._bound, self._content, self._dialect, self._objects)


def _invocation(bound: BoundTool, content: Literal["text", "blocks"], dialect: Dialect, objects: bool) -> Invocation:
    return Invocation(bound, content, dialect, Watched(Clashes()), objects=objects)


def abilities_of(dialect: Dialect) -> Abilities:
    """What can be done with a result, for models of one provider; what Responses does, with nothing known of them."""
    if dialect == PORTABLE:
        return ABILITIES
    return Abilities(FILES & dialect.files, dialect.pictures == "tool", WHOLE_AT)


def _raised(error: ToolgraftError) -> ToolgraftError:
    """An error that ends the run as what it is: any but the SDK's own would be wrapped."""
    made = also(error, UserError)
    vars(made).update(message=str(error), run_data=None)  # what the SDK's constructors set
    return made


ADAPTER = OpenAIAgentsAdapter()


class GraftedTools(Grafted[Tool]):
    """A list that `Agent(tools=...)` takes, which wants a list of the SDK's `Tool`; its members are function tools."""

    if TYPE_CHECKING:

        def __iter__(self) -> Iterator[MCPFunctionTool]: ...

        @overload
        def __getitem__(self, index: SupportsIndex, /) -> MCPFunctionTool: ...
        @overload
        def __getitem__(self, index: slice, /) -> list[Tool]: ...
        def __getitem__(self, index: SupportsIndex | slice, /) -> MCPFunctionTool | list[Tool]: ...


class AgentsGraft(Graft[Tool]):
    """A `Graft` whose list is typed as `GraftedTools`."""

    async def __aenter__(self) -> GraftedTools:
        return cast("GraftedTools", await super().__aenter__())

    def __enter__(self) -> GraftedTools:
        return cast("GraftedTools", super().__enter__())


class OpenAIAgentsOptions(GraftOptions, total=False):
    """The keyword arguments of `graft`; see `toolgraft.Options` and `OpenAIAgentsAdapter`."""

    model: str | Model | Dialect
    content: Literal["text", "blocks"]
    programmatic: bool


_OWN: Final = ("content", "programmatic")


@tells_options(OpenAIAgentsAdapter)
def graft(*sources: Source, **options: Unpack[OpenAIAgentsOptions]) -> AgentsGraft:
    """Graft MCP servers onto an OpenAI Agents agent.

        async with graft(Http("https://example.com/mcp"), "mcp.json") as tools:
            agent = Agent(name="Assistant", tools=tools)

    Args:
        sources: Servers, paths of `mcp.json` files, or such files' content as dicts.
        **options: See below.

    Returns:
        What to enter, by `async with` or `with`: it gives a list of `FunctionTool`s that has a `.toolbox`.

    Raises:
        ConfigError: A declaration or a config file is wrong.
    """
    given: dict[str, Any] = dict(options)
    own: dict[str, Any] = {name: given.pop(name) for name in _OWN if name in given}
    if "model" in given:
        given["model"] = own["model"] = dialect_of(given["model"])
    return AgentsGraft(OpenAIAgentsAdapter(**own), sources, options_of(given, *_OWN))
