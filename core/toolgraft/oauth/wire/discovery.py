"""Which authorization server a server has, and what that says of itself (RFC 9728, RFC 8414, OIDC Discovery)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx2
from mcp.client.auth.utils import (
    build_oauth_authorization_server_metadata_discovery_urls,
    build_protected_resource_metadata_discovery_urls,
    issuers_match,
)
from mcp.shared.auth_utils import check_resource_allowed, resource_url_from_server_url
from mcp_types import LATEST_PROTOCOL_VERSION

from toolgraft.errors import OAuthError
from toolgraft.oauth.challenge import Challenge
from toolgraft.oauth.values import AuthorizationServer
from toolgraft.oauth.wire.fetching import Answer, Fetch
from toolgraft.oauth.wire.members import flag, text, texts

_RESOURCE: Final = "its OAuth metadata"
_SERVER: Final = "the metadata of its authorization server"

VERSION: Final = {"mcp-protocol-version": LATEST_PROTOCOL_VERSION}


@dataclass(frozen=True, slots=True)
class ProtectedResource:
    """What a server says of who may call it (RFC 9728).

    Attributes:
        resource: What tokens are asked for; the server, or what it is a part of.
        issuers: Authorization servers that give them, the preferred first.
        scopes: Those that it knows; None where it does not say.
    """

    resource: str
    issuers: tuple[str, ...]
    scopes: tuple[str, ...] | None = None


def canonical(server: str) -> str:
    """A server's URL as a resource (RFC 8707 section 2): without user info and fragment."""
    url = httpx2.URL(server).copy_with(userinfo=b"", fragment=None)
    return resource_url_from_server_url(str(url))


async def protected_resource(fetch: Fetch, server: str, challenge: Challenge) -> ProtectedResource | None:
    """What a server publishes; None where it publishes nothing, as before 2025-06-18.

    Raises:
        OAuthError: What it publishes is not for this server, or whether it does cannot be seen now.
    """
    failed = 0
    for url in build_protected_resource_metadata_discovery_urls(challenge.resource_metadata, canonical(server)):
        answer = await fetch.get(url, _RESOURCE)
        if answer.status >= 500 or answer.status == 429:
            failed = answer.status
        found = _resource_in(answer)
        if found is None:
            continue
        if not check_resource_allowed(requested_resource=canonical(server), configured_resource=_normal(found)):
            reason = f"{_RESOURCE} is for another resource, {found.resource[:200]!r}"
            raise OAuthError(fetch.name, "resource_mismatch", reason)
        return found
    if failed:
        raise OAuthError(fetch.name, "unavailable", f"{_RESOURCE} cannot be read now: HTTP {failed}")
    return None


async def authorization_server(fetch: Fetch, issuer: str | None, server: str) -> AuthorizationServer:
    """What an authorization server says of itself.

    Args:
        fetch: Makes the requests.
        issuer: Its identifier; None where the server names none, and is taken for its own.
        server: URL of the server.

    Raises:
        OAuthError: It says nothing, says that it is another, or cannot be asked now.
    """
    url = httpx2.URL(server)
    expected = issuer or str(url.copy_with(raw_path=b"/", userinfo=b"", fragment=None)).rstrip("/")
    for candidate in build_oauth_authorization_server_metadata_discovery_urls(issuer, canonical(server)):
        answer = await fetch.get(candidate, _SERVER)
        if answer.status >= 500 or answer.status == 429:
            raise OAuthError(fetch.name, "unavailable", f"{_SERVER} cannot be read now: HTTP {answer.status}")
        raw = answer.json() if answer.status == 200 else None
        if raw is None:
            continue
        said = text(raw, "issuer")
        if said is None or not issuers_match(said, expected):
            reason = f"{_SERVER}, {expected!r}, says that it is {str(said)[:200]!r}"
            raise OAuthError(fetch.name, "issuer_mismatch", reason)
        return _server_in(fetch, said, raw)
    if issuer is None:
        reason = "it wants a login and publishes no OAuth metadata: a token goes into Bearer(...)"
        raise OAuthError(fetch.name, "not_offered", reason)
    raise OAuthError(fetch.name, "metadata_invalid", f"its authorization server {issuer!r} publishes no metadata")


def _server_in(fetch: Fetch, issuer: str, raw: Mapping[str, Any]) -> AuthorizationServer:
    token_endpoint = text(raw, "token_endpoint")
    if token_endpoint is None:
        raise OAuthError(fetch.name, "metadata_invalid", f"{_SERVER} names no token endpoint")
    return AuthorizationServer(
        issuer=issuer,
        token_endpoint=token_endpoint,
        authorization_endpoint=text(raw, "authorization_endpoint"),
        registration_endpoint=text(raw, "registration_endpoint"),
        revocation_endpoint=text(raw, "revocation_endpoint"),
        scopes=texts(raw, "scopes_supported") or (),
        challenge_methods=texts(raw, "code_challenge_methods_supported") or (),
        client_auth_methods=texts(raw, "token_endpoint_auth_methods_supported"),
        grant_types=texts(raw, "grant_types_supported"),
        takes_client_documents=flag(raw, "client_id_metadata_document_supported"),
        sends_issuer=flag(raw, "authorization_response_iss_parameter_supported"),
        dpop_algorithms=texts(raw, "dpop_signing_alg_values_supported") or (),
    )


def _resource_in(answer: Answer) -> ProtectedResource | None:
    raw = answer.json() if answer.status == 200 else None
    resource = text(raw, "resource") if raw else None
    issuers = texts(raw, "authorization_servers") if raw else None
    if raw is None or resource is None or not issuers:
        return None
    return ProtectedResource(resource, issuers, texts(raw, "scopes_supported"))


def _normal(found: ProtectedResource) -> str:
    """Without a default port, and the host in lower case, so that it compares."""
    try:
        return str(httpx2.URL(found.resource))
    except (httpx2.InvalidURL, ValueError):
        return ""
