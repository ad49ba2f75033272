"""The other moves that houses ask of a bot, and when it must not slap."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest
from msgspec.structs import replace

from ratscrew import cards
from ratscrew.bots.bot import Plan
from ratscrew.bots.ladder import bot
from ratscrew.bots.memory import memory_from_view
from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.bots.reflexes import STRENGTHS, Reflexes
from ratscrew.game.commands import (
    Arrive,
    Choose,
    Collect,
    Command,
    Contest,
    Forehead,
    Notice,
    Play,
    Reveal,
    Timeout,
    slap,
)
from ratscrew.game.engine import decide
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game, SeatState
from ratscrew.game.view import View, view
from ratscrew.rules.link import from_link

MANY = 4_000
HONOUR = "1;classic;judge=honour"
ALERT = ReflexBot(Reflexes(400_000, 0, 0, 0, 800_000, miss=0, false_alarm=0, lure_false_alarm=0))
BLIND = ReflexBot(Reflexes(400_000, 0, 0, 0, 800_000, miss=1, false_alarm=0, lure_false_alarm=0))
ITCHY = ReflexBot(Reflexes(400_000, 0, 0, 0, 800_000, miss=0, false_alarm=1, lure_false_alarm=1))
DOUBLE = "9S 2C 5D | 9H 4H 6D | KC 3D 7D"
JACK = "JS 2C 5D | 3H 4H 6D | KC 3D 7D"


def at(house: str, hands: str, *done: Command) -> View:
    """The view after these commands with these hands (top first); seat 0 leads."""
    decks = tuple(cards.cards(hand) for hand in hands.split("|"))
    seats = len(decks)
    game = Game(
        from_link(house), decks, Standing("play", 0), tuple(range(seats)), (SeatState(),) * seats, ((),) * seats
    )
    for command in done:
        game, _ = decide(game, command)
    return view(game)


def means(shown: View, seat: int, who: ReflexBot = ALERT, draw: float = 0.5) -> list[Command]:
    """The other moves that a bot plans."""
    return [move.command for move in who.plan(shown, seat, lambda: draw, memory_from_view(shown)).moves]


def slaps(shown: View, seat: int) -> bool:
    """Whether a bot that errs in nothing means to slap."""
    return ALERT.plan(shown, seat, lambda: 0.5, memory_from_view(shown)).slap_us is not None


def share(shown: View, strength: str) -> float:
    """How often a bot at seat 1 means to contest."""
    chance = Random(7).random
    return sum(bool(bot(strength).plan(shown, 1, chance, memory_from_view(shown)).moves) for _ in range(MANY)) / MANY


def error(rate: float) -> float:
    """Four standard errors of a share."""
    return 4 * sqrt(rate * (1 - rate) / MANY)


# Taking the pile by hand


@pytest.mark.parametrize("house", ["1;classic;collect=manual", HONOUR])
def test_a_bot_takes_the_pile_that_it_has_won_by_hand(house: str) -> None:
    won = at(house, JACK, Play(0), Play(1))
    assert [means(won, seat) for seat in range(3)] == [[Collect(0)], [], []]
    assert ALERT.plan(won, 0, lambda: 0.5, memory_from_view(won)).moves[0].after_us == 800_000


def test_where_the_house_collects_a_bot_does_not() -> None:
    assert means(at("1;classic", JACK, Play(0), Play(1)), 0) == []


def test_a_bot_does_not_take_what_is_not_its_own() -> None:
    assert [means(at("1;oxymoron", JACK, Play(0), *more), seat) for more in ((), (Play(1),)) for seat in (1, 2)] == [
        [],
        [],
        [],
        [],
    ]


# Claims


FALSE_SLAP, TRUE_SLAP = (Play(0), slap(0)), (Play(0), Play(1), slap(0))


@pytest.mark.parametrize(
    ("hands", "done", "contested"),
    [
        (DOUBLE, FALSE_SLAP, True),
        (DOUBLE, TRUE_SLAP, False),
        (JACK, (Play(0), Collect(2)), True),  # nobody has won it yet
        (JACK, (Play(0), Play(1), Collect(2)), True),  # seat 0 has
        (JACK, (Play(0), Play(1), Collect(0)), False),
    ],
)
def test_a_bot_contests_a_claim_that_it_sees_to_be_false(
    hands: str, done: tuple[Command, ...], contested: bool
) -> None:
    shown = at(HONOUR, hands, *done)
    claimer = shown.claimants[0]
    others = [seat for seat in range(3) if seat != claimer]
    assert [means(shown, seat) for seat in others] == [[Contest(seat)] if contested else [] for seat in others]
    assert means(shown, claimer) == []


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_false_claim_passes_at_the_rate_at_which_a_pattern_is_overlooked(strength: str) -> None:
    miss = STRENGTHS[strength].miss
    assert abs(share(at(HONOUR, DOUBLE, *FALSE_SLAP), strength) - (1 - miss)) < error(miss)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_true_claim_is_contested_at_the_rate_of_errors_only(strength: str) -> None:
    twitch = STRENGTHS[strength].false_alarm
    assert 0 < share(at(HONOUR, DOUBLE, *TRUE_SLAP), strength) < twitch + error(twitch)


def test_a_bot_that_has_no_card_to_stake_contests_nothing() -> None:
    assert means(at(HONOUR, "9S 2C | | KC 3D", *FALSE_SLAP), 1) == []


# Piles picked up wrongly


GRAB = (Play(0), Collect(1))


def test_a_bot_notices_a_pickup_that_is_not_by_right() -> None:
    grabbed = at("1;oxymoron", DOUBLE, *GRAB)
    assert [means(grabbed, seat) for seat in range(3)] == [[Notice(0)], [], [Notice(2)]]


def test_a_bot_that_looks_away_notices_nothing() -> None:
    assert means(at("1;oxymoron", DOUBLE, *GRAB), 0, BLIND) == []


def test_a_bot_that_is_not_in_the_game_does_not_protest() -> None:
    assert means(at("1;oxymoron", DOUBLE, Arrive(), *GRAB), 3) == []


@pytest.mark.parametrize(("draw", "half"), [(0.0, "top"), (0.49, "top"), (0.5, "bottom"), (0.99, "bottom")])
def test_a_bot_that_was_cheated_chooses_a_half_and_nobody_else_does(draw: float, half: str) -> None:
    split = at("1;oxymoron", DOUBLE, *GRAB, Timeout(), Notice(2))
    assert split.standing == Standing("split", 0)
    (choice,) = means(split, 0, draw=draw)
    assert isinstance(choice, Choose)
    assert choice.half == half
    assert means(split, 1) == means(split, 2) == []


# Foreheads


def test_all_bots_touch_their_foreheads_where_all_must_and_once_is_enough() -> None:
    shown = at("1;classic;redneck=all", DOUBLE, Play(0))
    assert [means(shown, seat) for seat in range(3)] == [[Forehead(seat)] for seat in range(3)]
    assert means(at("1;classic;redneck=all", DOUBLE, Play(0), Forehead(1)), 1) == []


def test_only_a_bot_that_slapped_wrongly_touches_its_forehead_where_the_rule_is_for_the_convicted() -> None:
    shown = at("1;classic;redneck=convicted", DOUBLE, Play(0), slap(2))
    assert [means(shown, seat) for seat in range(3)] == [[], [], [Forehead(2)]]


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_forehead_mostly_comes_before_the_slap(strength: str) -> None:
    shown = at("1;classic;redneck=all", DOUBLE, Play(0), Play(1))
    plan = bot(strength).plan(shown, 2, lambda: 0.5, memory_from_view(shown))
    assert plan.slap_us is not None
    assert plan.moves[0].after_us < plan.slap_us


def test_a_bot_with_no_hand_free_leaves_its_forehead_alone() -> None:
    shown = at("1;classic;redneck=all", DOUBLE, Play(0))
    assert means(replace(shown, seat_states=(SeatState(), SeatState(hand_burned=True), SeatState())), 1) == []


# Hands that stay off the pile


@pytest.mark.parametrize(
    ("me", "may"),
    [
        (SeatState(), True),
        (SeatState(locked="game"), False),
        (SeatState(locked="pile"), False),
        (SeatState(locked=3), False),  # two cards have been turned
        (SeatState(locked=2), True),
        (SeatState(hand_burned=True), False),
        (SeatState(playing=False, out=True), False),
    ],
)
def test_a_bot_that_may_not_slap_does_not(me: SeatState, may: bool) -> None:
    shown = at("1;classic", DOUBLE, Play(0), Play(1))
    assert slaps(replace(shown, seat_states=(SeatState(), me, SeatState())), 1) is may


@pytest.mark.parametrize(
    ("slap_in", "hands", "may"),
    [
        ("always", "9S | 9H 4H |", True),
        ("no", "9S 2C | 9H 4H |", False),
        ("while_two_active", "9S 2C | 9H 4H |", True),
        ("while_two_active", "9S | 9H 4H |", False),
    ],
)
def test_a_bot_without_cards_slaps_in_only_where_the_house_lets_it(slap_in: str, hands: str, may: bool) -> None:
    assert slaps(at(f"1;classic;slap_in={slap_in};endgame=play_out", hands, Play(0), Play(1)), 2) is may


@pytest.mark.parametrize(
    ("by", "may"), [(None, [True, True, True]), (0, [True, False, False]), (2, [False, False, True])]
)
def test_a_last_chance_is_for_whom_it_is_and_for_the_holder_only_if_for_anyone(by: int | None, may: list[bool]) -> None:
    shown = replace(
        at("1;classic", DOUBLE, Play(0), Play(1)), standing=Standing("last_chance", 1, by, 1), cards_held=(0, 7, 0)
    )
    assert [slaps(shown, seat) for seat in range(3)] == may


@pytest.mark.parametrize(("left", "turns"), [(2, True), (0, False)])
def test_the_holder_turns_the_cards_of_a_last_chance_as_long_as_some_are_left(left: int, turns: bool) -> None:
    shown = replace(
        at("1;classic", DOUBLE, Play(0)), standing=Standing("last_chance", 1, None, left), cards_held=(0, 8, 0)
    )
    plans = [ALERT.plan(shown, seat, lambda: 0.5, memory_from_view(shown)).turn_us for seat in range(3)]
    assert plans == [None, 800_000 if turns else None, None]


def test_a_pile_that_nobody_can_tell_the_first_of_is_not_slapped_again() -> None:
    shown = at("1;classic", DOUBLE, Play(0), Play(1))
    assert ITCHY.plan(shown, 2, lambda: 0.5, memory_from_view(shown)).slap_us is not None
    assert (
        ITCHY.plan(replace(shown, voided=True), 2, lambda: 0.5, memory_from_view(replace(shown, voided=True))).slap_us
        is None
    )


@pytest.mark.parametrize("done", [(*FALSE_SLAP,), TRUE_SLAP])
def test_a_pile_that_somebody_claims_is_not_slapped(done: tuple[Command, ...]) -> None:
    assert not any(slaps(at(HONOUR, DOUBLE, *done), seat) for seat in range(3))


def test_a_bot_sees_the_card_aside_of_who_has_to_play() -> None:
    assert slaps(at("1;oxymoron", DOUBLE, Reveal(1), Play(0)), 2)
    assert not slaps(at("1;oxymoron", DOUBLE, Reveal(2), Play(0)), 2)


def test_with_the_game_over_a_bot_wants_nothing() -> None:
    shown = replace(at("1;classic", DOUBLE, Play(0), Play(1)), standing=Standing("over", 1))
    assert [ALERT.plan(shown, seat, lambda: 0.5, memory_from_view(shown)) for seat in range(3)] == [Plan()] * 3
