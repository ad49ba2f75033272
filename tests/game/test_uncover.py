"""A slap that was made before the card that covers its pattern could be seen: that card is taken back."""

from __future__ import annotations

from collections import Counter

import pytest

from ratscrew.cards import Card, text
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game import events as ev
from ratscrew.game.commands import Collect, Play, Reveal, Slap, Stow, Timeout, Touch, slap
from ratscrew.game.engine import decide, find_pattern, slap_refusal, uncovered
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game
from ratscrew.game.view import public, view
from tests.game.scene import do, hands, pile, table, where

COVERED = "A: 9S 2C | B: 9H 3C | C: 4D 8C"
"""Hands of which the third card covers the double of the first two."""


def under(game: Game, *seats: int) -> tuple[Game, list[str]]:
    """The game after hands at what lay before the newest card, and what happened by name."""
    after, events = decide(game, Slap(tuple(map(Touch, seats)), under=True))
    return after, [type(event).__name__ for event in events]


def why_not(game: Game, seat: int, at_ms: int | None = None) -> RefusalReason:
    """Why a seat's hand at what lay before the newest card does not count."""
    with pytest.raises(Refusal) as caught:
        decide(game, slap(seat, at_ms, under=True))
    return caught.value.reason


def covers_nothing(game: Game) -> bool:
    """Whether there is no card to take back, for a slap as for a query."""
    with pytest.raises(Refusal) as caught:
        uncovered(game)
    return caught.value.reason == why_not(game, 1) == RefusalReason.TOO_LATE


def test_a_player_who_slapped_in_time_takes_the_pile_without_the_card_that_covers_it() -> None:
    covered = do(table(COVERED), "A B C")
    game, events = under(covered, 1)
    assert events == ["Slapped", "Withdrawn", "Taken"]
    assert hands(game) == "A: 2C | B: 3C 9S 9H | C: 8C 4D"
    assert where(game) == "B plays"
    assert pile(game) == ""


def test_all_players_get_it_with_its_outcome() -> None:
    _, events = decide(do(table(COVERED), "A B C"), slap(1, under=True))
    taken = ev.Taken(1, 2, "slap:double", Standing("play", 1))
    back = ev.Withdrawn(2, Card.parse("4D"), Standing("play", 2), 0)
    assert [public(event) for event in events] == [ev.Slapped((1,), under=True), back, taken]


def test_the_owner_of_the_card_may_have_slapped_before_it() -> None:
    assert hands(under(do(table(COVERED), "A B C"), 2)[0]) == "A: 2C | B: 3C | C: 8C 4D 9S 9H"


def test_the_last_card_of_a_hand_brings_its_owner_back() -> None:
    covered = do(table("A: 9S 2C | B: 9H 3C | C: 4D", tie="void"), "A B C")
    assert where(covered) == "A plays"
    game, _ = under(covered, 0, 1)
    assert where(game) == "C plays"
    assert hands(game) == "A: 2C | B: 3C | C: 4D"


def test_a_player_who_slapped_wrongly_before_it_pays_and_the_card_stays() -> None:
    game, events = under(do(table("A: 9S 2C | B: 8H 3C | C: 4D 8C"), "A B C"), 1)
    assert events == ["Slapped", "Fouled", "Burned"]
    assert hands(game) == "A: 2C | B: | C: 8C"
    assert pile(game) == "3C* 9S 8H 4D"
    assert where(game) == "A plays"


def test_a_pattern_that_the_newest_card_makes_is_none_for_who_slapped_before_it() -> None:
    double = do(table("A: 9S 2C 5H | B: 8H 3C | C: 8D 7C"), "A B C")
    assert find_pattern(double)[0]
    assert under(double, 0)[1] == ["Slapped", "Fouled", "Burned"]


def test_a_challenge_that_the_card_answered_is_open_again() -> None:
    covered = do(table("A: KS 2C | B: 5H 5D AC | C: 4D 8C", tie="void"), "A B B B")
    assert where(covered) == "C answers B, 4 left"
    game, events = under(covered, 0, 2)
    assert events == ["Slapped", "Withdrawn", "Voided"]
    assert where(game) == "B answers A, 1 left"
    assert hands(game) == "A: 2C | B: AC | C: 4D 8C"
    assert (game.answer_number, view(game).answer_number) == (2, 2)


def test_a_challenge_that_the_card_lost_is_not_lost_yet() -> None:
    covered = do(table("A: JS 2C | B: JH 6C | C: 7D 9C", tie="void"), "A B C")
    assert where(covered) == "B has won the pile: challenge"
    game, _ = under(covered, 0, 1)
    assert where(game) == "C answers B, 1 left"
    assert hands(game) == "A: 2C | B: 6C | C: 9C 7D"
    assert where(do(game, "C")) == "B has won the pile: challenge"


def test_whether_a_hand_counts_is_judged_by_what_lay_there() -> None:
    closed = do(table("A: 9S 2C | B: 9H 3C | C: KS 8C", slap_window="not_during_challenge"), "A B C")
    assert (slap_refusal(closed, Touch(0)), slap_refusal(uncovered(closed), Touch(0))) == (
        RefusalReason.CHALLENGE,
        None,
    )
    assert under(closed, 0)[1] == ["Slapped", "Withdrawn", "Taken"]


def test_a_player_who_was_locked_out_before_the_card_is_for_what_lay_there() -> None:
    lockout = {"kind": "lockout", "until": 2}
    covered = do(table("A: 9S 2C | B: 9H 3C | C: 4D 8C", wrong_slap=lockout), "A C! B C")
    assert slap_refusal(covered, Touch(2)) is None
    assert why_not(covered, 2) == RefusalReason.LOCKED_OUT


def test_whose_hand_has_to_be_withdrawn_is_who_turned_the_card_below() -> None:
    game = do(table(COVERED, withdraw_ms=150), "A")
    for seat, at_ms in ((1, 1000), (2, 1100)):
        game, _ = decide(game, Play(seat, at_ms))
    assert why_not(game, 1, 1149) == RefusalReason.WITHDRAW
    assert len(decide(game, slap(1, 1150, under=True))[1]) == 3
    assert len(decide(game, slap(2, 1101, under=True))[1]) == 3


def test_where_nobody_can_tell_who_was_first_the_card_goes_back_and_play_goes_on() -> None:
    game, events = under(do(table(COVERED, tie="void"), "A B C"), 0, 1)
    assert events == ["Slapped", "Withdrawn", "Voided"]
    assert (pile(game), find_pattern(game)[0], where(game)) == ("9S 9H", None, "C plays")
    assert pile(do(game, "C")) == "9S 9H 8C"


def test_the_judge_of_the_house_may_name_the_first_of_a_tie() -> None:
    game, events = under(do(table(COVERED, tie="judge"), "A B C"), 0, 1)
    assert events == ["Slapped", "Withdrawn", "Tied"]
    assert hands(do(game, "take")) == "A: 2C 9S 9H | B: 3C | C: 8C 4D"


def test_a_pile_that_was_void_before_the_card_is_void_without_it() -> None:
    """A hand that comes down there later is late, and free."""
    voided, _ = decide(do(table(COVERED, tie="void"), "A B"), Slap((Touch(0), Touch(1))))
    assert why_not(do(voided, "C"), 1) == RefusalReason.TOO_LATE


def test_a_number_is_never_used_twice() -> None:
    game, _ = under(do(table(COVERED, tie="void"), "A B C"), 0, 1)
    assert (game.n, game.withdrawn) == (view(game).n, view(game).withdrawn) == (3, 1)
    assert do(game, "C").n == 4


def test_the_first_card_of_the_game_is_not_its_own_bottom_though_another_was_turned() -> None:
    slaps = {"top_bottom": {"anchor": "game"}}
    game, events = under(do(table("A: 9S 2C | B: 4H 3C | C: 9D 8C", slaps=slaps, judge="honour"), "A B"), 2)
    assert events == ["Slapped", "Withdrawn", "Claimed"]
    assert (pile(game), game.opening) == ("9S", Card.parse("9S"))
    assert (find_pattern(game)[0], view(game).first_match()) == (None, None)


def test_on_ones_honour_the_card_goes_back_before_the_claim() -> None:
    game, events = under(do(table(COVERED, judge="honour"), "A B C"), 1)
    assert events == ["Slapped", "Withdrawn", "Claimed"]
    assert (game.standing, game.resume_state) == (Standing("claim", 1), Standing("play", 2))
    assert hands(decide(game, Timeout())[0]) == "A: 2C | B: 3C 9S 9H | C: 8C 4D"


def test_a_card_that_lay_aside_lies_there_again() -> None:
    start, _ = decide(table(COVERED, out_of_turn="aside"), Reveal(2))
    game, events = under(do(start, "A B C"), 0)
    assert events == ["Slapped", "Withdrawn", "Taken"]
    assert hands(game) == "A: 2C 9S 9H | B: 3C | C: 8C"
    assert list(map(text, game.asides)) == ["", "", "4D"]


def test_a_card_aside_counts_as_turned_before_it_was_laid() -> None:
    start, _ = decide(table("A: 9S 2C | B: 4H 3C | C: 4D 8C", out_of_turn="aside"), Reveal(2))
    game, events = under(do(start, "A B C"), 0)
    assert events == ["Slapped", "Withdrawn", "Taken"]
    assert hands(game) == "A: 2C 9S 4H 4D | B: 3C | C: 8C"


def test_what_has_fallen_onto_the_card_lies_at_the_bottom() -> None:
    top = {"kind": "burn", "count": 1, "place": "top"}
    burned = do(table(COVERED, wrong_slap=top), "A B C A!")
    assert pile(burned) == "9S 9H 4D 2C*"
    assert hands(under(burned, 1)[0]) == "A: | B: 3C 2C 9S 9H | C: 8C 4D"


def test_a_last_chance_is_as_long_as_before_the_card() -> None:
    spared = do(table("A: JS 9S 9H 4D 5C | B: 2C", last_chance=3), "A B take")
    assert spared.standing == Standing("last_chance", 0, 1, 3)
    covered = do(spared, "A A A")
    assert covered.standing == Standing("last_chance", 0, 1, 0)
    assert uncovered(covered).standing == Standing("last_chance", 0, 1, 1)
    assert hands(under(covered, 1)[0]) == "A: 5C JS 2C 4D | B: 9S 9H"
    assert why_not(covered, 0) == RefusalReason.SLAP_IN


def test_the_first_card_of_a_pile_covers_nothing() -> None:
    for script in ("", "A", "A B A!", "A B A! A"):
        assert covers_nothing(do(table(COVERED), script))


def test_a_pile_that_was_taken_stays_taken() -> None:
    won = do(table("A: JS 2C | B: 6D 3C"), "A B take")
    assert covers_nothing(won)


def test_one_card_is_taken_back_and_no_more() -> None:
    assert covers_nothing(under(do(table(COVERED, tie="void"), "A B C"), 0, 1)[0])


def test_nothing_is_taken_back_while_a_claim_a_tie_or_a_pickup_is_open() -> None:
    claim = do(table(COVERED, judge="honour"), "A B C A!")
    tie, _ = decide(do(table("A: 9S 2C | B: 9H 3C", tie="judge"), "A B"), Slap((Touch(0), Touch(1))))
    grab, _ = decide(do(table(COVERED, collect="manual", cheat="split"), "A B C"), Collect(1))
    assert [game.standing.phase for game in (claim, tie, grab)] == ["claim", "tie", "grab"]
    assert all(map(covers_nothing, (claim, tie, grab, decide(grab, Stow(1))[0])))


def test_nothing_is_taken_back_for_who_was_thrown_out() -> None:
    out = do(table("A: 9S 2C | B: 4H 3C | C: 5D 8C 7C 6C", max_streak=1), "A B C! C C!")
    assert out.seat_states[2].out
    assert covers_nothing(out)


def test_nothing_is_taken_back_after_the_end() -> None:
    over = do(table("A: 6S 2C | B: 6H 3C | C: 6D 8C", slaps={"triple": "win"}), "A B C A!")
    assert over.over
    with pytest.raises(Refusal) as caught:
        uncovered(over)
    assert caught.value.reason == RefusalReason.TOO_LATE


def test_no_card_is_lost() -> None:
    covered = do(table(COVERED), "A B C")
    lying = Counter(card for hand in covered.hands for card in hand) + Counter(laid.card for laid in covered.pile)
    assert Counter(card for hand in under(covered, 1)[0].hands for card in hand) == lying
