"""A person signs in once."""

from __future__ import annotations

import pytest

from tests.oauth.conftest import signing_in, using, whoami
from tests.servers.oauth import World

pytestmark = pytest.mark.anyio


async def test_a_declaration_is_all_that_it_takes(world: World) -> None:
    async with using(world, signing_in(world)) as toolbox:
        assert await whoami(toolbox) == "alice"
        assert await whoami(toolbox) == "alice"
    assert len(world.asked("authorize")) == len(world.asked("register")) == 1
    (asked,) = world.asked("authorize")
    assert asked["code_challenge_method"] == "S256"
    assert asked["resource"] == world.url
    assert asked["scope"] == "tools"
