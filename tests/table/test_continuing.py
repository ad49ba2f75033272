"""A game goes on from a moment of a finished one: the same cards, another room, and a log that holds all of it."""

from __future__ import annotations

import re

import pytest

from ratscrew.cards import text
from ratscrew.errors import Refusal, RulesError
from ratscrew.log.memory import MemoryLog
from ratscrew.table.history.import_export import entries_of
from ratscrew.table.record.entries import Committed, Entry, LaidOut
from ratscrew.table.registry.continuing import moment_of
from ratscrew.table.registry.room_registry import RoomRegistry, code_of
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import here

TEXT = """ratscrew 1
house 1;classic
name 1 Ana
name 2 Ben
hand 1 9S 2C 4D KD
hand 2 9H 4S 7C
lead 1
1:9S 2:9H 2!double
2:4S 1?2C 1:4D 1!double
1:KD 2:7C 2:9S 2:9H 1+ 1#
"""
"""Ben slaps the nines; Ana slaps nothing, and then the fours; her king takes the rest, two nines on it."""

BENS_FOUR = next(v for v, entry in enumerate(entries_of(TEXT), 1) if getattr(entry.event, "n", 0) == 3)
"""The third card is turned: Ben's four. He has slapped the nines, and holds them and the seven."""


def test_the_cards_at_a_moment_are_those_of_the_text() -> None:
    game = moment_of(entries_of(TEXT), BENS_FOUR).game
    assert [text(hand) for hand in game.hands] == ["2C 4D KD", "7C 9S 9H"]
    assert (text(laid.card for laid in game.pile), game.standing.turn, game.n) == ("4S", 0, 3)


@pytest.mark.parametrize(
    ("v", "why"),
    [
        (0, f"This game has {len(entries_of(TEXT))} events"),
        (999, "choose one of them"),
        (2, "The cards aren't dealt yet at that moment"),
        (len(entries_of(TEXT)), "The game is over at that moment"),
    ],
)
def test_nobody_goes_on_from_where_there_is_no_game(v: int, why: str) -> None:
    with pytest.raises(RulesError, match=re.escape(why)):
        moment_of(entries_of(TEXT), v)


def test_nobody_goes_on_from_a_game_that_is_still_going_on() -> None:
    with pytest.raises(Refusal, match="not_over"):
        moment_of(entries_of(TEXT)[:-1], BENS_FOUR)


@pytest.mark.parametrize("seat", [0, 1])
@on_manual_clock
async def test_a_room_goes_on_from_there_and_is_restored_after_a_restart(clock: ManualClock, seat: int) -> None:
    log = MemoryLog[Entry]()
    moment = moment_of(entries_of(TEXT), BENS_FOUR)
    registry = RoomRegistry(log, clock)
    room = registry.continue_game("Cleo", seat, moment)
    assert room.table.game == moment.game
    assert [other.bot_level for at, other in enumerate(room.table.seats) if at != seat] == ["steady"]
    assert room.table.seats[seat].name == "Cleo"
    await room.stored()
    kept = [entry.event for entry in log.read(f"{room.table.room}-1")]
    assert any(isinstance(event, LaidOut) for event in kept)
    assert not any(isinstance(event, Committed) for event in kept)
    registry.close()
    again = here(await RoomRegistry(log, clock).find(code_of(room.table.room)))
    assert again
    assert again.table.game == moment.game
    assert again.table.seats[seat].bot_level is None


@on_manual_clock
async def test_a_seat_that_the_game_does_not_have_is_refused(clock: ManualClock) -> None:
    with pytest.raises(RulesError, match="This game has no such seat"):
        RoomRegistry(MemoryLog[Entry](), clock).continue_game("Cleo", 2, moment_of(entries_of(TEXT), BENS_FOUR))
