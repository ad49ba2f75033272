"""Missed patterns are sent to all, but not before the card that covers them, and only if there was one."""

from __future__ import annotations

from ratscrew.table.record.effects import Send, Store
from ratscrew.table.record.messages import Missed
from tests.table.driver import LiveTable, at_table, last


def missed(live: LiveTable) -> list[tuple[int, str]]:
    """The missed patterns that were sent: card and patterns."""
    return [(each.n, " ".join(each.patterns)) for each in live.heard(Missed)]


def test_a_double_that_is_covered_was_one() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H")
    live.turn(0, 1)
    assert missed(live) == []
    live.turn(0)
    assert missed(live) == [(2, "double")]


def test_it_is_told_behind_the_card_that_covers_it() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H")
    live.turn(0, 1)
    live.play(0)
    effects = []
    while live.game.n == 2:
        wake_us = live.table.wake_us()
        assert wake_us
        live.clock.advance(max(0, wake_us - live.now_us))
        effects += live.act(live.table.tick(live.now_us))
    kinds = [effect for effect in effects if isinstance(effect, Store) or isinstance(last([effect]), Missed)]
    card, told = kinds
    assert isinstance(card, Store)
    assert card.reveal
    assert card.reveal.n == 3
    assert isinstance(told, Send)
    assert told.to is None


def test_every_pattern_that_lay_there_is_told_the_one_a_slap_is_called_by_first() -> None:
    live = at_table("Ana: 9S 9D 4H | Bo: 9H 3H 5H", house="1;classic;slaps.triple=pile")
    live.turn(0, 1, 0, 1)
    assert missed(live) == [(2, "double"), (3, "triple double")]


def test_nothing_is_told_of_a_pile_that_could_not_be_slapped() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: 8H 3H 5H")
    live.turn(0, 1, 0, 1, 0)
    assert missed(live) == []


def test_nor_of_one_that_was_slapped() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H")
    live.turn(0, 1)
    live.slap(0)
    live.turn(0, 1)
    assert missed(live) == []


def test_nor_where_the_house_closes_the_pile_to_slaps_during_a_challenge() -> None:
    open_, closed = (
        at_table("Ana: KS 2C | Bo: 9H 9D 5H", house=f"1;classic;slap_window={window}")
        for window in ("always", "not_during_challenge")
    )
    for live in (open_, closed):
        live.turn(0, 1, 1, 1)
    assert missed(open_) == [(3, "double")]
    assert missed(closed) == []


def test_a_pile_that_is_taken_by_a_challenge_with_a_double_on_it_was_missed_too() -> None:
    taken = at_table("Ana: QS 2C | Bo: 5H 5D 6D | Cy: 4S 7D")
    taken.turn(0, 1, 1)  # Bo fails Ana's queen with two fives
    assert missed(taken) == []
    taken.pass_ms(2000)
    assert taken.told[-1] == "0 takes 3: challenge"
    assert missed(taken) == [(3, "double")]


def test_a_wrong_slap_on_it_was_no_slap_of_it() -> None:
    """Bo slaps the two, where there is nothing; the sandwich on the next card nobody slaps."""
    live = at_table("Ana: 9S 9C 4H | Bo: 2H 3H 5H 6H")
    live.turn(0, 1)
    live.slap(1)
    live.turn(0)
    assert missed(live) == []
    live.turn(1)
    assert missed(live) == [(3, "sandwich")]
