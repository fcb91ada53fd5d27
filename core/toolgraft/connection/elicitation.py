"""A server that needs input in the middle of a call: the rounds are driven here, and a person's time stops the clock.

Modern servers answer with what they need (`InputRequiredResult`) and are called again with the answers; old ones send a
request of their own (`elicitation/create`) while the call waits. Both end at the `elicit` callback of the declaration.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import mcp_types as types
from mcp import MCPError

from toolgraft.config.options import Answer, CallContext, Elicitation
from toolgraft.connection.record import CURRENT, Record
from toolgraft.errors import ProtocolError, ResultError

if TYPE_CHECKING:
    from mcp.client import ClientRequestContext

    from toolgraft.config.servers import Server

QUESTIONS: Final = 64
"""Rounds with questions in one call; a server that asks for ever is stopped."""

URL_NEEDED: Final = -32042
"""The 2025-11-25 way to ask that a page be opened before the call is repeated."""

_FIRST_WAIT: Final = 0.05
_LONGEST_WAIT: Final = 5.0

_log: Final = logging.getLogger("toolgraft")
R = TypeVar("R", bound=types.Request[Any, Any])


class Questions:
    """Answers the questions of one server."""

    def __init__(self, config: Server, in_flight: Iterable[Record]) -> None:
        self._config = config
        self._in_flight = in_flight

    async def drive(self, request: R, record: Record, send: Callable[[R], Awaitable[dict[str, Any]]]) -> dict[str, Any]:
        """Send a request, answer what is asked, and send it again until its result is there."""
        questions, wait = 0, _FIRST_WAIT
        raw = await self._send_shown(request, record, send)
        while (kind := raw.get("resultType")) == "input_required":
            asked = raw.get("inputRequests")
            answers: dict[str, types.ElicitResult] = {}
            if isinstance(asked, Mapping) and asked:
                questions += 1
                if questions > QUESTIONS:
                    raise ResultError(record.ref, f"the server asked {QUESTIONS} times and is not done")
                answers = await self._answers(cast("Mapping[str, Any]", asked), record)
            else:  # it only wants to be asked again: a long-running tool
                await asyncio.sleep(wait)
                wait = min(wait * 2, _LONGEST_WAIT)
            raw = await send(_answered(request, answers, raw.get("requestState")))
        if kind is not None and kind != "complete":
            raise ResultError(record.ref, f"the tool ran, but the kind of its result is not known: {str(kind)[:100]!r}")
        return raw

    async def legacy(
        self, context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        """Answer an `elicitation/create` that a server sent while a call waits.

        The protocol does not say which call it belongs to. Where the transport carries contexts it is known all the
        same; else every call in flight stands still, and it is told when there is only one.
        """
        known = CURRENT.get()
        waiting = [known] if known is not None else list(self._in_flight)
        context_of = waiting[0].context if len(waiting) == 1 else CallContext(self._config.name)
        return await self._ask(params.model_dump(by_alias=True, exclude_none=True), context_of, waiting)

    async def _send_shown(
        self, request: R, record: Record, send: Callable[[R], Awaitable[dict[str, Any]]]
    ) -> dict[str, Any]:
        """Send; where the server wants pages opened first, show them and send once more."""
        try:
            return await send(request)
        except MCPError as error:
            if error.code != URL_NEEDED or self._config.elicit is None:
                raise
            pages: Any = _mapping(error.data).get("elicitations")
            for page in cast("list[object]", pages) if isinstance(pages, list) else []:
                answer = await self._ask(_mapping(page), record.context, [record])
                if answer.action != "accept":
                    raise
            return await send(request)

    async def _answers(self, asked: Mapping[str, Any], record: Record) -> dict[str, types.ElicitResult]:
        """One person is asked one thing at a time."""
        answers: dict[str, types.ElicitResult] = {}
        for key, request in asked.items():
            method = _mapping(request).get("method")
            if method != "elicitation/create":
                raise ProtocolError(
                    record.ref, f"the server asks for {method!r}, which is not offered", code=types.INVALID_REQUEST
                )
            params = _mapping(_mapping(request).get("params"))
            answers[key] = await self._ask(params, record.context, [record])
        return answers

    async def _ask(
        self, params: Mapping[str, Any], context: CallContext, waiting: Iterable[Record]
    ) -> types.ElicitResult:
        question = _question(params, context)
        if self._config.elicit is None or question is None:
            return types.ElicitResult(action="decline")
        with ExitStack() as clocks:
            for record in waiting:
                if record.clock is not None:
                    clocks.enter_context(record.clock.paused())
            answer = await self._person(question)
        if answer.action != "accept":
            return types.ElicitResult(action=answer.action)
        content = None if question.schema is None else {**_defaults(question.schema), **answer.content}
        return types.ElicitResult(action="accept", content=content)

    async def _person(self, question: Elicitation) -> Answer:
        elicit = self._config.elicit
        assert elicit is not None
        try:
            if inspect.iscoroutinefunction(elicit) or inspect.iscoroutinefunction(type(elicit).__call__):
                given = elicit(question)
            else:
                given = await asyncio.to_thread(elicit, question)  # it may block, e.g. on input()
            return await given if inspect.isawaitable(given) else given
        except Exception:
            _log.exception("the elicit callback of server '%s' raised; the question is cancelled", self._config.name)
            return Answer("cancel")


def _question(params: Mapping[str, Any], context: CallContext) -> Elicitation | None:
    message = str(params.get("message", ""))
    url = params.get("url")
    if isinstance(url, str):
        return Elicitation(context, message, url=url) if url.startswith(("https://", "http://")) else None
    return Elicitation(context, message, schema=_mapping(params.get("requestedSchema")))


def _defaults(schema: Mapping[str, Any]) -> dict[str, Any]:
    fields = {key: _mapping(field) for key, field in _mapping(schema.get("properties")).items()}
    return {key: field["default"] for key, field in fields.items() if "default" in field}


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _answered(request: R, answers: Mapping[str, types.ElicitResult], state: object) -> R:
    """The same request with the answers and the server's state, which goes back as it came."""
    update = {"input_responses": answers or None, "request_state": state if isinstance(state, str) else None}
    return request.model_copy(update={"params": request.params.model_copy(update=update)})
