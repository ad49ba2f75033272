"""An authenticator in software: makes passkeys and signs with them, by the bytes of WebAuthn's specification alone."""

from __future__ import annotations

import hashlib
import json
import secrets
import struct
from base64 import urlsafe_b64encode
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

USER_PRESENT, HAS_KEY = 0x01, 0x40


class Authenticator:
    """Has one passkey, once it has made it. `host` is the site that it belongs to, `origin` that of the page."""

    def __init__(self, host: str, origin: str) -> None:
        self.host, self.origin = host, origin
        self._key, self._id, self._user = generate_private_key(SECP256R1()), secrets.token_bytes(16), ""

    def make(self, options: dict[str, Any]) -> dict[str, str]:
        """Create a passkey, and register it (sections 6.1 and 6.5)."""
        self._user = options["user"]
        numbers = self._key.public_key().public_numbers()
        # a map of COSE (RFC 9053): key type 2 (EC2), algorithm -7 (ES256), curve 1 (P-256), x, y
        key = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + numbers.x.to_bytes(32) + b"\x22\x58\x20"
        key += numbers.y.to_bytes(32)
        data = self._data(USER_PRESENT | HAS_KEY) + bytes(16) + struct.pack(">H", len(self._id)) + self._id + key
        # a map of CBOR: fmt "none", attStmt {}, authData
        attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
        client_data = self._client_data("webauthn.create", options)
        return {"id": text(self._id), "client_data": text(client_data), "attestation": text(attestation)}

    def use(self, options: dict[str, Any]) -> dict[str, str]:
        """The assertion (section 6.3.3)."""
        data, client_data = self._data(USER_PRESENT), self._client_data("webauthn.get", options)
        signature = self._key.sign(data + hashlib.sha256(client_data).digest(), ECDSA(SHA256()))
        return {
            "id": text(self._id),
            "user": text(self._user.encode()),
            "client_data": text(client_data),
            "authenticator_data": text(data),
            "signature": text(signature),
        }

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + struct.pack(">I", 0)

    def _client_data(self, kind: str, options: dict[str, Any]) -> bytes:
        challenge = text(options["challenge"].encode())
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()


def text(data: bytes) -> str:
    """Bytes as base64url."""
    return urlsafe_b64encode(data).decode().rstrip("=")
