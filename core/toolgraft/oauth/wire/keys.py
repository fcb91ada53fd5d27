"""Private keys and what is signed with them (RFC 7515, RFC 7517). PyJWT and cryptography are imported when used."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

ALGORITHMS: Final = ("ES256", "ES384", "ES512", "EdDSA", "PS256", "RS256")
"""Signatures of keys that we make, the preferred first (RFC 7518 section 3.1, RFC 8037)."""

_PUBLIC: Final = ("kty", "crv", "x", "y", "n", "e")
_RSA_BITS: Final = 2048


def new_jwk(algorithm: str) -> str:
    """Make a private key for one of `ALGORITHMS`, as a JWK in JSON."""
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
    from jwt.algorithms import get_default_algorithms

    make: Mapping[str, Callable[[], Any]] = {
        "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
        "ES384": lambda: ec.generate_private_key(ec.SECP384R1()),
        "ES512": lambda: ec.generate_private_key(ec.SECP521R1()),
        "EdDSA": ed25519.Ed25519PrivateKey.generate,
    }
    key = make[algorithm]() if algorithm in make else rsa.generate_private_key(65537, _RSA_BITS)
    jwk = get_default_algorithms()[algorithm].to_jwk(key, as_dict=True)
    return json.dumps({**{name: value for name, value in jwk.items() if name != "key_ops"}, "alg": algorithm})


def public_jwk(key: str) -> Mapping[str, Any] | None:
    """What others may know of a private JWK; None where it is none of ours."""
    try:
        jwk = json.loads(key)
        if jwk["alg"] not in ALGORITHMS or "d" not in jwk:
            return None
        return {name: jwk[name] for name in _PUBLIC if name in jwk}
    except (ValueError, KeyError, TypeError):
        return None


def signed(claims: Mapping[str, Any], key: str, headers: Mapping[str, Any]) -> str:
    """A JWT, signed with a private JWK."""
    import jwt

    private = jwt.PyJWK(json.loads(key))
    return jwt.encode(dict(claims), private.key, algorithm=private.algorithm_name, headers=dict(headers))
