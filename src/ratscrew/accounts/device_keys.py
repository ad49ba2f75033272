"""Signed device keys: which account a browser holds, as which of its devices. They do not expire.

A device can be removed. A forged key costs one hash and no look-up in the store.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import NamedTuple

from itsdangerous import BadSignature, Signer

from ratscrew.accounts.values import PREFIX, Values

KEY = f"{PREFIX}device-key"
"""The name of the secret that signs device keys, and challenges for passkeys."""


_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)


class Device(NamedTuple):
    """An account by its id, and one of the devices that hold it."""

    account: str
    device: str


class DeviceKeys:
    """Signs and reads device keys.

    Raises: LogError if the secret cannot be read or made.
    """

    def __init__(self, values: Values) -> None:
        self._signer = signer(values, b"device")

    def sign(self, account: str, device: str) -> str:
        return self._signer.sign(f"{account}.{device}").decode()

    def read(self, key: str) -> Device | None:
        """The device of a key; None if it is forged."""
        if not key.isascii():
            return None
        try:
            account, _, device = self._signer.unsign(key).decode().partition(".")
        except BadSignature:
            return None
        return Device(account, device)


def signer(values: Values, purpose: bytes) -> Signer:
    """Signs with the secret of all servers that share a store. What is signed for one purpose is forged for another.

    Raises: LogError if the secret cannot be read or made.
    """
    secret = values.get_or_create(KEY, lambda: secrets.token_bytes(32))
    return Signer(secret, salt=purpose, key_derivation="hmac", digest_method=hashlib.sha256)


def new_id() -> str:
    """A random id of an account or a device."""
    return secrets.token_hex(8)


def is_id(text: str) -> bool:
    """Whether a text could be such an id."""
    return _ID.fullmatch(text) is not None
