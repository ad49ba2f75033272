"""The public names of games. A game's name in the log begins with its room's code, so it never leaves the server.

A public name is the log's name, encrypted with a key of the log, and the game's number in its room (the shuffle needs
to know which game is the first): `6QXK…-1`. It tells nobody the code, and no other game of the room. Nothing has to be
looked up to read it. Games of rooms that were opened before there were public names keep the names that they had, and
so do imported ones.

All letters are capitals: an address may be typed in any case.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

KEY = "game-names-key"
"""The name under which the log stores the key."""

KEY_BYTES = 32

OPENED = "-0x"
"""Between the code and the time in the full name of a room whose games have public names."""


class KeyStore(Protocol):
    """Where the key is, such as an `EventLog`."""

    def get(self, prefix: str = "") -> dict[str, bytes]:
        """The stored values by name, of the names with a prefix."""
        ...


class NewKeyStore(KeyStore, Protocol):
    """Where a key can be stored."""

    def get_or_create(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The value under a name; the first time, the value that `make` returns is stored."""
        ...


class GameNames:
    """Translates names of games. Without a `key` no game has another name."""

    def __init__(self, key: bytes | None = None) -> None:
        self._cipher = _cipher(key) if key else None

    @classmethod
    def create(cls, store: NewKeyStore) -> GameNames:
        """The names of a server's log; the first time, the key is made.

        Raises: LogError.
        """
        return cls(store.get_or_create(KEY, lambda: secrets.token_bytes(KEY_BYTES)))

    @classmethod
    def read(cls, store: KeyStore) -> GameNames:
        """The names of a log that is only read.

        Raises: LogError.
        """
        return cls(store.get(KEY).get(KEY))

    def public(self, game: str) -> str:
        """The public name of a game, given by its name in the log."""
        if self._cipher is None or not has_public_name(game):
            return game
        room, _, number = game.rpartition("-")
        hidden = self._cipher.encrypt(room.encode(), [number.encode()])
        return f"{base64.b32encode(hidden).decode().rstrip('=')}-{number}"

    def in_log(self, public: str) -> str | None:
        """The name in the log of a game, given by its public name; None if no game can have that."""
        if has_public_name(public):
            return None
        hidden, _, number = public.upper().rpartition("-")
        if self._cipher is None or not hidden.isascii():
            return public
        from cryptography.exceptions import InvalidTag

        try:
            room = self._cipher.decrypt(base64.b32decode(hidden + "=" * (-len(hidden) % 8)), [number.encode()])
        except (InvalidTag, binascii.Error, ValueError):
            return public
        return f"{room.decode()}-{number}"


def _cipher(key: bytes) -> AESSIV:
    """AES-SIV (RFC 5297): the same name is encrypted the same way, and a forged one is recognised.

    It is imported when there is a key: most commands have none, and it takes longer to load than all of them.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    return AESSIV(key)


def has_public_name(game: str) -> bool:
    """Whether the game of this name in the log has a public name, which is another one."""
    return OPENED in game
