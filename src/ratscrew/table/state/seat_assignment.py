"""Assigns seats: which one a new player or bot gets, with which name and appearance, and who deals next.

These functions only choose; `evolve.py` changes the table. No I/O here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from ratscrew.bots.bot import Bot
from ratscrew.bots.ladder import LADDER
from ratscrew.bots.names import NAMES
from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.rules.words import say
from ratscrew.table.record.entries import HUES, SHAPES, Appearance, Sat
from ratscrew.table.state.table_state import Occupant, TableState

MORE = ("", " II", " III", " IV")
"""Suffixes of the name of a bot that is at the table more than once."""

MakeBot: TypeAlias = Callable[[str], Bot]
"""Makes a bot of a strength."""


def choose_seat(state: TableState) -> int:
    """The seat for the next player: a free one, or a new one.

    A seat before the host's is the last choice, so that the host stays the first player.

    Raises: Refusal (room_full).
    """
    if not state.has_free_seat:
        raise Refusal(RefusalReason.ROOM_FULL, say("every seat of this room is taken"))
    chairs = [] if state.playing else [number for number, seat in enumerate(state.seats) if seat.gone]
    if len(state.seats) < state.most:
        chairs.append(len(state.seats))
    return min(chairs, key=lambda number: (number < state.host, number))


def new_seat(
    state: TableState, number: int, name: str, bot: str | None = None, requested: Appearance | None = None
) -> Sat:
    """The event by which a player or bot takes a seat, with a new player id and an appearance that nobody has."""
    return Sat(number, name, bot, state.next_player_id, appearance_at(number, requested, state.seats))


def bot_name(state: TableState, strength: str, draw: Draw) -> str:
    """A free name for a bot: its own, if it has one that is free with a suffix, or any."""
    own = [strength.capitalize()] if strength in LADDER else []
    every = (
        [name + more for name in names if not state.has_name(name + more)] for names in (own, NAMES) for more in MORE
    )
    free = next(names for names in every if names)
    return free[draw(len(free))]


def next_dealer(state: TableState) -> int:
    """The dealer after the last one, counted among the seats of players who have not left."""
    seats, step = len(state.seats), state.rules.step
    chairs = ((state.dealer + far * step) % seats for far in range(1, seats + 1))
    dealer = next(chair for chair in chairs if not state.seats[chair].gone)
    return sum(not seat.gone for seat in state.seats[:dealer])


def appearance_at(number: int, requested: Appearance | None, seats: Sequence[Occupant]) -> Appearance:
    """The appearance of a seat: the requested one, or the nearest that nobody else has."""
    requested = requested or Appearance(number % HUES, SHAPES[number % len(SHAPES)])
    return nearest(requested, [seat.appearance for other, seat in enumerate(seats) if other != number])


def nearest(requested: Appearance, taken: Collection[Appearance]) -> Appearance:
    """The free appearance most like a requested one, in a colour that nobody has as long as there is one."""
    hues = [(requested.hue + far) % HUES for far in range(HUES)]
    others = {appearance.hue for appearance in taken}
    if free := [hue for hue in hues if hue not in others]:
        return Appearance(free[0], requested.shape)
    shapes = sorted(SHAPES, key=lambda shape: shape != requested.shape)
    return next(appearance for shape in shapes for hue in hues if (appearance := Appearance(hue, shape)) not in taken)
