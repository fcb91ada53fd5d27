"""A server that needs input in the middle of a call: the rounds are driven here, and a person's time stops the clock.

Modern servers answer with what they need (`InputRequiredResult`) and are called again with the answers; old ones send a
request of their own (`elicitation/create`) while the call waits. Both end at the `elicit` callback of the declaration.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import mcp_types as types
from mcp import MCPError

from toolgraft.config.options import CallContext, Elicitation
from toolgraft.connection.calls import forms
from toolgraft.connection.calls.asking import Person, Raised
from toolgraft.connection.session.ongoing import Ongoing
from toolgraft.connection.wire.control_flow import ControlFlow
from toolgraft.connection.wire.in_flight import CURRENT, InFlight
from toolgraft.errors import PageRequiredError, ProtocolError, ResultError

if TYPE_CHECKING:
    from mcp.client import ClientRequestContext

    from toolgraft.config.servers import Server

QUESTIONS: Final = 64
"""Questions in one call; a server that asks for ever is stopped."""

OPEN: Final = 8
"""Questions that an old server may have open at once, for each call under way."""

URL_NEEDED: Final = -32042
"""The 2025-11-25 way to ask that a page be opened before the call is repeated."""

HOLD: Final = 1.0
"""Seconds that a question waits until it is clear which call it belongs to: the one that does not end."""

_FIRST_WAIT: Final = 0.05
_LONGEST_WAIT: Final = 5.0
_REMEDY: Final = "give the server's declaration elicit=, a function that asks a person"

_log: Final = logging.getLogger("toolgraft")
R = TypeVar("R", bound=types.Request[Any, Any])


class Questions:
    """Answers the questions of one server."""

    def __init__(self, config: Server, steers: ControlFlow) -> None:
        self._server = config.name
        self._person = Person(config.elicit, config.name, steers) if config.elicit is not None else None
        self._open = 0
        self._declined = 0

    async def drive(
        self, request: R, in_flight: InFlight, send: Callable[[R], Awaitable[dict[str, Any]]]
    ) -> dict[str, Any]:
        """Send a request, answer what is asked, and send it again until its result is there.

        Raises:
            PageRequiredError: A page must be opened first, and nobody did.
            CallbackError: The `elicit` function failed.
            BaseException: What the `elicit` function raised by which the host steers its run.
        """
        wait, shown = _FIRST_WAIT, set[str]()
        raw = await self._send(request, in_flight, send, shown)
        while (kind := raw.get("resultType")) == "input_required":
            asked = raw.get("inputRequests")
            answers: dict[str, types.ElicitResult] = {}
            if isinstance(asked, Mapping) and asked:
                answers = await self._answers(cast("Mapping[str, Any]", asked), in_flight)
            else:  # it only wants to be asked again: a long-running tool
                await asyncio.sleep(wait)
                wait = min(wait * 2, _LONGEST_WAIT)
            raw = await self._send(_answered(request, answers, raw.get("requestState")), in_flight, send, shown)
        if kind is not None and kind != "complete":
            raise ResultError(
                in_flight.ref, f"the tool ran, but the kind of its result is not known: {str(kind)[:100]!r}"
            )
        return raw

    async def legacy(
        self, ongoing: Ongoing, context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        """Answer an `elicitation/create` that a server sent while a call of a session waits.

        The protocol does not say which call it belongs to. Where the transport carries contexts it is known all the
        same. Else it is the one whose turn it is, or the last one of those beside it, since a call that asks does not
        end. Where several are left after a moment, all of them stand still while a person is asked, who is not told
        which tool it is; the next time they take turns.
        """
        known = CURRENT.get()
        if known is not None and known in ongoing:
            waiting = [known]
            ongoing.turns.end()
        else:
            waiting = ongoing.may_ask()
        if not waiting or self._open >= OPEN * len(waiting):
            return self._decline("no call is under way" if not waiting else f"{self._open} are open already")
        self._open += 1
        try:
            with _standing_still(waiting):
                waiting = await ongoing.last_of(waiting, HOLD)
            return await self._answer_one_of(waiting, params.model_dump(by_alias=True, exclude_none=True), ongoing)
        finally:
            self._open -= 1

    async def _answer_one_of(
        self, waiting: Sequence[InFlight], params: Mapping[str, Any], ongoing: Ongoing
    ) -> types.ElicitResult | types.ErrorData:
        """Answer a question of one of these calls."""
        owner = waiting[0] if len(waiting) == 1 else None
        for in_flight in waiting:
            in_flight.questions += 1 / len(waiting)
            ongoing.turns.asked(in_flight)
        if not waiting or min(in_flight.questions for in_flight in waiting) > QUESTIONS:
            if owner is not None and owner.clock is not None:
                owner.clock.end(_endless(owner))
            return self._decline("it asked too often" if waiting else "its call has ended")
        if self._person is None:
            return self._nobody(owner, params)
        if owner is None:
            outcome = await self._ask(forms.question(params, CallContext(self._server)), None, waiting)
            return self._ended_one_of(waiting, outcome.error) if isinstance(outcome, Raised) else outcome
        with ongoing.asked_for(owner), _standing_still(waiting):
            outcome = await self._ask(forms.question(params, owner.context), owner, waiting)
            if isinstance(outcome, Raised):
                return self._ended([owner], outcome.error)
            await ongoing.runs_again(owner)
        return outcome

    def _nobody(self, owner: InFlight | None, params: Mapping[str, Any]) -> types.ErrorData:
        """A server asks though nobody was offered. A page that it needs is told; a form it can do without."""
        if not self._declined:
            _log.warning("server '%s' asks a person, and there is nobody: %s", self._server, _REMEDY)
        self._declined += 1
        if owner is not None and owner.clock is not None and forms.host(str(params.get("url", ""))):
            owner.clock.end(_page_required(owner, [params], _REMEDY))
        return types.ErrorData(code=types.INVALID_REQUEST, message="Elicitation not supported")

    def _decline(self, why: str) -> types.ElicitResult:
        """Say no for the person; it is logged once, since whoever asks like that asks often."""
        self._declined += 1
        if self._declined == 1:
            _log.warning("a question of server '%s' was declined unseen, as others will be: %s", self._server, why)
        return types.ElicitResult(action="decline")

    def _ended(self, calls: Sequence[InFlight], error: BaseException) -> types.ErrorData:
        """End the call that a question belongs to by what came of asking, there and on the server."""
        ended = [call for call in calls if call.clock is not None and call.clock.end(error)]
        if not ended:
            _log.error(
                "a question of server '%s' ended with an error, and no call is known to be its own: several are under "
                "way and the protocol does not say which asked, or it has ended",
                self._server,
                exc_info=error,
            )
        return types.ErrorData(code=types.INTERNAL_ERROR, message="the question could not be put to a person")

    def _ended_one_of(self, waiting: Sequence[InFlight], error: BaseException) -> types.ErrorData:
        """It is not known which call to end; what ends the program ends them all."""
        told = self._ended(waiting if isinstance(error, KeyboardInterrupt | SystemExit) else [], error)
        return types.ErrorData(code=told.code, message=f"{told.message}: several calls were under way; repeat this one")

    async def _send(
        self, request: R, in_flight: InFlight, send: Callable[[R], Awaitable[dict[str, Any]]], shown: set[str]
    ) -> dict[str, Any]:
        """Send; where the server wants pages opened first, show each once and send again."""
        while True:
            try:
                return await send(request)
            except MCPError as error:
                unheard = error.code == types.MISSING_REQUIRED_CLIENT_CAPABILITY or in_flight.questions
                if unheard and self._person is None and error.code != URL_NEEDED:
                    message = in_flight.said(f"{error.message}; {_REMEDY}")
                    raise ProtocolError(in_flight.ref, message, code=error.code, data=error.data) from error
                pages = _pages(error)
                if not pages:
                    raise
                await self._show(pages, in_flight, shown, error)

    async def _show(
        self, pages: Sequence[Mapping[str, Any]], in_flight: InFlight, shown: set[str], error: MCPError
    ) -> None:
        unseen = [page for page in pages if page["url"] not in shown]
        if self._person is None:
            raise _page_required(in_flight, pages, _REMEDY, error) from error
        if not unseen:
            raise _page_required(in_flight, pages, "it was shown, and the server still asks for it", error) from error
        self._count(in_flight, len(unseen))
        for page in unseen:
            shown.add(page["url"])
            outcome = await self._ask(forms.question(page, in_flight.context), in_flight, [in_flight])
            if isinstance(outcome, Raised):
                raise outcome.error
            if outcome.action != "accept":
                raise _page_required(in_flight, [page], f"the answer was {outcome.action}", error) from error

    async def _answers(self, asked: Mapping[str, Any], in_flight: InFlight) -> dict[str, types.ElicitResult]:
        """All is looked at before anybody is asked; then one person is asked one thing at a time."""
        for request in asked.values():
            method = forms.mapping(request).get("method")
            if method != "elicitation/create":
                reason = f"the server asks for {str(method)[:100]!r}, which is not offered"
                raise ProtocolError(in_flight.ref, in_flight.said(reason), code=types.INVALID_REQUEST)
        questions = {key: forms.mapping(forms.mapping(request).get("params")) for key, request in asked.items()}
        pages = [params for params in questions.values() if forms.host(str(params.get("url", "")))]
        if pages and self._person is None:
            raise _page_required(in_flight, pages, _REMEDY)
        self._count(in_flight, len(questions))
        answers: dict[str, types.ElicitResult] = {}
        for key, params in questions.items():
            outcome = await self._ask(forms.question(params, in_flight.context), in_flight, [in_flight])
            if isinstance(outcome, Raised):
                raise outcome.error
            answers[key] = outcome
        return answers

    def _count(self, in_flight: InFlight, questions: int) -> None:
        in_flight.questions += questions
        if in_flight.questions > QUESTIONS:
            raise _endless(in_flight)

    async def _ask(
        self, asked: Elicitation | None, owner: InFlight | None, waiting: Sequence[InFlight]
    ) -> types.ElicitResult | Raised:
        """Ask while the clocks of those who may be waiting for it stand still."""
        if self._person is None or asked is None:
            return types.ElicitResult(action="decline")
        with _standing_still(waiting):
            if owner is None:
                return await self._person.answer(asked, None, copy_context())
            return await self._person.answer(asked, owner.ref, owner.scope.copy())


@contextmanager
def _standing_still(calls: Sequence[InFlight]) -> Generator[None]:
    """The clocks of calls stand still."""
    with ExitStack() as clocks:
        for call in calls:
            if call.clock is not None:
                clocks.enter_context(call.clock.paused())
        yield


def _endless(in_flight: InFlight) -> ResultError:
    return ResultError(in_flight.ref, in_flight.said(f"the server asked {QUESTIONS} times and is not done"))


def _pages(error: MCPError) -> list[Mapping[str, Any]]:
    """The web pages that an error wants opened first."""
    if error.code != URL_NEEDED:
        return []
    pages: Any = forms.mapping(error.data).get("elicitations")
    given = [forms.mapping(page) for page in cast("list[object]", pages)] if isinstance(pages, list) else []
    named = [page for page in given if isinstance(page.get("url"), str) and forms.host(page["url"])]
    if not named and (url := forms.first_url(error.message)):  # some only say it
        return [{"url": url, "message": forms.without_urls(error.message)}]
    return named


def _page_required(
    in_flight: InFlight, pages: Sequence[Mapping[str, Any]], why: str, error: MCPError | None = None
) -> PageRequiredError:
    urls = [str(page["url"]) for page in pages[:QUESTIONS]]
    hosts = " and ".join(list(dict.fromkeys(forms.host(url) for url in urls))[:3])
    said = error.message if error is not None else "the server asks for it"
    reason = in_flight.said(f"a page at {hosts} must be opened first ({forms.without_urls(said)}): {why}")
    return PageRequiredError(in_flight.ref, reason, urls=urls, code=URL_NEEDED, data=error.data if error else None)


def _answered(request: R, answers: Mapping[str, types.ElicitResult], state: object) -> R:
    """The same request with the answers and the server's state, which goes back as it came."""
    update = {"input_responses": answers or None, "request_state": state if isinstance(state, str) else None}
    return request.model_copy(update={"params": request.params.model_copy(update=update)})
