"""Signing in to a server that is reached over HTTP with SSE: the stream and each message bring a token."""

from __future__ import annotations

import pytest
from toolgraft import Sse, connect

from tests.oauth.conftest import signing_in, whoami
from tests.servers.oauth import serving
from tests.servers.oauth_sse import SseWorld

pytestmark = [pytest.mark.anyio, pytest.mark.faults("O1")]


@pytest.mark.parametrize("dpop", [False, True])
async def test_a_stream_and_its_messages_bring_a_token_that_is_renewed(dpop: bool) -> None:
    with serving(SseWorld(dpop=dpop, metadata={"dpop_signing_alg_values_supported": ["ES256"]})) as world:
        assert isinstance(world, SseWorld)
        server = Sse(world.url, name="it", auth=signing_in(world, dpop=dpop), errors="raise", required=True)
        async with connect(server) as toolbox:
            assert await whoami(toolbox) == "alice"
            world.expire()
            assert await whoami(toolbox) == "alice"
        assert len(world.asked("authorize")) == len(world.asked("refresh_token")) == 1
        assert not world.unfit
        assert bool(world.proofs) is dpop
