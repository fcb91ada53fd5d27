"""The server that wants tokens, over HTTP with SSE: answers come on a stream that is opened with a token too."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tests.servers.oauth_services import ServiceWorld


@dataclass
class SseWorld(ServiceWorld):
    """The same servers.

    Attributes:
        answers: What is to go out on the stream.
    """

    answers: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue[bytes])

    async def _mcp(self, request: Request) -> Response:
        if request.method == "GET":
            return self._opened(request)
        answer = await super()._mcp(request)
        if answer.status_code != 200:
            return answer
        await self.answers.put(bytes(answer.body))
        return Response(status_code=202)

    def _opened(self, request: Request) -> Response:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        shown = scheme == "DPoP" if self.dpop else scheme == "Bearer"
        if not shown or token not in self.access or (self.dpop and not self._proven(request, token)):
            return self.challenge("invalid_token")
        return StreamingResponse(self._stream(), media_type="text/event-stream")

    async def _stream(self) -> AsyncIterator[bytes]:
        yield b"event: endpoint\ndata: /mcp\n\n"
        while True:
            yield b"event: message\ndata: " + await self.answers.get() + b"\n\n"
