"""How an entry says that a server is signed in to, as the hosts spell it.

"auth": "oauth"                                         FastMCP, ours
"oauth": true                                           opencode
"oauth": {"clientId": …, "clientSecret": …, "scope": …} opencode, Claude Code (with `callbackPort`), Gemini CLI
"auth": {"CLIENT_ID": …, "CLIENT_SECRET": …, "scopes": […]}  Cursor
"auth": {"grant_type": "client_credentials", "client_id": …, "client_secret": "${…}"}  ours: see `service`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from toolgraft.config.documents.fields import Fields, called, object_of
from toolgraft.config.documents.service import GRANT, grant_type, service
from toolgraft.config.oauth import Bearer, OAuth, OAuthGrant
from toolgraft.errors import ConfigError

_SPELLED: Final[Mapping[str, tuple[str, ...]]] = {
    "client_id": ("client_id", "clientId", "CLIENT_ID"),
    "client_secret": ("client_secret", "clientSecret", "CLIENT_SECRET"),
    "client_metadata_url": ("client_metadata_url", "clientMetadataUrl"),
    "issuer": ("issuer",),
    "redirect_uri": ("redirect_uri", "redirectUri", "redirectUrl"),
    "store": ("store",),
    "ask": ("ask",),
}
_SCOPES: Final = ("scope", "scopes")
_PORT: Final = ("callbackPort", "callback_port")


def sign_in(fields: Fields) -> Any:
    """Take what an entry says of signing in; None where it says nothing of it, or nothing that is known here.

    Raises:
        ConfigError: It is no way to sign in.
    """
    auth, oauth = fields.raw.get("auth"), fields.raw.get("oauth")
    if hasattr(auth, "async_auth_flow") or isinstance(auth, OAuthGrant | Bearer):
        return fields.value("auth")[1]  # of a dict that was made in code
    if auth == "oauth" or oauth is True:
        fields.taken.add("auth")
    if isinstance(oauth, Mapping) and cast("Mapping[str, object]", oauth).get("enabled") is not False:
        return _declared(fields, "oauth", cast("Mapping[str, object]", oauth))
    if oauth is True or auth == "oauth":
        fields.taken.add("oauth")
        return OAuth()
    if isinstance(auth, Mapping) and any(name in auth for name in (*_SPELLED["client_id"], *GRANT)):
        return _declared(fields, "auth", cast("Mapping[str, object]", auth))
    return None


def _declared(fields: Fields, name: str, raw: Mapping[str, object]) -> OAuthGrant:
    fields.taken.add(name)
    here = fields.at(name)
    inner = Fields(object_of(dict(raw), "an object", here), here, fields.expand)
    if grant_type(inner) is not None:
        return service(inner)
    given: dict[str, Any] = {field: inner.text(*names) for field, names in _SPELLED.items()}
    _, scope = inner.value(*_SCOPES)
    given["dpop"] = inner.flag("dpop")
    _, port = inner.value(*_PORT)
    inner.taken.add("enabled")
    if left := inner.left_over():
        raise ConfigError("is not known here; an OAuth(...) in code takes more", where=inner.at(left[0]))
    if not isinstance(scope, str | list | None):
        raise ConfigError(f"is a string of scopes or a list of them, not {called(scope)}", where=inner.at("scope"))
    if isinstance(port, int) and not isinstance(port, bool) and given["redirect_uri"] is None:
        given["redirect_uri"] = f"http://localhost:{port}/callback"
    given["scope"] = scope or None
    try:
        return OAuth(**{field: each for field, each in given.items() if each is not None})
    except ConfigError as error:
        raise ConfigError(str(error), where=here) from None
