"""Who calls over HTTP: the headers made for each request, and the identity whose cookies and session go with it."""

from __future__ import annotations

import hashlib
import inspect
import logging
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

import httpx2

from toolgraft.config import wellformed
from toolgraft.config.oauth import Bearer, bearer_token
from toolgraft.connection.wire.in_flight import OPENED_FOR, Failure, InFlight, WireError
from toolgraft.errors import ConfigError

if TYPE_CHECKING:
    from toolgraft.config.options import CallContext
    from toolgraft.config.servers import Remote

V = TypeVar("V")

JARS: Final = 1000
"""Identities whose cookies are kept at once; what was not used for longest is forgotten."""

_OF_ONE_CALL: Final = re.compile(
    r"(x-)?((ms-)?client-|ms-|amzn-)?(request|correlation|call|message|invocation|transaction|operation)-?id"
    r"|(x-)?(cloud-|amzn-|uber-|sentry-)?trace(-?id|-context)?|traceparent|tracestate|baggage"
    r"|b3|x-b3-(traceid|spanid|parentspanid|sampled|flags)|(x-)?(ot-)?span-(id|context)"
    r"|x-datadog-(trace-id|parent-id|sampling-priority|origin|tags)"
    r"|(x-)?(idempotency-key|nonce|timestamp|deadline|request-(start|time))|(x-amz-)?date",
    re.IGNORECASE,
)
"""Names of headers that tell one request from another, and no caller from another."""

_log: Final = logging.getLogger("toolgraft")


class Identities:
    """Tells the callers of one server apart.

    Identity is what the declaration's `identity` says. Without it, it is made of what the `headers` function gives,
    but for headers that belong to a single request (`X-Request-Id`, `traceparent` and the like): callers who could be
    different are never taken for one.

    Attributes:
        alike: All callers are one.
    """

    def __init__(self, config: Remote) -> None:
        self._config = config
        self._token = config.auth.token if isinstance(config.auth, Bearer) else ""
        self.alike = not (callable(config.headers) or callable(self._token)) and config.identity is None

    async def headers(self, in_flight: InFlight) -> Mapping[str, str]:
        """What the declaration's `headers` and `token` functions give for a call; empty where there are none.

        Raises:
            WireError: A function raised, which is the cause, or gave what no header can be.
        """
        headers, made = self._config.headers, dict[str, str]()
        if callable(headers):
            made = await self._made("headers", headers, in_flight, self._checked)
        if callable(self._token):
            token = await self._made("token", self._token, in_flight, bearer_token)
            made["Authorization"] = f"Bearer {token}"
        return made

    async def _made(
        self, name: str, function: Callable[[CallContext], Any], in_flight: InFlight, take: Callable[[str, Any], V]
    ) -> V:
        try:
            given = function(in_flight.context)
            made = await given if inspect.isawaitable(given) else given
        except Exception as error:
            raise self._failed(name, error, in_flight) from error
        try:
            return take(name, made)
        except ConfigError as error:
            reason = f"its {name} function gave what cannot be sent: {error}"
            raise WireError(Failure(reason, sent=False, ran="no", cause=error)) from error

    def _checked(self, name: str, made: Mapping[str, str]) -> dict[str, str]:
        headers = wellformed.headers(name, made)
        if self._config.auth is not None and "authorization" in {each.lower() for each in headers}:
            raise ConfigError("headers has Authorization, and auth makes one: keep one of the two")
        return headers

    async def recognise(self, in_flight: InFlight) -> str:
        """Whose call it is; its headers are made, once for the call.

        Raises:
            WireError: A function of the declaration raised, which is the cause.
        """
        if in_flight.call is None and (opened_for := OPENED_FOR.get()) is not None:
            in_flight.given, in_flight.identity = opened_for.given, opened_for.identity
        if in_flight.given is None:
            in_flight.given = await self.headers(in_flight)
        if in_flight.identity is None:
            in_flight.identity = self.identity(in_flight, in_flight.given)
        return in_flight.identity

    def identity(self, in_flight: InFlight, headers: Mapping[str, str]) -> str:
        """A key of the caller.

        Raises:
            WireError: The declaration's `identity` function raised, which is the cause.
        """
        if self._config.identity is None:
            return _digest(headers)
        try:
            return str(self._config.identity(in_flight.context))
        except Exception as error:
            raise self._failed("identity", error, in_flight) from error

    def _failed(self, function: str, error: Exception, in_flight: InFlight) -> WireError:
        """Its text is on the cause only: a token fetcher's may hold the token."""
        if not in_flight.steers(error):
            _log.error("the %s function of server '%s' raised", function, self._config.name, exc_info=error)
        reason = f"its {function} function failed: {type(error).__name__}"
        return WireError(Failure(reason, sent=False, ran="no", cause=error))


class Cookies:
    """What a server set, for each identity apart."""

    def __init__(self) -> None:
        self._jars: OrderedDict[str, httpx2.Cookies] = OrderedDict()

    def add_to(self, request: httpx2.Request, identity: str) -> None:
        """Send an identity's cookies."""
        jar = self._jars.get(identity)
        if jar is not None:
            self._jars.move_to_end(identity)
            jar.set_cookie_header(request)

    def keep(self, response: httpx2.Response, identity: str) -> None:
        """Keep what a server set for an identity."""
        if "set-cookie" not in response.headers:
            return
        jar = self._jars.setdefault(identity, httpx2.Cookies())
        jar.extract_cookies(response)
        for cookie in tuple(jar.jar):
            if not wellformed.sendable(f"{cookie.name}={cookie.value}"):  # or nothing could be sent any more
                jar.jar.clear(cookie.domain, cookie.path, cookie.name)
        self._jars.move_to_end(identity)
        if len(self._jars) > JARS:
            self._jars.popitem(last=False)


def _digest(headers: Mapping[str, str]) -> str:
    """Not the headers themselves: they hold secrets."""
    lines = sorted(f"{key.lower()}:{value}" for key, value in headers.items() if not _OF_ONE_CALL.fullmatch(key))
    return hashlib.sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()
