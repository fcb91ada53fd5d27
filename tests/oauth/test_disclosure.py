"""A server that names an authorization server of its own choice is not thereby shown a secret that is for another."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import pytest
from toolgraft import ClientCredentials, EnterpriseManaged, PrivateKey
from toolgraft.config.oauth import OAuthGrant
from toolgraft.errors import OAuthError

from tests.oauth.conftest import signing_in, using, whoami
from tests.servers.oauth import serving
from tests.servers.oauth_services import KEYS, ServiceWorld, assertion_of, pem_of

pytestmark = [pytest.mark.anyio, pytest.mark.faults("O9")]

SECRET = "hush-hush"


@pytest.fixture
def world() -> Generator[ServiceWorld]:
    """Its authorization server is on another host, as far as names tell."""
    with serving(ServiceWorld()) as served:
        assert isinstance(served, ServiceWorld)
        served.clients["me"] = {"client_secret": SECRET}
        elsewhere = f"http://localhost:{served.port}/as"
        ends = {f"{end}_endpoint": f"{elsewhere}/{end}" for end in ("token", "revocation")}
        served.metadata |= {**ends, "issuer": elsewhere, "authorization_endpoint": f"{elsewhere}/authorize"}
        served.metadata["authorization_response_iss_parameter_supported"] = False
        served.resource["authorization_servers"] = [elsewhere]
        yield served


def of_a_service(world: ServiceWorld) -> OAuthGrant:
    return ClientCredentials("me", SECRET)


def of_a_key_for_one_audience(world: ServiceWorld) -> OAuthGrant:
    world.clients["me"] = {"algorithm": "ES256"}
    return ClientCredentials("me", PrivateKey(pem_of(KEYS["ES256"]), audience="https://real.example.com"))


def of_an_enterprise(world: ServiceWorld) -> OAuthGrant:
    given: dict[str, Any] = {"idp_token_endpoint": world.idp_token_endpoint, "idp_client_id": "idp-client"}
    return EnterpriseManaged("me", SECRET, id_token=assertion_of("ann", "idp-client"), **given)


def of_a_person(world: ServiceWorld) -> OAuthGrant:
    return signing_in(world, client_id="me", client_secret=SECRET)


WHOSE = [of_a_service, of_a_key_for_one_audience, of_an_enterprise, of_a_person]


@pytest.mark.parametrize("made", WHOSE)
async def test_a_secret_is_not_shown_to_whom_the_server_alone_names(made: Any, world: ServiceWorld) -> None:
    async with using(world, made(world), required=False) as toolbox:
        error = toolbox.failures["it"].__cause__
    assert isinstance(error, OAuthError)
    assert error.problem == "issuer_mismatch"
    assert f"write issuer='http://localhost:{world.port}/as'" in str(error)
    assert {kind for kind, _ in world.log} == {"mcp"}, "nobody was asked for anything"
    assert SECRET not in str(error)


@pytest.mark.parametrize("trusted", ["issuer", "host"])
async def test_it_is_shown_to_whom_the_declaration_names(trusted: str, world: ServiceWorld) -> None:
    auth = ClientCredentials("me", SECRET)
    elsewhere = f"http://localhost:{world.port}/as"
    auth = replace(auth, issuer=elsewhere) if trusted == "issuer" else replace(auth, trusted_hosts=["localhost"])
    async with using(world, auth) as toolbox:
        assert await whoami(toolbox) == "me"
