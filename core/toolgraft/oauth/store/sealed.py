"""Entries sealed with a key that the system's keyring keeps: what is in the file is of no use without it.

A keyring has neither compare-and-set nor lists, and on some systems no room for a token of 4 KiB; a key fits them all.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import os
from collections.abc import Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from toolgraft.config.token_store import Kept, TokenKey, TokenStore
from toolgraft.errors import MissingExtraError

_SERVICE: Final = "toolgraft"
_ACCOUNT: Final = "key of the token store"
_MARK: Final = "sealed:"
_NONCE: Final = 12

_log: Final = logging.getLogger("toolgraft")


class SealedStore:
    """Seals what another store keeps.

    Where the system has no keyring that works, the entries stand in the other store as they are, and that is said once.
    """

    def __init__(self, inner: TokenStore) -> None:
        self._inner = inner
        self._key: bytes | None = None
        self._looked = False

    async def read(self, key: TokenKey) -> Kept | None:
        """Give an entry, or None; one that was sealed with a key that is lost is none."""
        found = await self._inner.read(key)
        if found is None or not found.value.startswith(_MARK):
            return found
        opened = _opened(found.value, key, await self._secret())
        return Kept(opened, found.version) if opened is not None else Kept("", found.version)

    async def swap(self, key: TokenKey, version: str | None, value: str | None) -> bool:
        """Replace an entry if it still has this version."""
        if value is not None and key.kind != "turn" and (secret := await self._secret()) is not None:
            value = _sealed(value, key, secret)
        return await self._inner.swap(key, version, value)

    async def keys(self, server: str | None = None, identity: str | None = None) -> Sequence[TokenKey]:
        """Give the keys that are there."""
        return await self._inner.keys(server, identity)

    async def _secret(self) -> bytes | None:
        if not self._looked:
            self._key = await asyncio.to_thread(_key_of_keyring)
            self._looked = True
        return self._key


def _key_of_keyring() -> bytes | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ModuleNotFoundError:
        raise MissingExtraError("keyring") from None
    try:
        kept = keyring.get_password(_SERVICE, _ACCOUNT)
        if kept is None:
            keyring.set_password(_SERVICE, _ACCOUNT, base64.b64encode(AESGCM.generate_key(256)).decode())
            kept = keyring.get_password(_SERVICE, _ACCOUNT)  # what another process may have written meanwhile
        return base64.b64decode(kept) if kept is not None else None
    except (KeyringError, ValueError, RuntimeError) as error:
        _log.warning("no keyring works here (%s): tokens are kept in a file, mode 0600, unsealed", type(error).__name__)
        return None


def _sealed(value: str, key: TokenKey, secret: bytes) -> str:
    nonce = os.urandom(_NONCE)
    return _MARK + base64.b64encode(nonce + AESGCM(secret).encrypt(nonce, value.encode(), _about(key))).decode()


def _opened(value: str, key: TokenKey, secret: bytes | None) -> str | None:
    if secret is None:
        return None
    try:
        raw = base64.b64decode(value.removeprefix(_MARK))
        return AESGCM(secret).decrypt(raw[:_NONCE], raw[_NONCE:], _about(key)).decode()
    except (ValueError, InvalidTag):
        return None


def _about(key: TokenKey) -> bytes:
    """What an entry is of, so that one cannot be put in another's place."""
    return "\0".join((key.kind, key.server, key.issuer, key.identity)).encode()
