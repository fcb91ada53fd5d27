"""One HTTP request to a server: who makes it, whether it left, how it failed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import anyio
import httpx2

from toolgraft.connection.wire.http.failures import OUTAGE, REDIRECTED, HttpFailures
from toolgraft.connection.wire.http.identities import Cookies, Identities
from toolgraft.connection.wire.http.signing import signing
from toolgraft.connection.wire.in_flight import CURRENT, Failure, InFlight, Ran, WireError

if TYPE_CHECKING:
    from toolgraft.config.options import CallContext
    from toolgraft.config.servers import Http, Sse

REDIRECTS: Final = 5
_MARK: Final = "toolgraft"


class Mark:
    """What is known of a request on its way; it travels in the request's extensions.

    Attributes:
        left: It has left, and was not refused since.
        patience: Seconds that the server has to answer, not counting what an auth flow does meanwhile.
        scope: Everything that is done for it; cancelled when the patience ends, or the connection does.
    """

    __slots__ = ("left", "patience", "scope")

    def __init__(self, scope: anyio.CancelScope | None = None, patience: float = math.inf) -> None:
        self.left = False
        self.patience = patience
        self.scope = scope

    def waits(self) -> None:
        """From now on the server keeps us waiting."""
        if self.scope is not None and self.patience != math.inf:
            self.scope.deadline = anyio.current_time() + self.patience

    def rests(self) -> None:
        """It is not the server that is waited for."""
        if self.scope is not None and self.patience != math.inf:
            self.scope.deadline = math.inf


class HttpRequests:
    """Makes the requests of one connection: headers and cookies of the caller, redirects within the origin.

    Attributes:
        failures: Puts into words what goes wrong.
        url: The endpoint, without user info.
    """

    def __init__(self, config: Http | Sse, client: httpx2.AsyncClient, who: CallContext) -> None:
        given = httpx2.URL(config.url)
        self.failures = HttpFailures(config)
        self.url = given.copy_with(userinfo=b"")
        self._client = client
        self._identities = Identities(config)
        self._cookies = Cookies()
        self._ours = InFlight(who)
        self._options: dict[str, Any] = {"stream": True, "follow_redirects": False}
        if given.userinfo and client.auth is None:  # kept out of every URL, and so out of logs and tracebacks
            self._options["auth"] = httpx2.BasicAuth(given.username, given.password)
        self._signing = signing(config)
        _watch(client)

    async def end(self) -> None:
        """End what is done beside the requests."""
        if self._signing is not None:
            await self._signing.end()

    async def send(
        self,
        method: str,
        url: httpx2.URL,
        mark: Mark,
        *,
        headers: Mapping[str, str],
        content: bytes | None = None,
        ours: bool = False,
    ) -> httpx2.Response:
        """Make a request and give the head of its answer, whatever that is; redirects within the origin are followed.

        Args:
            method: HTTP method.
            url: Where to.
            mark: ServerInfo whether it left.
            headers: Beside those of the caller.
            content: The body.
            ours: It belongs to the connection, whatever call this is run in.

        Raises:
            WireError: There is no answer, or it is a redirect that is not followed.
        """
        in_flight = self._ours if ours else CURRENT.get() or self._ours
        try:
            identity = "" if self._identities.alike else await self._identities.recognise(in_flight)
            request = self._client.build_request(method, url, content=content, headers=headers)
            for _ in range(REDIRECTS + 1):
                response = await self._once(request, mark, in_flight, identity)
                following = response.next_request
                if following is None:
                    return response
                await response.aclose()
                if not _may_follow(response.request, following):
                    raise WireError(_not_followed(response, following))
                request = following
            raise WireError(Failure("it redirects for ever", ran="no"))
        except Exception as error:
            failure = self.failures.of(error, left=mark.left)
        raise WireError(failure) from failure.cause  # here, or what the libraries below say hangs on it

    async def _once(self, request: httpx2.Request, mark: Mark, in_flight: InFlight, identity: str) -> httpx2.Response:
        request.extensions = {**request.extensions, _MARK: mark}
        if in_flight.given:
            request.headers.update(in_flight.given)
        self._cookies.add_to(request, identity)
        if self._signing is not None:
            response = await self._signing.send(request, identity, self._sent)
        else:
            response = await self._sent(request)
        self._cookies.keep(response, identity)
        self.failures.answered = True
        return response

    async def _sent(self, request: httpx2.Request) -> httpx2.Response:
        return await self._client.send(request, **self._options)


def _watch(client: httpx2.AsyncClient) -> None:
    """See requests leave and answers come, below the auth flow; the user's own hooks come first."""

    async def leaves(request: httpx2.Request) -> None:
        mark = request.extensions.get(_MARK)
        if mark is not None:
            mark.left = True
            mark.waits()

    async def returns(response: httpx2.Response) -> None:
        mark = response.request.extensions.get(_MARK)
        if mark is not None:
            mark.rests()
            if response.status_code in OUTAGE:
                mark.left = False

    hooks = client.event_hooks
    client.event_hooks = {
        "request": [*hooks.get("request", []), leaves],
        "response": [*hooks.get("response", []), returns],
    }


def origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    """Scheme, host and port; a default port is None."""
    return url.scheme, url.host, url.port


def _may_follow(sent: httpx2.Request, following: httpx2.Request) -> bool:
    """Whether a redirect keeps the message and the origin; from http to https of the same host is the same origin."""
    upgraded = (
        sent.url.host == following.url.host
        and (sent.url.scheme, sent.url.port) == ("http", None)
        and (following.url.scheme, following.url.port) == ("https", None)
    )
    same = origin(sent.url) == origin(following.url) or upgraded
    return same and following.method == sent.method and not following.url.userinfo


def _not_followed(response: httpx2.Response, following: httpx2.Request) -> Failure:
    where = following.url.copy_with(userinfo=b"", query=None, fragment=None)
    if origin(response.request.url) == origin(following.url):
        reason = f"HTTP {response.status_code}, a redirect to {where} that would lose the message; use that URL"
    else:
        reason = f"HTTP {response.status_code}, it redirects to {where}; use that, if you trust it"
    ran: Ran = "no" if response.status_code in REDIRECTED else "perhaps"
    return Failure(reason, ran=ran, http_status=response.status_code)
