"""How each scenario signs in: as its context says, a service by itself, anything else by a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolgraft import ClientCredentials, EnterpriseManaged, PrivateKey, WorkloadIdentity
from toolgraft.config.oauth import OAuthGrant

from tests.conformance.person import has_a_person_sign_in


def signs_in(scenario: str, context: Mapping[str, Any]) -> OAuthGrant:
    """How it is signed in to."""
    match scenario.removeprefix("auth/"):
        case "client-credentials-basic":
            return ClientCredentials(context["client_id"], context["client_secret"])
        case "client-credentials-jwt":
            key = PrivateKey(context["private_key_pem"], context["signing_algorithm"])
            return ClientCredentials(context["client_id"], key)
        case "enterprise-managed-authorization":
            return EnterpriseManaged(
                context["client_id"],
                context["client_secret"],
                idp_token_endpoint=context["idp_token_endpoint"],
                id_token=context["idp_id_token"],
                idp_client_id=context["idp_client_id"],
            )
        case "wif-jwt-bearer":
            return WorkloadIdentity(lambda _: str(context["valid_jwt"]), context["client_id"])
        case "dpop" | "dpop-nonce":
            return replace(has_a_person_sign_in(context), dpop=True)
        case _:
            return has_a_person_sign_in(context)
