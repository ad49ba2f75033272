"""A moment of a game, from which another one goes on; also as bytes, for another process."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from msgspec import convert, to_builtins

from ratscrew.bots.memory import Memory
from ratscrew.game.events import Event
from ratscrew.game.state import Game


class Moment(NamedTuple):
    """What had happened in a game at a moment, beginning with its deal, the game then, and what bots remember of it."""

    events: tuple[Event, ...]
    game: Game
    memory: Memory


def encode_moment(moment: Moment) -> bytes:
    """A moment as bytes; see `decode_moment`."""
    return msgspec.json.encode(to_builtins(moment, str_keys=True, enc_hook=int))


def decode_moment(body: bytes) -> Moment:
    """The moment that was encoded."""
    return convert(msgspec.json.decode(body), Moment, str_keys=True, dec_hook=lambda kind, value: kind(value))
