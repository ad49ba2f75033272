"""The last chance: the player with all cards turns a few more, and players without cards may slap back in."""

from __future__ import annotations

import pytest

from ratscrew.table.record.messages import Countdown
from tests.table.driver import LiveTable, at_table
from tests.table.looks import awake, clock, hands, pile, refused, where

TEXT = "1;classic;last_chance=3;turn_ms=5000;collect_delay_ms=1000"


def spared(
    holder: str = "Ana", failed: str = "Bo", who: str = "opponent", next_cards: str = "9C 9D 4S 5S"
) -> LiveTable:
    """Bo has failed Ana's jack with the last card; Ana holds everything."""
    live = at_table(f"{holder}: JS {next_cards} | {failed}: 3H | Cy:", house=f"{TEXT};last_chance_who={who}")
    live.turn(0, 1)
    live.pass_ms(1000)
    assert (where(live), hands(live)) == ("last_chance 0", f"{next_cards} JS 3H |  | ")
    return live


def nines(**seats: str) -> LiveTable:
    """Ana has turned two nines of her three cards."""
    live = spared(**seats)
    live.turn(0, 0)
    assert (where(live), pile(live), live.game.standing.chances_left) == ("last_chance 0", "9C 9D", 1)
    return live


# Turning


def test_the_holder_turns_three_cards_more_by_hand_and_then_has_won() -> None:
    live = spared(next_cards="9C 8D 4S 5S")
    live.turn(0, 0, 0)
    assert pile(live) == "9C 8D 4S"
    assert clock(live) == Countdown(0, "collect", 1000)
    live.pass_ms(1000)
    assert live.told[-2:] == ["0 takes 3: last_chance", "0 wins"]
    assert hands(live) == "5S JS 3H 9C 8D 4S |  | "


def test_or_the_clock_turns_them() -> None:
    live = spared(next_cards="9C 8D 4S 5S")
    assert clock(live) == Countdown(0, "turn", 5000)
    for n, lies in enumerate(("9C", "9C 8D", "9C 8D 4S"), 1):
        live.pass_ms(5126)
        assert live.game.n == 1 + n
        live.pass_ms(1)
        assert pile(live) == lies
        live.pass_ms(33)  # only then it is revealed, and the next 5 seconds begin
    live.pass_ms(1000)
    assert live.told[-1] == "0 wins"


def test_a_holder_who_is_gone_is_played_for() -> None:
    live = spared(next_cards="9C 8D 4S 5S")
    live.go(0)
    live.pass_ms(3 * (1500 + 160))
    assert pile(live) == "9C 8D 4S"


def test_a_bot_that_holds_everything_turns_them_and_does_not_slap_them() -> None:
    live = awake(at_table("Thoth*: JS 9C 9D 4S | Bo: 3H", house=TEXT), 0)
    live.turn(0, 1)
    live.pass_ms(1000)
    assert where(live) == "last_chance 0"
    live.pass_ms(3 * 700 + 3 * 160)
    assert (pile(live), where(live)) == ("9C 9D 4S", "last_chance 0")
    live.pass_ms(1000)
    assert live.told[-1] == "0 wins"


def test_no_more_than_he_holds() -> None:
    live = at_table("Ana: JS | Bo: 3H", house=TEXT)
    live.turn(0, 1)
    live.pass_ms(1000)
    assert (where(live), live.game.standing.chances_left) == ("last_chance 0", 2)


def test_letter_cards_do_not_challenge() -> None:
    live = spared(next_cards="KC 8D 4S 5S")
    live.turn(0)
    assert (where(live), live.game.standing.chances_left) == ("last_chance 0", 2)


def test_nobody_else_turns_a_card_and_nobody_one_too_many() -> None:
    live = spared(next_cards="9C 8D 4S 5S")
    live.play(1)
    assert refused(live) == ["not_your_turn"]
    live.turn(0, 0, 0)
    live.play(0)
    assert refused(live) == ["not_your_turn", "not_your_turn"]


# Slapping


def test_the_opponent_slaps_himself_back_in_and_leads() -> None:
    live = nines()
    live.slap(1, after_ms=400)
    assert (where(live), hands(live)) == ("play 1", "4S 5S JS 3H | 9C 9D | ")
    assert clock(live) == Countdown(1, "turn", 4999)  # no other seat could slap it: the verdict was there at 400
    live.turn(1)
    assert pile(live) == "9C"


def test_a_card_on_its_way_goes_back_to_its_hand() -> None:
    live = nines()
    live.pass_ms(380)
    live.play(0)
    live.slap(1, after_ms=400)
    live.pass_ms(1000)
    assert (pile(live), hands(live)) == ("", "4S 5S JS 3H | 9C 9D | ")


def test_after_the_last_card_there_is_still_a_moment_to_slap_it() -> None:
    live = spared(next_cards="8C 9C 9D 5S")
    live.turn(0, 0, 0)
    live.slap(1, after_ms=999)
    assert (where(live), hands(live)) == ("play 1", "5S JS 3H | 8C 9C 9D | ")


def test_a_bot_slaps_it() -> None:
    live = spared(failed="Thoth*")
    awake(live, 1)
    live.turn(0, 0)
    live.pass_ms(299)
    assert pile(live) == "9C 9D"
    live.pass_ms(1)
    assert where(live) == "play 1"


@pytest.mark.parametrize(("who", "lies"), [("opponent", "9C 9D"), ("anyone", "")])
def test_it_is_for_the_opponent_alone_or_for_anyone_without_cards(who: str, lies: str) -> None:
    live = nines(who=who)
    live.slap(2, after_ms=400)
    assert (pile(live), refused(live)) == (lies, ["slap_in"] if lies else [])


def test_a_wrong_slap_is_one_without_cards() -> None:
    live = spared(next_cards="9C 8D 4S 5S")
    live.turn(0)
    live.slap(1, after_ms=400)
    assert live.told[-1] == "1 has strike 1"
    assert (where(live), pile(live)) == ("last_chance 0", "9C")


def test_without_such_a_rule_the_challenge_has_ended_the_game() -> None:
    live = at_table("Ana: JS 9C 9D | Bo: 3H", house="1;classic;collect_delay_ms=1000")
    live.turn(0, 1)
    live.pass_ms(1000)
    assert live.told[-1] == "0 wins"
