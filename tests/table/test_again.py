"""Another game at the same table: when it may be requested, its dealer, and that nothing of the last one is left."""

from __future__ import annotations

from typing import Any

import pytest

from ratscrew.cards import PACK
from ratscrew.errors import RefusalReason, RulesError
from ratscrew.game.engine import find_pattern
from ratscrew.table.record.messages import Countdown, Refused
from tests.table.driver import LiveTable, at_table, last, new_table
from tests.table.test_games import bots, restored


def ended(**options: Any) -> LiveTable:
    """Three people play; Bo has won."""
    live = at_table("Ana: 9S | Bo: 9H | Cy:", **options)
    live.turn(0, 1)
    live.slap(1)
    assert live.game.winner == 1
    return live


def test_another_game_is_refused_until_this_one_is_over() -> None:
    live = at_table("Ana: 9S 2C | Bo: TH 3H")
    assert live.answer(live.again(0)) == (Refused("again", RefusalReason.NOT_OVER), 0)
    assert (live.table.state.round, len(live.stores)) == (1, 1)


def test_another_game_is_a_log_of_its_own_with_the_same_seats() -> None:
    live = ended()
    live.again(2)
    assert live.table.log.game == "TEST-1-2"
    assert (live.stores[-1].game, live.stores[-1].after) == ("TEST-1-2", 0)
    assert live.told[:3] == ["0 is Ana", "1 is Bo", "2 is Cy"]
    assert live.table.state.version == len(live.entries) == 6
    assert sorted(card for hand in live.game.hands for card in hand) == list(PACK)
    assert (live.game.pile, live.game.n, live.game.winner) == ((), 0, None)


def test_only_the_first_who_asks_deals() -> None:
    live = ended()
    live.again(2)
    assert last(live.again(0)) == Refused("again", RefusalReason.NOT_OVER)
    assert live.table.state.round == 2


@pytest.mark.parametrize(("direction", "step"), [("cw", 1), ("ccw", -1)])
def test_the_deal_goes_round_in_the_direction_of_play(direction: str, step: int) -> None:
    """The first dealer is drawn, and the next player leads."""
    table = new_table(direction=direction)
    for name in ("Ana", "Bo", "Cy"):
        table.add_seat(name)
    live = LiveTable(table).start()
    led = [live.game.standing.turn]
    for _ in range(2):
        win(live)
        live.again(0)
        led.append(live.game.standing.turn)
    assert led == [(led[0] + step * far) % 3 for far in range(3)]


@pytest.mark.parametrize("direction", ["cw", "ccw"])
def test_the_next_dealer_is_the_same_after_a_restart(direction: str) -> None:
    table = new_table(direction=direction)
    for name in ("Ana", "Bo", "Cy", "Di"):
        table.add_seat(name)
    live = LiveTable(table).start()
    win(live)
    other = restored(live.entries)
    live.again(0)
    other.again(0)
    assert other.game.standing.turn == live.game.standing.turn
    assert other.table.log.game == live.table.log.game == "TEST-1-2"


def win(live: LiveTable) -> None:
    """Let the timeouts play, and a player slap every pile that can be slapped, until the game is over."""
    while live.game.winner is None:
        if live.game.pile and find_pattern(live.game)[0]:
            live.slap(0)
        elif live.game.standing.phase == "play" and live.table.wake_us() is not None:
            live.play(live.game.standing.turn)
        live.step()


def test_after_another_game_nothing_of_the_old_one_is_left() -> None:
    """Cy slapped the old first card wrongly. The old last card is none any more, and the new first is a new card."""
    live = at_table("Ana: 9S | Bo: 9H | Cy:")
    live.turn(0)
    live.slap(2)
    live.turn(1)
    live.slap(1)
    live.again(0)
    assert isinstance(last(live.slap(2, n=2)), Refused)
    assert live.table.clock(live.now_us) == Countdown(
        live.game.standing.turn, "turn", 7999
    )  # 1 ms has passed with Cy's hand
    live.turn(live.game.standing.turn)
    live.slap(2)
    assert live.told[-2] == "2 slaps wrong"


def test_a_house_for_fewer_players_is_not_dealt() -> None:
    live = bots(4, 1, max_players=3)
    with pytest.raises(RulesError, match="4 players: these rules are for 2 to 3"):
        live.start()
    assert (live.table.state.round, live.table.state.version, live.table.game) == (0, 0, None)
