"""JSON encoding of values that contain cards: a card becomes its text, a struct its fields. No I/O here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from ratscrew.cards import NAMES, Card
from ratscrew.errors import CardError

T = TypeVar("T")
R = TypeVar("R")


class Codec(Generic[T]):
    """Encodes and decodes one type (a struct, or a union of tagged ones) as JSON."""

    def __init__(self, kind: Any) -> None:
        self.encode: Callable[[T], bytes] = msgspec.json.Encoder(enc_hook=_to_text).encode
        """The value as JSON."""
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(kind, dec_hook=_from_text)

    def decode(self, data: bytes | str) -> T:
        """Decode a value from JSON.

        Raises: ValueError (or its subclasses msgspec.ValidationError, CardError) with what is wrong and where.
        """
        return self._decoded(self._decoder.decode, data)

    def decode_lines(self, data: bytes | str) -> list[T]:
        """Decode a value from each line of JSON.

        Raises: as `decode`.
        """
        return self._decoded(self._decoder.decode_lines, data)

    @staticmethod
    def _decoded(decode: Callable[[bytes | str], R], data: bytes | str) -> R:
        try:
            return decode(data)
        except (msgspec.DecodeError, CardError, RecursionError) as error:
            raise ValueError(str(error)) from error


def _to_text(value: Any) -> Any:
    if isinstance(value, Card):
        return NAMES[value]
    raise NotImplementedError(f"no JSON for {type(value).__name__}")


def _from_text(kind: type, value: Any) -> Any:
    if kind is Card:
        return Card.parse(value)
    raise NotImplementedError(f"no {kind.__name__} in JSON")
