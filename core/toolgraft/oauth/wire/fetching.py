"""Requests to authorization servers: bounded in time and size, where they may go, and nothing of ours in them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

import httpx2

from toolgraft.errors import OAuthError, OAuthProblem
from toolgraft.oauth.wire.addresses import Guard
from toolgraft.oauth.wire.said import shown

SECONDS: Final = 30.0
"""For one request, whatever comes of it, however slowly."""

MOST_BYTES: Final = 256 * 1024
"""Of one answer."""

REDIRECTS: Final = 3

_PLAIN: Final = {"accept": "application/json", "accept-encoding": "identity"}

MakeClient: TypeAlias = Callable[[], Awaitable[httpx2.AsyncClient]]
"""Makes an HTTP client with the TLS settings and the proxy of the declaration, and none of its headers."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered.

    Attributes:
        status: HTTP status.
        headers: Its headers.
        body: The whole of its body.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> dict[str, Any] | None:
        """The object that it is in JSON, or None."""
        try:
            value: object = json.loads(self.body)
        except (ValueError, RecursionError):
            return None
        return cast("dict[str, Any]", value) if isinstance(value, dict) else None


class Fetch:
    """Makes requests for one server's sign-in.

    Args of its making: the server's name, where requests may go, what makes a client, and whether connections are made
    to the very addresses that were looked at.
    """

    def __init__(self, name: str, guard: Guard, make_client: MakeClient, *, pinned: bool) -> None:
        self.name = name
        self.guard = guard
        self._make_client = make_client
        self._pinned = pinned

    def from_owner(self, url: str) -> Fetch:
        """The same for a URL that the declaration's owner gave: its host is where it may go, wherever that is."""
        return Fetch(self.name, self.guard.of(url), self._make_client, pinned=self._pinned)

    async def get(self, url: str, what: str) -> Answer:
        """Get a document; redirects within its origin are followed."""
        return await self._within_time("GET", url, what, _PLAIN, None)

    async def post(self, url: str, what: str, content: bytes, headers: Mapping[str, str]) -> Answer:
        """Post something; no redirect is followed.

        Raises:
            OAuthError: We do not go there, there is no answer, or it is too large, too slow or a redirect.
        """
        return await self._within_time("POST", url, what, {**_PLAIN, **headers}, content)

    async def _within_time(
        self, method: str, url: str, what: str, headers: Mapping[str, str], content: bytes | None
    ) -> Answer:
        limit = asyncio.timeout(SECONDS)
        try:
            async with limit, await self._make_client() as client:
                return await self._followed(client, method, url, what, headers, content)
        except TimeoutError:
            if not limit.expired():
                raise
            raise self._error("too_slow", f"{what} did not answer within {SECONDS:g} s") from None
        except httpx2.HTTPError as error:
            why = shown(str(error)) or type(error).__name__
            raise self._error("unavailable", f"{what} cannot be reached: {why}") from error

    async def _followed(
        self,
        client: httpx2.AsyncClient,
        method: str,
        url: str,
        what: str,
        headers: Mapping[str, str],
        content: bytes | None,
    ) -> Answer:
        target = self.guard.checked(url, what)
        for _ in range(REDIRECTS + 1):
            request = httpx2.Request(method, target, headers=headers, content=content)
            response = await self._sent(client, request, what)
            try:
                location = response.headers.get("location") if 300 <= response.status_code < 400 else None
                if location is None:
                    return Answer(response.status_code, dict(response.headers), await self._body(response, what))
            finally:
                await response.aclose()
            following = self.guard.checked(str(target.join(location)), what)
            if method != "GET" or not _same_origin(target, following):
                there = following.copy_with(query=None)
                raise self._error("redirected", f"{what} redirects to {there}, which is not followed")
            target = following
        raise self._error("redirected", f"{what} redirects for ever")

    async def _sent(self, client: httpx2.AsyncClient, request: httpx2.Request, what: str) -> httpx2.Response:
        addresses = await self.guard.addresses(request.url, what)
        ways = [_at(request, address) for address in addresses] if self._pinned else []
        last: httpx2.ConnectError | httpx2.ConnectTimeout | None = None
        for way in ways or [request]:
            try:
                return await client.send(way, stream=True, auth=None, follow_redirects=False)
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                last = error
        assert last is not None
        raise last

    async def _body(self, response: httpx2.Response, what: str) -> bytes:
        body = bytearray()
        async for chunk in response.aiter_raw():  # as it comes: a little that is packed can be a lot
            body += chunk
            if len(body) > MOST_BYTES:
                raise self._error("too_large", f"{what} answers with more than {MOST_BYTES // 1024} KiB")
        return bytes(body)

    def _error(self, problem: OAuthProblem, reason: str) -> OAuthError:
        return OAuthError(self.name, problem, reason)


def _at(request: httpx2.Request, address: str) -> httpx2.Request:
    """The request to an address that was looked at, not to what its name may mean by then; TLS is that of the name."""
    url = request.url
    headers = httpx2.Headers(request.headers)
    headers["host"] = url.netloc.decode("ascii")
    extensions = {**request.extensions, "sni_hostname": url.host}
    at = url.copy_with(host=address)
    return httpx2.Request(request.method, at, headers=headers, content=request.content, extensions=extensions)


def _same_origin(one: httpx2.URL, other: httpx2.URL) -> bool:
    upgraded = (one.scheme, one.port, other.scheme, other.port) == ("http", None, "https", None)
    return one.host == other.host and (upgraded or (one.scheme, one.port) == (other.scheme, other.port))
