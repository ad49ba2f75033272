"""The newest messages of a room as bytes, so that each is encoded once, however many pages it goes to. No I/O here."""

from __future__ import annotations

from collections.abc import Callable

from ratscrew.table.messages import Message

MESSAGES_MOST, BYTES_MOST = 64, 64 * 1024
"""How many messages are kept, and how many bytes: what goes out at about the same time, as pages get a card at
different moments. Beyond that the oldest is encoded again if it is needed."""


class MessageCache:
    """Messages by identity: a room gives every page the same object."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Message, bytes]] = {}
        self._size = 0

    def get_or_encode(self, message: Message, encode: Callable[[Message], bytes]) -> bytes:
        """The bytes of a message; the first time, `encode` makes them."""
        if kept := self._kept.get(id(message)):
            return kept[1]
        data = encode(message)
        self._kept[id(message)] = message, data  # the message is kept too, so its identity is nobody else's
        self._size += len(data)
        while len(self._kept) > MESSAGES_MOST or self._size > BYTES_MOST:
            _, old = self._kept.pop(next(iter(self._kept)))
            self._size -= len(old)
        return data
