"""An authorization server behind TLS: the certificate is that of its name, though connections go to an address."""

from __future__ import annotations

import pytest
from toolgraft.errors import OAuthError

from tests.connection.test_certificates import Issue, issue
from tests.oauth.conftest import signing_in, using, whoami
from tests.servers.oauth import World, serving

__all__ = ["issue"]

pytestmark = [pytest.mark.anyio, pytest.mark.faults("O11")]


async def test_what_the_declaration_trusts_is_trusted_there_too(world: World, issue: Issue) -> None:
    signed = issue(host="localhost")
    secure = World(host="localhost", tls=str(signed.chain), verify=str(signed.authority), for_resource=world.url)
    with serving(secure):
        world.resource["authorization_servers"] = [secure.issuer]
        world.access = secure.access
        auth = signing_in(world, redirect=secure.visit)
        async with using(world, auth, verify=str(signed.authority)) as toolbox:
            assert await whoami(toolbox) == "alice"
        assert len(secure.asked("authorization_code")) == 1
        async with using(world, signing_in(world, redirect=secure.visit), required=False) as toolbox:
            failed = toolbox.failures["it"]
        assert isinstance(failed.__cause__, OAuthError)
        assert failed.__cause__.problem == "unavailable"
