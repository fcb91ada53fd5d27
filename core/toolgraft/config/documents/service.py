"""How an entry says that a program signs in by itself: what of it can be written in a file.

"auth": {"grant_type": "client_credentials", "client_id": "…", "client_secret": "${SECRET}", "issuer": "https://…"}
"auth": {"grant_type": "client_credentials", "client_id": "…", "private_key": "${KEY}", "algorithm": "RS256"}

An id token and the assertion of a workload change all the time, and are given by functions, in code.
"""

from __future__ import annotations

from typing import Any, Final

from toolgraft.config.documents.fields import Fields, called
from toolgraft.config.service import ClientCredentials, Credential, PrivateKey
from toolgraft.errors import ConfigError

GRANT: Final = ("grant_type", "grantType")
"""How the kind of grant is spelled."""
_KEY: Final = ("private_key", "privateKey")


def grant_type(fields: Fields) -> str | None:
    """The grant that is asked for; None for a person's."""
    named = fields.word(*GRANT)
    return None if named == "authorization_code" else named


def service(fields: Fields) -> ClientCredentials:
    """Take what is said of a client's own grant.

    Raises:
        ConfigError: It is another grant, or does not make one.
    """
    if (named := grant_type(fields)) != "client_credentials":
        known = "'client_credentials' or 'authorization_code'"
        reason = f"is {known}, not {str(named)[:60]!r}; others take functions, in code"
        raise ConfigError(reason, where=fields.at("grant_type"))
    client_id = fields.text("client_id", "clientId")
    credential = _credential(fields)
    _, scope = fields.value("scope", "scopes")
    if not isinstance(scope, str | list | None):
        raise ConfigError(f"is a string of scopes or a list of them, not {called(scope)}", where=fields.at("scope"))
    given: dict[str, Any] = {
        "client_auth": fields.text("client_auth", "clientAuth"),
        "issuer": fields.text("issuer"),
        "store": fields.text("store"),
        "dpop": fields.flag("dpop"),
        "scope": scope or None,
    }
    options = {name: each for name, each in given.items() if each is not None}
    fields.taken.add("enabled")
    if left := fields.left_over():
        raise ConfigError("is not known here; ClientCredentials(...) in code takes more", where=fields.at(left[0]))
    if client_id is None:
        raise ConfigError("has no client_id", where=fields.where)
    try:
        return ClientCredentials(client_id, credential, **options)
    except ConfigError as error:
        raise ConfigError(str(error), where=fields.where) from None


def _credential(fields: Fields) -> Credential:
    secret, pem = fields.text("client_secret", "clientSecret"), fields.text(*_KEY)
    algorithm: Any = fields.word("algorithm")
    key_id = fields.text("key_id", "keyId")
    if pem is None and secret is not None and algorithm is None and key_id is None:
        return secret
    if pem is None or secret is not None:
        raise ConfigError("has either client_secret, or private_key with its algorithm and key_id", where=fields.where)
    try:
        return PrivateKey(pem.replace("\\n", "\n"), algorithm, key_id)  # as variables and one-line files have it
    except ConfigError as error:
        raise ConfigError(str(error), where=fields.at(_KEY[0])) from None
