"""A call as a framework makes it: what came of it and what the model is shown, whatever happens on the way.

An adapter tells its framework's `Abilities` and puts the `Answered` into the framework's own words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Unpack

from toolgraft.calls import CallOptions
from toolgraft.content.artifact import Artifact, to_artifact
from toolgraft.content.size import is_large
from toolgraft.dialects import PORTABLE, Dialect, Form
from toolgraft.result import Text, ToolResult
from toolgraft.schema import parse
from toolgraft.shown import Shown, for_model, is_slow
from toolgraft.tools.bound import BoundTool
from toolgraft.tools.failures import steers_nothing, told


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a framework can do with a result.

    Attributes:
        files: Media types of files that it gives to its models, e.g. `{"application/pdf"}`.
        pictures: Whether its models can be given pictures in a tool's result.
        whole_at: Where it keeps the whole result, as it stands in notes to the model.
        steers: Whether an exception is the framework's own control flow, which passes as it is.
    """

    files: frozenset[str] = frozenset()
    pictures: bool = True
    whole_at: str = "the result's artifact"
    steers: Callable[[BaseException], bool] = steers_nothing


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a call.

    Attributes:
        result: The whole result, also of a call that failed.
        shown: What the model is shown of it.
        artifact: The whole result as plain JSON that any serializer takes.
    """

    result: ToolResult
    shown: Shown
    artifact: Artifact


def form_of(bound: BoundTool, dialect: Dialect = PORTABLE) -> Form:
    """Give the form of a tool's arguments that a provider's models are given; by default the one that all take."""
    return dialect.form(bound.schema)


async def answer(
    bound: BoundTool, arguments: Mapping[str, Any] | str, abilities: Abilities, **caller: Unpack[CallOptions]
) -> Answered:
    """Call a tool, and give failures as results too where its server's `errors` say so.

    Args:
        bound: The tool.
        arguments: As the model wrote them, an object or its JSON text.
        abilities: What the framework can do.
        **caller: Who calls and on which terms.

    Raises:
        ClosedError: The toolbox is closed: a mistake of the program, of which no model can make anything.
        ToolgraftError: Whatever failed, where `errors` say that it is raised; a `ToolError` for a tool that says
            itself that it failed.
        Exception: One that steers the framework, or one of the application's own code that is to be raised.
    """
    result = await result_of(bound, arguments, abilities, **caller)
    work = partial(_answered, bound, result, abilities)
    if not _is_large(result) and not is_slow(result, bound.limits):
        return work()
    from anyio.to_thread import run_sync

    return await run_sync(work)


def answer_sync(
    bound: BoundTool, arguments: Mapping[str, Any] | str, abilities: Abilities, **caller: Unpack[CallOptions]
) -> Answered:
    """Do as `answer` does, from a thread that may wait.

    Raises:
        ClosedError: This thread runs the event loop that the answer would have to come from.
    """
    result = bound.connection.wait(lambda: result_of(bound, arguments, abilities, **caller))
    return _answered(bound, result, abilities)


async def result_of(
    bound: BoundTool, arguments: Mapping[str, Any] | str, abilities: Abilities, **caller: Unpack[CallOptions]
) -> ToolResult:
    """Do as `answer` does, and give the result alone."""

    async def call() -> ToolResult:
        return await bound.call(parse(arguments) if isinstance(arguments, str) else arguments, **caller)

    return await told(call(), bound.spec.ref, bound.server, bound.limits, abilities.steers)


def _answered(bound: BoundTool, result: ToolResult, abilities: Abilities) -> Answered:
    shown = for_model(
        result,
        bound.limits,
        name=bound.spec.name,
        pictures=abilities.pictures,
        files=abilities.files,
        whole_at=abilities.whole_at,
    )
    return Answered(result, shown, to_artifact(result))


def _is_large(result: ToolResult) -> bool:
    held = [result.structured, result.meta, *(part.meta for part in result.parts)]
    return is_large(held, _MANY) or any(isinstance(part, Text) and len(part.text) > _LONG_TEXT for part in result.parts)


_MANY: Final = 5_000
"""Parts and structured values above which a result is prepared in a thread."""

_LONG_TEXT: Final = 1_000_000
"""Characters of text above which it is looked through in a thread."""
